// SPDX-License-Identifier: Apache-2.0

/// Words of time that name no day, or one that the date of another word would hide.
enum InexactWords {
  static let tables: [PhraseConcept: String] = [
    // Before a month, or before a week, a month or a year.
    .periodPart: """
    en: mid, middle of, the middle of, beginning of, the beginning of, start of, the start of, \
    early, late, end of, the end of, rest of, the rest of
    de: anfang, mitte, ende, rest, monatsanfang=whole, monatsmitte=whole, monatsende=whole, \
    jahresanfang=whole, jahresende=whole, wochenanfang=whole, jahreswechsel=whole, zwischen den jahren=whole
    fr: en huit=whole, en quinze=whole, en 8=whole, en 15=whole, début, début de, mi, milieu de, courant, fin, fin de, à la fin de, reste de
    es: principios de, mediados de, finales de, comienzos de, inicios de, fines de, fin de, \
    resto de, a mediados de, a principios de, a finales de
    it: domattina=whole, fine giornata=whole, inizio, inizio di, metà, metà di, fine, fine di, resto di
    nl: begin, begin van, midden, midden van, medio, half, eind, einde, eind van, einde van, \
    rest van
    pt: início de, começo de, meados de, meio de, final de, fim de, fim, início, começo, final, \
    resto de
    pl: początek, początku, początkiem, połowa, połowie, połowy, środek, pod, koniec, końcu, końcem, końca, \
    reszta, resztę
    """,
    // Before a week, a month or another unit in which something is due.
    .period: """
    en: within, in the course of, over the course of, during
    de: innerhalb, innerhalb von, binnen, im laufe, im lauf, im verlauf, während
    fr: au cours, dans le courant, courant, d'ici, sous, pendant, durant
    es: dentro de, a lo largo, en el transcurso, en el curso, durante
    it: entro, nel corso, nell'arco, durante
    nl: binnen, in de loop, tijdens, gedurende
    pt: dentro de, ao longo, no decorrer, no prazo, durante
    pl: w ciągu, w przeciągu, w trakcie, podczas
    """,
    // Before a unit.
    .some: """
    en: a couple of, couple of, a couple, couple, a few, few, several, some, many
    de: paar, ein paar, einigen, einige, wenigen, wenige, mehreren, mehrere, etlichen, etliche
    fr: quelques, plusieurs, une paire de, une dizaine de, une quinzaine de
    es: unos, unas, algunos, algunas, pocos, pocas, varios, varias, un par de, unos pocos
    it: qualche, alcuni, alcune, pochi, poche, un paio di, diversi, diverse
    nl: paar, een paar, enkele, enige, meerdere
    pt: alguns, algumas, poucos, poucas, uns, umas, vários, várias, um par de
    pl: kilka, parę, kilku, paru, kilkanaście
    """,
    .season: """
    en: spring, summer, autumn, fall, winter, q1, q2, q3, q4
    de: frühling, frühjahr, sommer, herbst, winter, q1, q2, q3, q4
    fr: printemps, été, l'été, automne, l'automne, hiver, l'hiver
    es: primavera, verano, otoño, invierno
    it: primavera, estate, autunno, inverno
    nl: voorjaar, lente, zomer, najaar, herfst, winter
    pt: primavera, verão, outono, inverno
    pl: wiosnę, wiosną, lato, lecie, latem, jesień, jesienią, zimę, zimie, zimą
    """,
    // Weak ones also count other weeks, and are numbers of the year only beside a date.
    .weekNumber: """
    en: cw, calendar week, iso week, week=weak, w=weak
    de: kw, kalenderwoche, woche=weak
    fr: semaine=weak, sem=weak
    es: semana=weak
    it: settimana=weak
    nl: weeknummer, week=weak
    pt: semana=weak
    pl: tydzień=weak, tygodniu=weak
    """,
    // The month and the day of fixed ones.
    .feast: """
    en: new year's eve=12-31, new years eve=12-31, new year's day=01-01, new years day=01-01, \
    new year's=01-01, new year=01-01, christmas eve=12-24, christmas day=12-25, christmas=12-25, \
    xmas=12-25, boxing day=12-26, good friday, easter sunday, easter monday, easter, \
    palm sunday, ash wednesday, shrove tuesday, black friday, cyber monday, thanksgiving, halloween=10-31, valentine's day=02-14, valentines day=02-14, \
    pancake day, pancake tuesday, maundy thursday, holy saturday, whit monday, whit sunday, \
    labor day, labour day, memorial day, mother's day, mothers day, father's day, fathers day, \
    st patrick's day=03-17, st. patrick's day=03-17, independence day=07-04, guy fawkes night=11-05, \
    bonfire night=11-05, advent sunday, remembrance sunday, ascension day, mardi gras
    de: silvester=12-31, heiligabend=12-24, heilig abend=12-24, weihnachten=12-25, neujahr=01-01, \
    nikolaus=12-06, ostern, ostersonntag, ostermontag, karfreitag, pfingsten, pfingstsonntag, \
    pfingstmontag, allerheiligen=11-01, erster weihnachtstag=12-25, zweiter weihnachtstag=12-26, \
    dreikönig=01-06, himmelfahrt, fronleichnam, rosenmontag, \
    aschermittwoch, gründonnerstag, faschingsdienstag, veilchendienstag, fastnacht, totensonntag, \
    ewigkeitssonntag, volkstrauertag, palmsonntag, karsamstag, muttertag, buß- und bettag, \
    advent, 1. advent, 2. advent, 3. advent, 4. advent, zweiter weihnachtsfeiertag=12-26, \
    erster weihnachtsfeiertag=12-25, reformationstag=10-31, mariä himmelfahrt=08-15, \
    tag der deutschen einheit=10-03, tag der arbeit=05-01
    fr: noël=12-25, réveillon=12-31, la saint-sylvestre=12-31, saint-sylvestre=12-31, \
    le nouvel an=01-01, nouvel an=01-01, jour de l'an=01-01, pâques, pentecôte, toussaint=11-01, \
    lundi de pâques, vendredi saint, ascension, \
    mardi gras, mercredi des cendres, jeudi saint, lundi de pentecôte, fête des mères, \
    fête des pères, chandeleur=02-02, fête nationale=07-14, assomption=08-15, l'épiphanie=01-06, épiphanie=01-06
    es: nochevieja=12-31, nochebuena=12-24, navidad=12-25, año nuevo=01-01, reyes=01-06, \
    semana santa, pascua, viernes santo, \
    miércoles de ceniza, jueves santo, lunes de pascua, domingo de ramos, sábado santo, \
    día de la madre, día del padre, todos los santos=11-01
    it: capodanno=01-01, natale=12-25, san silvestro=12-31, vigilia di natale=12-24, la vigilia=12-24, befana=01-06, \
    santo stefano=12-26, epifania=01-06, pasqua, pasquetta, venerdì santo, lunedì dell'angelo, ferragosto=08-15, ognissanti=11-01, \
    mercoledì delle ceneri, giovedì santo, lunedì di pasqua, martedì grasso, giovedì grasso, \
    domenica delle palme, sabato santo
    nl: oudejaarsavond=12-31, oudejaarsdag=12-31, pakjesavond=12-05, oudejaar=12-31, oud en nieuw=12-31, kerstmis=12-25, kerst=12-25, \
    eerste kerstdag=12-25, tweede kerstdag=12-26, kerstavond=12-24, nieuwjaar=01-01, \
    nieuwjaarsdag=01-01, sinterklaas=12-05, koningsdag=04-27, pasen, pinksteren, hemelvaart, \
    tweede paasdag, eerste paasdag, goede vrijdag, \
    aswoensdag, witte donderdag, moederdag, vaderdag, tweede pinksterdag
    pt: natal=12-25, consoada=12-24, dia de reis=01-06, véspera de natal=12-24, ano novo=01-01, réveillon=12-31, \
    véspera de ano novo=12-31, páscoa, carnaval, sexta-feira santa, \
    quarta-feira de cinzas, quinta-feira santa, terça-feira de carnaval
    pl: sylwester=12-31, sylwestra=12-31, wigilia=12-24, wigilię=12-24, boże narodzenie=12-25, \
    nowy rok=01-01, wielkanoc, wielki piątek, boże ciało, trzech króli=01-06, \
    środa popielcowa, wielki czwartek, tłusty czwartek, poniedziałek wielkanocny
    """,
    .coming: """
    fr: prochains, prochaines, suivants, suivantes
    es: próximos, próximas, siguientes
    it: prossimi, prossime, seguenti
    pt: próximos, próximas, seguintes
    pl: najbliższe, najbliższych, następnych, kolejne, kolejnych
    """,
    // Before a unit, as in "twice a week"; with a number also the occurrences of a repetition.
    .frequency: """
    en: once, twice=2, thrice=3, several times, many times, a few times
    de: einmal, zweimal=2, dreimal=3, viermal=4, fünfmal=5, sechsmal=6, siebenmal=7, achtmal=8, \
    neunmal=9, zehnmal=10, zwölfmal=12, fünfzehnmal=15, zwanzigmal=20, mehrmals
    fr: plusieurs fois, une fois
    es: varias veces, una vez
    it: più volte, diverse volte, una volta
    nl: eens, eenmaal, tweemaal=2, driemaal=3, viermaal=4, vijfmaal=5, zesmaal=6, tienmaal=10, \
    meermaals
    pt: várias vezes, uma vez
    pl: raz, dwukrotnie, kilka razy
    """,
    .localTime: """
    en: time
    de: zeit, ortszeit
    fr: heure de, heure locale, heure d', heure du
    es: hora de, hora local, hora del, local=hour
    it: ora di, ora locale, ora del
    nl: tijd, lokale tijd
    pt: hora de, hora local, local=hour, horário de, horário local, horário do
    pl: czasu
    """,
    // Capitals that have another name in the language.
    .city: """
    de: tokio=Asia/Tokyo, moskau=Europe/Moscow, peking=Asia/Shanghai, lissabon=Europe/Lisbon, \
    neu-delhi=Asia/Kolkata, kairo=Africa/Cairo, athen=Europe/Athens, singapur=Asia/Singapore, \
    hongkong=Asia/Hong_Kong, mexiko-stadt=America/Mexico_City, kiew=Europe/Kyiv
    fr: londres=Europe/London, moscou=Europe/Moscow, pékin=Asia/Shanghai, \
    lisbonne=Europe/Lisbon, le caire=Africa/Cairo, athènes=Europe/Athens, montréal=America/Toronto, \
    singapour=Asia/Singapore, mexico=America/Mexico_City
    es: nueva york=America/New_York, londres=Europe/London, tokio=Asia/Tokyo, \
    moscú=Europe/Moscow, pekín=Asia/Shanghai, lisboa=Europe/Lisbon, atenas=Europe/Athens, \
    los ángeles=America/Los_Angeles, ciudad de méxico=America/Mexico_City
    it: londra=Europe/London, mosca=Europe/Moscow, pechino=Asia/Shanghai, \
    lisbona=Europe/Lisbon, atene=Europe/Athens
    nl: londen=Europe/London, tokio=Asia/Tokyo, moskou=Europe/Moscow, peking=Asia/Shanghai, \
    lissabon=Europe/Lisbon, athene=Europe/Athens
    pt: nova york=America/New_York, nova iorque=America/New_York, londres=Europe/London, \
    tóquio=Asia/Tokyo, moscou=Europe/Moscow, pequim=Asia/Shanghai, lisboa=Europe/Lisbon, \
    brasília=America/Sao_Paulo
    pl: nowy jork=America/New_York, londyn=Europe/London, tokio=Asia/Tokyo, \
    moskwa=Europe/Moscow, pekin=Asia/Shanghai, lizbona=Europe/Lisbon, ateny=Europe/Athens
    """,
  ]
}
