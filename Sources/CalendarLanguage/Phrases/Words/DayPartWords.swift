// SPDX-License-Identifier: Apache-2.0

/// The words of times of day.
enum DayPartWords {
  static let tables: [PhraseConcept: String] = [
    // Beside an hour or a day; alone they name no hour.
    .part: """
    en: in the morning=morning, morning=morning!, in the afternoon=afternoon, afternoon=afternoon!, \
    in the evening=evening, evening=evening!, at night=night, night=night!
    de: früh=morning, morgens=morning, vormittag=morning!, vormittags=morning, am vormittag=morning, \
    nachmittag=afternoon!, nachmittags=afternoon, am nachmittag=afternoon, abend=evening!, \
    abends=evening, am abend=evening, nacht=night!, nachts=night, in der nacht=night, \
    mittags=midday, mittag=midday!, am mittag=midday, in der früh=morning
    fr: matin=morning!, du matin=morning, le matin=morning, après-midi=afternoon!, \
    de l'après-midi=afternoon, l'après-midi=afternoon, soir=evening!, du soir=evening, \
    le soir=evening, nuit=night!, de la nuit=night
    es: de la mañana=morning, por la mañana=morning, de la madrugada=morning, \
    de la tarde=afternoon, por la tarde=afternoon, tarde=afternoon!, de la noche=night, \
    por la noche=night, noche=night!, madrugada=morning!, del mediodía=midday
    it: mattina=morning!, di mattina=morning, del mattino=morning, della mattina=morning, \
    pomeriggio=afternoon!, del pomeriggio=afternoon, di pomeriggio=afternoon, sera=evening!, \
    di sera=evening, della sera=evening, notte=night!, di notte=night, della notte=night
    nl: ochtend=morning!, 's ochtends=morning, 's morgens=morning, middag=afternoon!, \
    's middags=afternoon, avond=evening!, 's avonds=evening, nacht=night!, 's nachts=night
    pt: da manhã=morning, de manhã=morning, manhã=morning!, da madrugada=morning, \
    da tarde=afternoon, à tarde=afternoon, de tarde=afternoon, tarde=afternoon!, da noite=night, \
    à noite=night, de noite=night, noite=night!
    pl: rano=morning, przed południem=morning, po południu=afternoon, popołudniu=afternoon, \
    wieczorem=evening, wieczór=evening!, w nocy=night
    ru: утра=morning, утром=morning, дня=afternoon, днём=afternoon, днем=afternoon, \
    вечера=evening, вечером=evening, ночи=night, ночью=night
    zh: 上午=morning, 早上=morning, 早晨=morning, 凌晨=morning, 中午=midday, 下午=afternoon, \
    傍晚=evening, 晚上=evening
    ja: 朝=morning, 午前=morning, 昼=midday, 午後=afternoon, 夕方=evening, 夜=evening
    ko: 오전=morning, 아침=morning, 오후=afternoon, 저녁=evening, 밤=night
    ar: صباحا=morning, صباحًا=morning, مساء=afternoon, مساءً=afternoon
    he: בבוקר=morning, אחר הצהריים=afternoon, בערב=evening, בלילה=night
    sv: morgon=morning!, på morgonen=morning, förmiddag=morning!, på förmiddagen=morning, \
    eftermiddag=afternoon!, på eftermiddagen=afternoon, kväll=evening!, på kvällen=evening, \
    natt=night!, på natten=night
    da: morgen=morning!, om morgenen=morning, formiddag=morning!, om formiddagen=morning, \
    eftermiddag=afternoon!, om eftermiddagen=afternoon, aften=evening!, om aftenen=evening, \
    nat=night!, om natten=night
    nb: morgen=morning!, om morgenen=morning, formiddag=morning!, om formiddagen=morning, \
    ettermiddag=afternoon!, om ettermiddagen=afternoon, kveld=evening!, om kvelden=evening, \
    aften=evening!, natt=night!, om natten=night
    no: morgen=morning!, om morgenen=morning, formiddag=morning!, om formiddagen=morning, \
    ettermiddag=afternoon!, om ettermiddagen=afternoon, kveld=evening!, om kvelden=evening, \
    aften=evening!, natt=night!, om natten=night
    """,
    .tonight: """
    en: tonight=evening, this morning=morning, this afternoon=afternoon, this evening=evening
    fr: ce soir=evening, ce matin=morning, cet après-midi=afternoon, cette nuit=night
    es: esta mañana=morning, esta tarde=afternoon, esta noche=night
    it: stasera=evening, stamattina=morning, stanotte=night, questa sera=evening
    nl: vanavond=evening, vanmorgen=morning, vanochtend=morning, vanmiddag=afternoon, \
    vannacht=night
    pt: esta manhã=morning, esta tarde=afternoon, esta noite=night
    sv: ikväll=evening, i kväll=evening, i natt=night, i eftermiddag=afternoon
    da: i aften=evening, i formiddag=morning, i eftermiddag=afternoon, i nat=night
    nb: i kveld=evening, i formiddag=morning, i ettermiddag=afternoon, i natt=night
    no: i kveld=evening, i formiddag=morning, i ettermiddag=afternoon, i natt=night
    """,
    .noon: """
    en: noon, midday, at noon
    de: mittag, mittags
    fr: midi, à midi
    es: mediodía, al mediodía, a mediodía
    it: mezzogiorno, a mezzogiorno
    pt: meio-dia, ao meio-dia
    pl: południe, w południe
    ru: полдень, в полдень
    zh: 正午
    ja: 正午
    ko: 정오
    """,
    .midnight: """
    en: midnight, at midnight
    de: mitternacht, um mitternacht
    fr: minuit, à minuit
    es: medianoche, a medianoche
    it: mezzanotte, a mezzanotte
    nl: middernacht, om middernacht
    pt: meia-noite, à meia-noite
    pl: północ, o północy
    ru: полночь, в полночь
    ko: 자정
    """,
    // After an hour of the clock of 24 or of 12 hours.
    .mark: """
    en: o'clock=12, oclock=12, hours=24, hrs=24
    de: uhr=24
    fr: h=24, heure=24, heures=24
    es: h=24, hs=24, horas=24, hora=24
    it: h=24
    nl: uur=24, u=24
    pt: h=24, hora=24, horas=24
    pl: h=24, godz=24
    ru: ч=24, час=12, часа=12, часов=24
    zh: 点=12, 點=12, 时=24, 時=24, 点钟=12
    ja: 時=24
    ko: 시=12, 시에=12
    """,
    .particle: """
    pl: r, roku, br
    ru: г
    zh: 分, 钟
    ja: 分, に, の, まで
    ko: 분, 에, 까지, 분에
    de: uhr
    nl: uur
    """,
  ]
}
