// SPDX-License-Identifier: Apache-2.0

/// Words at the edge between dates and titles.
enum TitleWords {
  static let tables: [PhraseConcept: String] = [
    // Beside a date, they make it unclear; fractions also before an hour.
    .vague: """
    en: before, after, since, around, about, half=fraction, quarter=fraction, past, early, late, later, soon, \
    tonight, am, pm, a.m., p.m., next, this, last, previous, coming, fortnight, ago, sharp, \
    times, o'clock, hours, midnight, noon, approx, approximately, roughly, ca, circa, lunchtime, \
    teatime, dinnertime, bedtime, eod, eow, cob, hourly, \
    mornings, evenings, onward, onwards, forever, indefinitely, twice, thrice, at the latest, \
    per hour, per day, per week, per month, per year, for a while, for the whole, eom, \
    following, upcoming
    de: vor, nach, seit, gegen, halb=fraction, halbe=fraction, viertel=fraction, dreiviertel=fraction, spät, später, bald, mittag, lang, \
    nächste, nächsten, nächster, nächstes, diese, diesen, letzte, letzten, mal, uhr, morgen, ca, circa, zirka, ungefähr, etwa, feierabend, stündlich, \
    allabendlich, allmorgendlich, pünktlich, c.t, s.t, drauf, darauf, danach, \
    folgenden, darauffolgenden
    fr: avant, après, vers, depuis, demi=fraction, demie=fraction, quart=fraction, tôt, tard, bientôt, prochain, prochaine, \
    dernier, dernière, fois, heures, h, midi, minuit, environ, pile, précise, précises, suivant, suivante, qui vient, \
    d'après, aprem, l'aprem
    es: antes, después, sobre, media=fraction, cuarto=fraction, pronto, próximo, próxima, pasado, pasada, viene, que viene, \
    veces, horas, mediodía, medianoche, mañana, aproximadamente, hacia, alrededor, en punto, siguiente
    it: prima, dopo, verso, mezza=fraction, mezzo=fraction, quarto=fraction, presto, tardi, prossimo, prossima, scorso, \
    scorsa, volte, ore, mezzogiorno, mezzanotte, circa, in punto, seguente, successivo, successiva, che viene
    nl: voor, na, rond, half=fraction, kwart=fraction, vroeg, laat, straks, volgende, vorige, deze, keer, uur, \
    middernacht, lang, ongeveer, omstreeks, circa, ca, stipt, erop, daarna
    pt: antes, depois, cerca, meia=fraction, quarto=fraction, cedo, próximo, próxima, passado, passada, vezes, \
    horas, meio-dia, meia-noite, que vem, aproximadamente, em ponto, seguinte
    pl: przed, po, około, wpół=fraction, kwadrans=fraction, wcześnie, późno, wkrótce, przyszły, przyszłą, \
    następny, zeszły, razy, godz, południe, północ, koło, punktualnie, przez tydzień, przez miesiąc, przez rok, \
    kolejną, kolejny, kolejne
    """,
    // Alone, they are more often no date.
    .ordinary: """
    en: may, march, april, june, august, jan, mar
    de: mai, jan
    fr: mars, mai, mar, mer, jeu, sam, mon
    es: mar, abril, may
    it: mar, set, ora
    nl: mei
    pt: mar, abril, set, out, dom, ter, mai
    pl: maj, lis, mar, lip
    ja: 朝, 昼, 夜
    ko: 아침, 저녁, 밤
    """,
    .companion: """
    en: with, mr, mrs, ms
    de: mit, herr, herrn, frau
    fr: avec, chez, monsieur, madame
    es: con, señor, señora
    it: con, signor, signora
    nl: met, meneer, mevrouw
    pt: com, senhor, senhora
    pl: z, ze, pan, panem, pani, panią
    """,
    // More than one letter differs.
    .misspelling: """
    en: tmrw=tomorrow, tmr=tomorrow, tmw=tomorrow, tmrow=tomorrow, tomoz=tomorrow, \
    tommorow=tomorrow, tommorrrow=tomorrow, tomarow=tomorrow, wensday=wednesday, wendsday=wednesday, \
    wendesday=wednesday, wednsday=wednesday, satday=saturday, thrusday=thursday, febuary=february
    """,
    // Names and other words that differ from a day or a month in one letter.
    .lookalike: """
    en: marco, marcos, marcy, marci, marcel, marsh, marche, marcha, starch, larch, aprile, avril, \
    augusta, augusto, augustus, frida, sundry, maria, marie, marta, mario, marka, julia, julie, julian, tours, \
    match, mayor, munch, toda, todos
    de: heure, leute, beute, meute, häute, leuten, montage, western, gesten, morgan, sorgen, borgen, marie, \
    juliane, frettag
    fr: hardi, tardi, maria, marni, demande, romain, lundy, marche, marcel
    es: partes, artes, mares, marte, cartes, jueces, género, marco, mario, maria, marta, abrir, \
    junior, julia, julie, lunas, martas, dominga, domingos, mazo, mañanero, cuarzo
    it: marco, mario, marzia, marzio, domenico, romani, gennaro, aprire, aprite, maggie, saggio, faggio, raggio, \
    baggio, foglio, martedi, figlio, luglia
    nl: kaart, taart, vaart, waart, morgan, zorgen, borgen, sorgen, maarten, augusta, maarts
    pt: terra, cerca, terço, merca, quinto, sexto, sesta, festa, barco, marca, marcos, abrir, contem, \
    marta, julio, julia, cinta, pinta
    pl: futro, broda, worek, robota, marta, maria, marka, marco, barca, statek, wątek, marki, marca, \
    cierpień, środek
    ru: завтрак, завтрака, завтраки, вечера, марта, марфа, работа, среди
    sv: augusta
    """,
    .shortDay: """
    en: mo=MO, tu=TU, we=WE, th=TH, fr=FR, sa=SA, su=SU, m=MO, t=TU, w=WE, f=FR
    es: l=MO, m=TU, x=WE, j=TH, v=FR, s=SA, d=SU
    fr: l=MO, j=TH, v=FR, s=SA, d=SU
    it: l=MO, g=TH, v=FR, s=SA, d=SU
    pl: pn=MO, wt=TU, śr=WE, cz=TH, pt=FR, so=SA, nd=SU
    """,
    .zoneAbbreviation: """
    en: est, edt, cst, cdt, mdt, pst, pdt, akst, akdt, hst, cet, cest, wet, eet, eest, bst, ist, \
    jst, kst, msk, sgt, hkt, aest, aedt, acst, awst, nzst, nzdt, sast, brt, mez, mesz, est., \
    mst, met, west, et=upper, ct=upper, mt=upper, pt=upper, eastern=last, pacific=last
    """,
  ]
}
