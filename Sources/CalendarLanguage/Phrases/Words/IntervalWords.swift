// SPDX-License-Identifier: Apache-2.0

/// The words of repetitions with an interval, and of days of each month.
enum IntervalWords {
  static let tables: [PhraseConcept: String] = [
    // Before weekdays or a unit: every second one.
    .alternate: """
    en: alternate, alternating
    sv: varannan, vartannat
    da: hver anden, hvert andet
    nb: annenhver, annethvert, hver andre, hvert andre
    no: annenhver, annethvert, hver andre, hvert andre
    """,
    // After weekdays or a unit: every second one.
    .alternateAfter: """
    fr: alternés, alternées
    es: alternos, alternas
    it: alterni, alterne, alternati, alternate
    pt: alternados, alternadas
    """,
    // Between weekdays or a unit and a number, as in "un vendredi sur deux".
    .outOf: """
    en: out of
    fr: sur
    es: de cada
    it: su, ogni
    pt: em cada, a cada
    """,
    // The parts of "un venerdì sì e uno no".
    .yes: """
    es: sí
    it: sì
    pt: sim
    """,
    .no: """
    es: no
    it: no
    pt: não
    """,
    .otherOne: """
    es: otro, otra
    it: uno, una, l'altro, l'altra
    pt: outro, outra
    """,
    // After "every": two weeks.
    .fortnight: """
    en: fortnight
    fr: quinzaine, quinzaines
    es: quincena
    pt: quinzena
    """,
    // Ordinal numbers from 2 before a unit: "every third month".
    .nth: """
    en: second=2, third=3, fourth=4, fifth=5, sixth=6, seventh=7, eighth=8, ninth=9, tenth=10, \
    eleventh=11, twelfth=12
    de: zweite=2, zweiten=2, zweiter=2, zweites=2, dritte=3, dritten=3, dritter=3, drittes=3, \
    vierte=4, vierten=4, vierter=4, viertes=4, fünfte=5, fünften=5, fünfter=5, fünftes=5, \
    sechste=6, sechsten=6, sechster=6, sechstes=6, siebte=7, siebten=7, siebter=7, siebtes=7, \
    siebente=7, siebenten=7, siebenter=7, siebentes=7, achte=8, achten=8, achter=8, achtes=8, \
    neunte=9, neunten=9, neunter=9, neuntes=9, zehnte=10, zehnten=10, zehnter=10, zehntes=10, \
    elfte=11, elften=11, elfter=11, elftes=11, zwölfte=12, zwölften=12, zwölfter=12, zwölftes=12
    fr: deuxième=2, deuxièmes=2, troisième=3, troisièmes=3, quatrième=4, quatrièmes=4, \
    cinquième=5, cinquièmes=5, sixième=6, sixièmes=6, septième=7, septièmes=7, huitième=8, \
    huitièmes=8, neuvième=9, neuvièmes=9, dixième=10, dixièmes=10, onzième=11, onzièmes=11, \
    douzième=12, douzièmes=12, second=2, seconde=2
    es: segundo=2, segunda=2, tercer=3, tercero=3, tercera=3, cuarto=4, cuarta=4, quinto=5, \
    quinta=5, sexto=6, sexta=6, séptimo=7, séptima=7, octavo=8, octava=8, noveno=9, novena=9, \
    décimo=10, décima=10, undécimo=11, undécima=11, duodécimo=12, duodécima=12
    it: secondo=2, seconda=2, terzo=3, terza=3, quarto=4, quarta=4, quinto=5, quinta=5, sesto=6, \
    sesta=6, settimo=7, settima=7, ottavo=8, ottava=8, nono=9, nona=9, decimo=10, decima=10, \
    undicesimo=11, undicesima=11, dodicesimo=12, dodicesima=12
    nl: tweede=2, derde=3, vierde=4, vijfde=5, zesde=6, zevende=7, achtste=8, negende=9, \
    tiende=10, elfde=11, twaalfde=12
    pt: segundo=2, segunda=2, terceiro=3, terceira=3, quarto=4, quarta=4, quinto=5, quinta=5, \
    sexto=6, sexta=6, sétimo=7, sétima=7, oitavo=8, oitava=8, nono=9, nona=9, décimo=10, \
    décima=10
    pl: drugi=2, drugą=2, druga=2, drugie=2, trzeci=3, trzecią=3, trzecia=3, trzecie=3, \
    czwarty=4, czwartą=4, czwarta=4, czwarte=4, piąty=5, piątą=5, piąta=5, piąte=5, szósty=6, \
    szóstą=6, szósta=6, szóste=6, siódmy=7, siódmą=7, siódma=7, siódme=7, ósmy=8, ósmą=8, \
    ósma=8, ósme=8, dziewiąty=9, dziewiątą=9, dziewiąta=9, dziewiąte=9, dziesiąty=10, \
    dziesiątą=10, dziesiąta=10, dziesiąte=10, jedenasty=11, jedenastą=11, jedenasta=11, \
    jedenaste=11, dwunasty=12, dwunastą=12, dwunasta=12, dwunaste=12
    """,
    // After weekdays, of which each one is meant.
    .dayparts: """
    en: mornings=morning, afternoons=afternoon, evenings=evening, nights=night
    fr: matins=morning, soirs=evening, nuits=night, après-midis=afternoon
    es: mañanas=morning, tardes=afternoon, noches=night
    it: mattine=morning, pomeriggi=afternoon, sere=evening, notti=night
    nl: ochtenden=morning, middagen=afternoon, avonden=evening, nachten=night
    pt: manhãs=morning, tardes=afternoon, noites=night
    """,
    // Days of a month as words.
    .monthDay: """
    en: first=1, second=2, third=3, fourth=4, fifth=5, sixth=6, seventh=7, eighth=8, ninth=9, \
    tenth=10, eleventh=11, twelfth=12, thirteenth=13, fourteenth=14, fifteenth=15, sixteenth=16, \
    seventeenth=17, eighteenth=18, nineteenth=19, twentieth=20, twenty-first=21, \
    twenty-second=22, twenty-third=23, twenty-fourth=24, twenty-fifth=25, twenty-sixth=26, \
    twenty-seventh=27, twenty-eighth=28, twenty-ninth=29, thirtieth=30, thirty-first=31
    de: erster=1, erste=1, ersten=1, zweiten=2, dritten=3, vierten=4, fünften=5, sechsten=6, \
    siebten=7, siebenten=7, achten=8, neunten=9, zehnten=10, elften=11, zwölften=12, \
    dreizehnten=13, vierzehnten=14, fünfzehnten=15, sechzehnten=16, siebzehnten=17, \
    achtzehnten=18, neunzehnten=19, zwanzigsten=20, einundzwanzigsten=21, \
    zweiundzwanzigsten=22, dreiundzwanzigsten=23, vierundzwanzigsten=24, \
    fünfundzwanzigsten=25, sechsundzwanzigsten=26, siebenundzwanzigsten=27, \
    achtundzwanzigsten=28, neunundzwanzigsten=29, dreißigsten=30, einunddreißigsten=31
    fr: premier=1, premiers=1, vingt et un=21, vingt-deux=22, vingt-trois=23, vingt-quatre=24, \
    vingt-cinq=25, vingt-six=26, vingt-sept=27, vingt-huit=28, vingt-neuf=29, trente et un=31
    es: primero=1, primer=1, uno=1, veintiuno=21, veintidós=22, veintitrés=23, veinticuatro=24, \
    veinticinco=25, veintiséis=26, veintisiete=27, veintiocho=28, veintinueve=29, treinta y uno=31
    it: primo=1, uno=1, ventuno=21, ventidue=22, ventitré=23, ventiquattro=24, venticinque=25, \
    ventisei=26, ventisette=27, ventotto=28, ventinove=29, trentuno=31
    nl: eerste=1, tweede=2, derde=3, vierde=4, vijfde=5, zesde=6, zevende=7, achtste=8, \
    negende=9, tiende=10, elfde=11, twaalfde=12, dertiende=13, veertiende=14, vijftiende=15, \
    zestiende=16, zeventiende=17, achttiende=18, negentiende=19, twintigste=20, \
    eenentwintigste=21, tweeëntwintigste=22, drieëntwintigste=23, vierentwintigste=24, \
    vijfentwintigste=25, zesentwintigste=26, zevenentwintigste=27, achtentwintigste=28, \
    negenentwintigste=29, dertigste=30, eenendertigste=31
    pt: primeiro=1, vinte e um=21, vinte e dois=22, vinte e três=23, vinte e quatro=24, \
    vinte e cinco=25, vinte e seis=26, vinte e sete=27, vinte e oito=28, vinte e nove=29, \
    trinta e um=31
    pl: pierwszego=1, drugiego=2, trzeciego=3, czwartego=4, piątego=5, szóstego=6, siódmego=7, \
    ósmego=8, dziewiątego=9, dziesiątego=10, jedenastego=11, dwunastego=12, trzynastego=13, \
    czternastego=14, piętnastego=15, szesnastego=16, siedemnastego=17, osiemnastego=18, \
    dziewiętnastego=19, dwudziestego=20, dwudziestego pierwszego=21, dwudziestego drugiego=22, \
    dwudziestego trzeciego=23, dwudziestego czwartego=24, dwudziestego piątego=25, \
    dwudziestego szóstego=26, dwudziestego siódmego=27, dwudziestego ósmego=28, \
    dwudziestego dziewiątego=29, trzydziestego=30, trzydziestego pierwszego=31
    ru: первого=1, первое=1, второго=2, третьего=3, четвёртого=4, пятого=5, десятого=10, \
    пятнадцатого=15, двадцатого=20, двадцать пятого=25, тридцатого=30
    sv: första=1, femtonde=15
    da: første=1, femtende=15
    nb: første=1, femtende=15
    no: første=1, femtende=15
    he: בראשון=1, ראשון=1
    ar: أول=1
    """,
    // The endings of compounds with a day: the part of it, and the ending of the plural of a day.
    .dayEnding: """
    en: morning=morning, afternoon=afternoon, evening=evening, night=night
    de: früh=früh, morgen=früh, vormittag=vormittag, mittag=mittag, nachmittag=nachmittag, \
    abend=abend, nacht=nacht, morgens=morgens s, vormittags=vormittags s, mittags=mittags s, \
    nachmittags=nachmittags s, abends=abends s, nachts=nachts s
    nl: ochtend=ochtend, morgen=ochtend, middag=middag, avond=avond, nacht=nacht, \
    ochtenden=ochtend en, middagen=middag en, avonden=avond en
    sv: morgon=morgon, förmiddag=förmiddag, eftermiddag=eftermiddag, kväll=kväll, natt=natt
    da: morgen=morgen, formiddag=formiddag, eftermiddag=eftermiddag, aften=aften, nat=nat
    nb: morgen=morgen, formiddag=formiddag, ettermiddag=ettermiddag, kveld=kveld, natt=natt
    no: morgen=morgen, formiddag=formiddag, ettermiddag=ettermiddag, kveld=kveld, natt=natt
    """,
  ]
}
