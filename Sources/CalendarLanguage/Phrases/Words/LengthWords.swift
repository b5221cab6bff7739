// SPDX-License-Identifier: Apache-2.0

/// The words of lengths of time that are no number of units.
enum LengthWords {
  static let tables: [PhraseConcept: String] = [
    // In minutes; the number one may precede.
    .length: """
    en: half an hour=30, half hour=30, half-hour=30, quarter of an hour=15, quarter hour=15, \
    three quarters of an hour=45, three-quarters of an hour=45
    de: halbe stunde=30, halben stunde=30, viertelstunde=15, dreiviertelstunde=45
    fr: demi-heure=30, demi heure=30, quart d'heure=15, trois quarts d'heure=45
    es: media hora=30, cuarto de hora=15, tres cuartos de hora=45
    it: mezz'ora=30, mezza ora=30, quarto d'ora=15, tre quarti d'ora=45, un'ora=60
    nl: half uur=30, halfuur=30, kwartier=15, drie kwartier=45
    pt: meia hora=30, meia-hora=30, quarto de hora=15, três quartos de hora=45
    pl: pół godziny=30, kwadrans=15, trzy kwadranse=45, półtorej godziny=90, godzinę=60
    """,
    // Before the name of a unit, in halves of it.
    .halves: """
    de: anderthalb=3, eineinhalb=3, zweieinhalb=5, dreieinhalb=7, viereinhalb=9
    nl: anderhalf=3, anderhalve=3, tweeënhalf=5, drieënhalf=7
    """,
    .andHalf: """
    en: and a half
    fr: et demie, et demi
    es: y media
    it: e mezza, e mezzo
    pt: e meia
    pl: i pół
    """,
    // The minutes after the hour that follows, or before it.
    .clockBefore: """
    en: half past=30, quarter past=15, a quarter past=15, quarter to=-15, a quarter to=-15
    de: halb=-30, viertel nach=15, viertel vor=-15
    nl: half=-30, kwart over=15, kwart voor=-15
    pl: wpół do=-30, kwadrans po=15
    """,
    .clockAfter: """
    fr: et demie=30, et demi=30, et quart=15, moins le quart=-15, moins cinq=-5, moins dix=-10, \
    moins vingt=-20, moins vingt-cinq=-25
    es: y media=30, y cuarto=15, menos cuarto=-15, menos cinco=-5, menos diez=-10, \
    menos veinte=-20, menos veinticinco=-25
    it: e mezza=30, e mezzo=30, e un quarto=15, meno un quarto=-15, meno cinque=-5, meno dieci=-10, \
    meno venti=-20, meno venticinque=-25
    pt: e meia=30, e um quarto=15, e quinze=15
    """,
    // Between a number of minutes and the hour.
    .clockStep: """
    en: past=1, to=-1
    de: nach=1, vor=-1
    nl: over=1, voor=-1
    pt: para as=-1, para a=-1
    """,
    .hourWord: """
    pl: pierwszej=1, drugiej=2, trzeciej=3, czwartej=4, piątej=5, szóstej=6, siódmej=7, ósmej=8, \
    dziewiątej=9, dziesiątej=10, jedenastej=11, dwunastej=12, \
    trzynastej=13, czternastej=14, piętnastej=15, szesnastej=16, siedemnastej=17, \
    osiemnastej=18, dziewiętnastej=19, dwudziestej=20, dwudziestej pierwszej=21, \
    dwudziestej drugiej=22, dwudziestej trzeciej=23
    """,
    .daypart: """
    en: morning=morning, mornings=morning, afternoon=afternoon, evening=evening, evenings=evening, \
    night=night, nights=night
    de: morgen=morning, vormittag=morning, nachmittag=afternoon, abend=evening, nacht=night
    fr: matin=morning, matins=morning, après-midi=afternoon, soir=evening, soirs=evening, nuit=night
    es: mañana=morning, mañanas=morning, tarde=afternoon, tardes=afternoon, noche=night, noches=night
    it: mattina=morning, mattine=morning, pomeriggio=afternoon, sera=evening, sere=evening, notte=night
    nl: ochtend=morning, morgen=morning, middag=afternoon, avond=evening, nacht=night
    pt: manhã=morning, manhãs=morning, tarde=afternoon, tardes=afternoon, noite=night, noites=night
    pl: ranka=morning, rano=morning, wieczoru=evening, wieczór=evening
    """,
    .quarter: """
    en: quarter
    de: quartal, quartals
    fr: trimestre, trimestres
    es: trimestre
    it: trimestre
    nl: kwartaal
    pt: trimestre
    pl: kwartał, kwartału
    """,
    .due: """
    en: by, until, till, no later than
    de: bis, bis zum, zum, spätestens, bis spätestens, fällig, fällig am
    fr: pour, pour le, d'ici, d'ici le, jusqu'à, jusqu'au
    es: para, para el, hasta, hasta el
    it: entro, entro il, per, fino a
    nl: tot, tegen, uiterlijk
    pt: para, até, até a, até o
    pl: do, na
    """,
    .allDay: """
    en: all day, all-day, allday, all day long, whole day, the whole day, entire day, the entire day
    de: ganztägig, ganztags, den ganzen tag, ganzen tag, ganzer tag, ganzer tag lang
    fr: toute la journée, la journée entière, journée entière, toute journée
    es: todo el día, durante todo el día, el día entero, día entero, día completo, el día completo
    it: tutto il giorno, per tutto il giorno, tutta la giornata, per tutta la giornata, \
    l'intera giornata, intera giornata, giornata intera
    nl: de hele dag, hele dag, de gehele dag, gehele dag
    pt: o dia todo, todo o dia, durante todo o dia, o dia inteiro, dia inteiro, dia todo
    pl: cały dzień, przez cały dzień, całodniowo
    ru: весь день, целый день
    zh: 全天, 整天, 一整天
    ja: 終日, 一日中
    ko: 하루 종일, 종일, 온종일
    he: כל היום, יום שלם
    ar: طوال اليوم, اليوم كله, كل اليوم
    """,
    .lasting: """
    de: lang
    nl: lang
    """,
    .after: """
    en: from
    """,
    .monthEnd: """
    en: end of, the end of, at the end of, by the end of
    de: ende, zum ende, am ende
    fr: fin, fin de, à la fin de, à la fin, la fin, la fin de
    es: fin de, a fin de, al fin de, el fin de
    it: fine, fine di, a fine, alla fine di, la fine, la fine di
    nl: eind, einde, het einde, aan het einde, aan het eind
    pt: fim de, fim, no fim de, no fim, o fim de, o fim
    pl: koniec, na koniec, do końca
    """,
  ]
}
