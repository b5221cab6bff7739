// SPDX-License-Identifier: Apache-2.0

/// Words that beside a date have a meaning which no phrase has.
///
/// Those with the value `near` only have it directly beside a date, those with `after` directly after
/// it, `counted` ones behind a number, and `number` ones before one.
enum UnreadWords {
  static let tables: [PhraseConcept: String] = [
    .unread: """
    en: in a bit, in a while, once in a while, every now and then, now and then, before long, \
    before too long, over the bank holiday, at half term, for half term, one of these days, \
    once in a blue moon, week after next, month after next, weekend after next, year after next, couple of hours, few hours, several hours, couple of minutes, few minutes, several minutes, \
    at sunset=after, at sunrise=after, at dusk=after, at dawn=after, at lunch=after, at lunchtime=after, at breakfast=after, \
    eve=after, and a day=after, and a half=after, next weekday, next workday, next working day, next business day, one-hour, two-hour, three-hour, half-day, only twice, only once, wkly, rpt, week commencing, \
    w/c, alarm=number, alarms=number, remind=number, remind me=number, reminder=number, alert=number, \
    nights=counted, repeats=near, repeat=near, repeating=near, recurring=near, in the new year, once school, from now, noonish, first thing=near, after lunch, before lunch, \
    after work, before work, sometime=near, some time=near, all next=near, all week, all month, all weekend, \
    whole=near, full day=near, inclusive=near, right now, during the week, midweek, unless=near, while=near, weeks' time, \
    days' time, months' time, week's time, day's time, month's time, weeks time, days time, \
    of the month=after, of each month=after, of every month=after, business hours, over the holidays, \
    during the holidays, in the holidays, over the summer, over the winter, for the summer, \
    for the winter, for the season, until further notice
    de: von zeit zu zeit, ab und zu, hin und wieder, alle jubeljahre, nach den ferien, vor den ferien, \
    nach den weihnachtsferien, nach den sommerferien, bis dienstschluss, bis feierabend, \
    zum halbjahr, bei gelegenheit, im neuen jahr, irgendwann=near, paar stunden, paar minuten, mehrere stunden, zweistündig, dreistündig, einstündig, \
    arbeitstage=counted, arbeitstagen=counted, werktage=counted, werktagen=counted, halbtägig, wtl, wöchentl, jew, weihnachtstag, weihnachtsfeiertag, eines monats=after, d=near, wecker=number, erinnerung=number, alarm=number, nächte=counted, noch=near, in den ferien, in den sommerferien, in den winterferien, in den herbstferien, \
    in den osterferien, während der ferien, außerhalb der ferien, außer in den ferien, solange=near, \
    in ein paar, in einigen, in wenigen, halben jahr, monatsersten, monatsletzten, die ganze=near, \
    den ganzen=near, das ganze=near, der ganzen=near, die ganzen=near, ganze woche=near, ganzen tag=near, am frühen, am späten, \
    unter der woche, an schultagen, bis auf weiteres, einschließlich=near, inklusive=near, in der ferienzeit, \
    die nächsten zwei, die nächsten drei, die nächsten vier, die nächsten fünf, die nächsten sechs, \
    die kommenden zwei, die kommenden drei, die kommenden vier, dienstage, mittwoche, donnerstage, \
    freitage, samstage, sonntage, des monats=after, jeden monats=after, im halben, ein halbes jahr, falls=near, sofern=near
    fr: de temps en temps, tout à l'heure, dans la quinzaine, sous huitaine, sous quinzaine, \
    à la rentrée, un de ces jours, un de ces quatre, quelques heures, quelques minutes, hebdo, en soirée, en matinée, dans la soirée, \
    dans la matinée, dans la journée, rappel=number, alarme=number, nuits=counted, jours ouvrables, pendant la semaine, de la semaine=after, hors vacances, hors des vacances, \
    pendant les vacances, aux vacances, aux examens, aux alentours, à compter, inclus=near, \
    inclusivement, compris=near, de bonne heure, en fin de, en début de, toute la=near, toute l'année, \
    tout le=near, tout lundi, tout mardi, tout mercredi, tout jeudi, tout vendredi, tout samedi, \
    tout dimanche, trimestriel, trimestrielle, bimestriel, bimestrielle, semestriel, semestrielle, \
    bimensuel, bimensuelle, bihebdomadaire, jusqu'aux, jusqu'en, du mois=after, de chaque mois=after, \
    aux environs, tant que=near, sauf si
    es: de vez en cuando, en un ratito, en un rato, este finde, el finde, de aquí a, \
    uno de estos días, un día de estos, a la vuelta, par de horas, algunas horas, unas horas, aviso=number, alarma=number, recordatorio=number, noches=counted, durante la semana, a eso de, hacia las, hacia la, sobre las, sobre la, a primera hora, \
    a última hora, temprano=near, inclusive=near, incluido=near, todo el=near, toda la=near, trimestral, bimestral, \
    semestral, hora peninsular, hora canaria, peninsular=near, del mes=after, de cada mes=after, los días=near, \
    en vacaciones, durante las vacaciones, mientras=near, a principios, a finales
    it: ogni tanto, di tanto in tanto, tra poco, fra poco, uno di questi giorni, \
    la settimana dopo la prossima, ogni tot, dopo le feste, paio d'ore, paio di ore, qualche ora, alcune ore, avviso=number, promemoria=number, allarme=number, notti=counted, giorni feriali, durante la settimana, in settimana, a partire=near, intorno alle, intorno alla, \
    intorno a, verso le, verso la, verso l'una, in mattinata, in serata, in giornata, nel tardo, \
    sul tardi, sul presto, compreso=near, compresa=near, inclusivo=near, incluso=near, tutto il=near, tutta la=near, tutto lunedì, \
    tutto martedì, tutto mercoledì, tutto giovedì, tutto venerdì, tutto sabato, tutta domenica, \
    la settimana prossima, settimana prossima, mensile, settimanale, trimestrale, annuale=near, \
    bimestrale, semestrale, bisettimanale, quindicinale, giornaliero, giornaliera, quotidiano=near, \
    quotidiana=near, per tutto=near, per tutta=near, all'una, dall'una, del mese=after, di ogni mese=after, in vacanza, \
    durante le vacanze, finché=near
    nl: zo meteen, zo nu en dan, af en toe, een dezer dagen, na de vakantie, paar uur, enkele uren, vóór=near, herinnering=number, alarm=number, nachten=counted, de hele=near, hele dag=near, hele week=near, inclusief=near, in de vakantie, tijdens de vakantie, \
    buiten de vakantie, van de maand=after, van elke maand=after, in de loop, zolang=near, 's avonds laat, \
    driemaandelijks, driemaandelijkse, wekelijkse, maandelijkse, jaarlijkse, dagelijkse
    pt: de vez em quando, um dia destes, daqui a bocado, daqui a pouco, na próxima quinzena, \
    dia sim, lá mais para a frente, na semana a seguir, algumas horas, par de horas, umas horas, lembrete=number, alarme=number, aviso=number, noites=counted, durante a semana, por volta, lá pelas, lá pela, umas=near, inclusive=near, incluído=near, todo o=near, semanal, \
    mensal, trimestral, anual=near, bimestral, semestral, diário=near, diária=near, do mês=after, de cada mês, \
    os dias=near, nos dias=near, de manhã cedo, cedinho=near, nas férias, durante as férias, enquanto=near
    pl: od czasu do czasu, za chwilkę, za chwilę, któregoś dnia, raz na kwartał, za pół roku, \
    końcem roku, końca roku, koniec roku, w ciągu tygodnia, w okolicach=near, kilka godzin, parę godzin, pierwszego dnia, przypomnienie=number, alarm=number, noce=counted, nocy=counted, w tygodniu=near, z samego rana, skoro świt, włącznie=near, cały=near, całą=near, całe=near, całego=near, cała=near, poza świętami, \
    w ferie=near, w wakacje, poza wakacjami, miesiąca=after, każdego miesiąca=after, dopóki=near, ok=near, \
    cotygodniowy, cotygodniowe, cotygodniowa, comiesięczny, comiesięczne, comiesięczna, \
    coroczny, coroczne, coroczna, codzienny, codzienne, codzienna, kwartalny, kwartalne, kwartalna, \
    przez zimę, przez lato, pierwszego=near, trzeciego=near, piątego=near, dziesiątego=near, piętnastego=near, dwudziestego=near, \
    ostatniego=near
    """
  ]
}
