// SPDX-License-Identifier: Apache-2.0

/// The words of repetitions.
enum RepetitionWords {
  static let tables: [PhraseConcept: String] = [
    // Weak ones are exceptions only before a date.
    .except: """
    en: except, excepting, excluding, but not, apart from, other than, without=weak, not=weak, \
    but=weak, skip=weak, skipping=weak, minus=weak, unless=weak, save=weak, no=weak
    de: außer, ausser, ausgenommen, mit ausnahme, aber nicht, bis auf=weak, ohne=weak, nicht=weak, \
    kein=weak, nur nicht
    fr: sauf, excepté, hormis, à l'exception, mais pas, sans=weak, pas=weak
    es: excepto, salvo, a excepción, con excepción, pero no, menos=weak, sin=weak, no=weak
    it: eccetto, tranne, salvo, a eccezione, ad eccezione, ma non, senza=weak, non=weak, meno=weak
    nl: behalve, uitgezonderd, met uitzondering, maar niet, zonder=weak, niet=weak
    pt: exceto, salvo, com exceção, mas não, menos=weak, sem=weak, não=weak, fora=weak
    pl: oprócz, z wyjątkiem, prócz, ale nie, bez=weak, poza=weak, nie=weak
    """,
    // Some also mean "all".
    .every: """
    en: every, each
    de: jeder, jede, jeden, jedes, jedem, alle=all, aller=all, an jedem, jeweils, jeweils am, \
    jeweils zum, immer=all, immer am=all, immer zum=all
    fr: chaque, tous les=all, toutes les=all
    es: cada, todos los=all, todas las=all
    it: ogni, tutti i=all, tutte le=all, tutti gli=all
    nl: elke, elk, iedere, ieder, om de=other
    pt: cada, a cada, todo=all, toda=all, todos os=all, todas as=all, todo o=all, toda a=all
    pl: co=all, każdy, każda, każde, każdą, każdego, w każdy, w każdą, w każde, we każdy
    ru: каждый, каждую, каждое, каждые, каждого
    zh: 每
    ja: 毎
    ko: 매
    he: כל=all, לכל=all
    sv: varje
    da: hver, hvert
    nb: hver, hvert
    no: hver, hvert
    ar: كل=all
    """,
    // The word after "every" for an interval of two.
    .other: """
    en: other, second
    de: zweite, zweiten, zweiter, zweites, andere, anderen
    fr: deuxième, deuxièmes, second, seconde
    es: dos, segundo, segunda
    it: due, secondo, seconda
    nl: andere, tweede, twee
    pt: duas, dois
    pl: drugi, drugą, drugie
    ru: второй, вторую, второе
    """,
    // The interval and the unit, or the days of the week.
    .adverb: """
    en: daily=1d, weekly=1w, biweekly=2w, bi-weekly=2w, fortnightly=2w, monthly=1m, bimonthly=?, \
    biannually=?, semiannually=6m, semi-annually=6m, biennially=2y, \
    quarterly=3m, yearly=1y, annually=1y, weekdays=MO TU WE TH FR, on weekdays=MO TU WE TH FR, \
    workdays=MO TU WE TH FR, on workdays=MO TU WE TH FR, business days=MO TU WE TH FR, \
    on business days=MO TU WE TH FR, working days=MO TU WE TH FR, on working days=MO TU WE TH FR, weekends=SA SU, on weekends=SA SU, everyday=1d, \
    nightly=1d
    de: täglich=1d, wöchentlich=1w, vierzehntäglich=2w, vierzehntägig=2w, 14-tägig=2w, \
    14-täglich=2w, zweiwöchentlich=2w, zweiwöchig=2w, dreiwöchentlich=3w, monatlich=1m, \
    vierteljährlich=3m, quartalsweise=3m, halbjährlich=6m, \
    jährlich=1y, werktags=MO TU WE TH FR, wochentags=MO TU WE TH FR, \
    an werktagen=MO TU WE TH FR, an wochentagen=MO TU WE TH FR, an arbeitstagen=MO TU WE TH FR, \
    werktäglich=MO TU WE TH FR, arbeitstäglich=MO TU WE TH FR, an wochenenden=SA SU
    fr: quotidiennement=1d, quotidien=1d, quotidienne=1d, hebdomadairement=1w, hebdomadaire=1w, \
    mensuellement=1m, mensuel=1m, mensuelle=1m, annuellement=1y, annuel=1y, annuelle=1y, jours ouvrés=MO TU WE TH FR, \
    les jours ouvrés=MO TU WE TH FR, en semaine=MO TU WE TH FR
    es: diariamente=1d, a diario=1d, semanalmente=1w, quincenalmente=2w, quincenal=2w, \
    mensualmente=1m, anualmente=1y, diario=1d, semanal=1w, mensual=1m, anual=1y, los días laborables=MO TU WE TH FR, \
    en días laborables=MO TU WE TH FR, días laborables=MO TU WE TH FR, \
    los días hábiles=MO TU WE TH FR, en días hábiles=MO TU WE TH FR, \
    los días de semana=MO TU WE TH FR, entre semana=MO TU WE TH FR
    it: giornalmente=1d, quotidianamente=1d, settimanalmente=1w, mensilmente=1m, annualmente=1y, \
    a settimane alterne=2w, nei giorni lavorativi=MO TU WE TH FR, \
    giorni lavorativi=MO TU WE TH FR, i giorni lavorativi=MO TU WE TH FR
    nl: dagelijks=1d, wekelijks=1w, tweewekelijks=2w, maandelijks=1m, jaarlijks=1y, \
    doordeweeks=MO TU WE TH FR, op werkdagen=MO TU WE TH FR, werkdagen=MO TU WE TH FR, \
    door de week=MO TU WE TH FR, op weekdagen=MO TU WE TH FR
    pt: diariamente=1d, semanalmente=1w, quinzenalmente=2w, quinzenal=2w, mensalmente=1m, anualmente=1y, \
    nos dias úteis=MO TU WE TH FR, em dias úteis=MO TU WE TH FR, aos dias úteis=MO TU WE TH FR, \
    dias úteis=MO TU WE TH FR, em dias de semana=MO TU WE TH FR, nos dias de semana=MO TU WE TH FR
    pl: codziennie=1d, tygodniowo=1w, miesięcznie=1m, rocznie=1y, co dzień=1d, cotygodniowo=1w, comiesięcznie=1m, corocznie=1y, \
    w dni robocze=MO TU WE TH FR, w dni powszednie=MO TU WE TH FR, dni robocze=MO TU WE TH FR
    ru: раз в две недели=2w, раз в 2 недели=2w, через день=2d, ежедневно=1d, еженедельно=1w, ежемесячно=1m, ежегодно=1y
    he: כל שבועיים=2w, אחת לשבועיים=2w, כל יומיים=2d
    ar: كل أسبوعين=2w, كل يومين=2d
    zh: 隔周=2w, 隔週=2w, 每两周=2w, 每兩週=2w, 每隔一周=2w, 隔天=2d, 每天=1d, 每日=1d, 每周=1w, 每星期=1w, 每月=1m, 每年=1y, 工作日=MO TU WE TH FR
    ja: 隔週=2w, 二週間ごと=2w, 隔日=2d, 毎日=1d, 毎週=1w, 毎月=1m, 毎年=1y, 平日=MO TU WE TH FR
    ko: 격주=2w, 격주로=2w, 격일=2d, 매일=1d, 매주=1w, 매월=1m, 매달=1m, 매년=1y, 평일=MO TU WE TH FR
    """,
    .plural: """
    en: mondays=MO, tuesdays=TU, wednesdays=WE, thursdays=TH, fridays=FR, saturdays=SA, sundays=SU
    de: montags=MO, dienstags=TU, mittwochs=WE, donnerstags=TH, freitags=FR, samstags=SA, \
    sonnabends=SA, sonntags=SU
    fr: lundis=MO, mardis=TU, mercredis=WE, jeudis=TH, vendredis=FR, samedis=SA, dimanches=SU
    es: los lunes=MO, los martes=TU, los miércoles=WE, los jueves=TH, los viernes=FR, \
    los sábados=SA, los domingos=SU, sábados=SA, domingos=SU
    it: sabati=SA, domeniche=SU, i lunedì=MO, i martedì=TU, i mercoledì=WE, i giovedì=TH, \
    i venerdì=FR, i sabati=SA, le domeniche=SU
    nl: maandags=MO, dinsdags=TU, woensdags=WE, donderdags=TH, vrijdags=FR, zaterdags=SA, \
    zondags=SU, 's maandags=MO, 's woensdags=WE, maandagen=MO, dinsdagen=TU, woensdagen=WE, \
    donderdagen=TH, vrijdagen=FR, zaterdagen=SA, zondagen=SU
    pt: segundas=MO, terças=TU, quartas=WE, quintas=TH, sextas=FR, sábados=SA, domingos=SU, \
    segundas-feiras=MO, terças-feiras=TU, quartas-feiras=WE, quintas-feiras=TH, sextas-feiras=FR, \
    às segundas=MO, às terças=TU, às quartas=WE, às quintas=TH, às sextas=FR, aos sábados=SA, \
    aos domingos=SU
    pl: poniedziałki=MO, wtorki=TU, środy=WE, czwartki=TH, piątki=FR, soboty=SA, niedziele=SU, \
    poniedziałkami=MO, wtorkami=TU, środami=WE, czwartkami=TH, piątkami=FR, sobotami=SA, \
    niedzielami=SU
    """,
    .times: """
    en: times, x, occurrences
    de: mal
    fr: fois
    es: veces
    it: volte
    nl: keer, maal
    pt: vezes
    pl: razy
    ru: раз
    """,
    .weekend: """
    en: weekend
    de: wochenende
    fr: week-end, weekend
    es: fin de semana
    it: fine settimana, weekend
    nl: weekend, weekeinde
    pt: fim de semana
    pl: weekend
    """,
    .nearAfter: """
    fr: qui vient=1
    es: que viene=1, próximo=1, próxima=1
    it: che viene=1
    nl: aanstaande=1, a.s.=1
    pt: que vem=1, próximo=1, próxima=1
    """,
    .nearWeekend: """
    en: at the weekend=0, on the weekend=0, over the weekend=0
    de: am wochenende=0, übers wochenende=0
    fr: ce week-end=0, ce weekend=0, week-end prochain=1, weekend prochain=1, \
    le week-end prochain=1, le weekend prochain=1
    es: el fin de semana que viene=1, fin de semana que viene=1, fin de semana próximo=1
    it: nel fine settimana=0, nel weekend=0, fine settimana prossimo=1, weekend prossimo=1, \
    il fine settimana prossimo=1, il weekend prossimo=1
    nl: in het weekend=0
    pt: no fim de semana=0, fim de semana que vem=1, no fim de semana que vem=1
    pl: w weekend=0, w przyszły weekend=1
    """,
    // The days of a working week after "every".
    .workday: """
    en: weekday, workday, working day, business day
    de: werktag, wochentag, arbeitstag
    fr: jour ouvrable, jours ouvrables, jour ouvré, jours ouvrés
    es: día laborable, días laborables, día hábil, días hábiles
    it: giorno feriale, giorni feriali, giorno lavorativo, giorni lavorativi
    nl: werkdag, weekdag
    pt: dia útil, dias úteis
    pl: dzień roboczy
    """,
  ]
}
