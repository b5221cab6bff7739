// SPDX-License-Identifier: Apache-2.0

/// The words of days, units and numbers.
enum CalendarWords {
  static let tables: [PhraseConcept: String] = [
    .weekday: """
    de: sonnabend=SA
    nl: zondag=SU
    pt: segunda=MO, terça=TU, quarta=WE, quinta=TH, sexta=FR, seg=MO, ter=TU, qua=WE, qui=TH, \
    sex=FR, sáb=SA, dom=SU
    pl: poniedziałku=MO, wtorku=TU, środę=WE, środy=WE, czwartku=TH, piątku=FR, sobotę=SA, \
    soboty=SA, niedzielę=SU, niedzieli=SU
    ru: понедельника=MO, вторника=TU, среду=WE, среды=WE, четверга=TH, пятницу=FR, пятницы=FR, \
    субботу=SA, субботы=SA, воскресенья=SU
    zh: 礼拜一=MO, 礼拜二=TU, 礼拜三=WE, 礼拜四=TH, 礼拜五=FR, 礼拜六=SA, 礼拜天=SU, 周天=SU, \
    星期天=SU
    ja: 月曜=MO, 火曜=TU, 水曜=WE, 木曜=TH, 金曜=FR, 土曜=SA, 日曜=SU
    ko: 월요일에=MO, 화요일에=TU, 수요일에=WE, 목요일에=TH, 금요일에=FR, 토요일에=SA, 일요일에=SU
    ar: الإثنين=MO, اثنين=MO, ثلاثاء=TU, أربعاء=WE, خميس=TH, جمعة=FR, سبت=SA, أحد=SU
    he: ביום שני=MO, ביום שלישי=TU, ביום רביעי=WE, ביום חמישי=TH, ביום שישי=FR, בשבת=SA, \
    ביום ראשון=SU
    """,
    .month: """
    de: jän=1, feber=2
    he: בינואר=1, בפברואר=2, במרץ=3, באפריל=4, במאי=5, ביוני=6, ביולי=7, באוגוסט=8, \
    בספטמבר=9, באוקטובר=10, בנובמבר=11, בדצמבר=12
    """,
    // Before a weekday or a unit: the distance from the current one.
    .near: """
    en: next but one=2
    de: nächste=1, nächsten=1, nächster=1, nächstes=1, kommende=1, kommenden=1, kommender=1, \
    übernächste=2, übernächsten=2, übernächster=2, übernächstes=2, diese=0, diesen=0, dieser=0, dieses=0, letzte=-1, letzten=-1, letzter=-1, letztes=-1
    es: próximo=1, próxima=1, este=0, esta=0
    it: prossimo=1, prossima=1, questo=0, questa=0
    nl: volgende=1, volgend=1, aanstaande=1, komende=1, komend=1, deze=0, dit=0, vorige=-1, vorig=-1
    pt: próximo=1, próxima=1, este=0, esta=0
    pl: przyszły=1, przyszłą=1, przyszłe=1, następny=1, następną=1, następne=1, najbliższy=1, \
    najbliższą=1, ten=0, tę=0, to=0
    ru: следующий=1, следующую=1, следующее=1, этот=0, эту=0, это=0
    """,
    .day: """
    nl: eergisteren=-2, gister=-1
    sv: idag=0, imorgon=1, igår=-1, övermorgon=2
    da: imorgen=1, idag=0, overmorgen=2
    nb: imorgen=1, idag=0, overmorgen=2
    no: imorgen=1, idag=0, overmorgen=2
    pl: dziś=0
    ar: غدا=1, بكرة=1
    ja: あした=1, あす=1, あさって=2
    """,
    .unit: """
    de: minute=minute, minuten=minute, std=hour, stunde=hour, stunden=hour, tag=day, tage=day, \
    tagen=day, woche=week, wochen=week, monat=month, monate=month, monaten=month, monats=month, jahr=year, \
    jahre=year, jahren=year, jahres=year, tages=day
    fr: minute=minute, minutes=minute, heure=hour, heures=hour, jour=day, jours=day, \
    semaine=week, semaines=week, mois=month, an=year, ans=year, année=year, années=year, \
    l'année=year, l'an=year
    es: minuto=minute, minutos=minute, hora=hour, horas=hour, día=day, días=day, semana=week, \
    semanas=week, mes=month, meses=month, año=year, años=year
    it: minuto=minute, minuti=minute, ora=hour, ore=hour, giorno=day, giorni=day, un'ora=hour, \
    settimana=week, settimane=week, mese=month, mesi=month, anno=year, anni=year, \
    dell'anno=year, l'anno=year
    nl: minuut=minute, minuten=minute, uur=hour, uren=hour, dag=day, dagen=day, week=week, \
    weken=week, maand=month, maanden=month, jaar=year, jaren=year
    pt: minuto=minute, minutos=minute, hora=hour, horas=hour, dia=day, dias=day, semana=week, \
    semanas=week, mês=month, meses=month, ano=year, anos=year
    pl: minuta=minute, minutę=minute, minuty=minute, minut=minute, godzina=hour, godzinę=hour, \
    godziny=hour, godzin=hour, dzień=day, dni=day, tydzień=week, tygodnie=week, tygodni=week, \
    tygodniu=week, miesiąc=month, miesiąca=month, miesiącu=month, miesiące=month, miesięcy=month, rok=year, lata=year, lat=year
    ru: минуту=minute, минуты=minute, минут=minute, час=hour, часа=hour, часов=hour, день=day, \
    дня=day, дней=day, неделю=week, недели=week, недель=week, месяц=month, месяца=month, \
    месяцев=month, год=year, года=year, лет=year
    he: יום=day, שבוע=week, חודש=month, שנה=year
    sv: dag=day, dagar=day, vecka=week, veckor=week, månad=month, månader=month, år=year
    da: dag=day, dage=day, uge=week, uger=week, måned=month, måneder=month, år=year
    nb: dag=day, dager=day, uke=week, uker=week, måned=month, måneder=month, år=year
    no: dag=day, dager=day, uke=week, uker=week, måned=month, måneder=month, år=year
    ar: يوم=day, أسبوع=week, شهر=month, سنة=year
    """,
    .units: """
    en: weeks, months, years, days
    de: wochen, monate, monaten, jahre, jahren, tage, tagen
    fr: semaines, ans, années, jours
    es: semanas, meses, años, días
    it: settimane, mesi, anni, giorni
    nl: weken, maanden, jaren, dagen
    pt: semanas, meses, anos, dias
    pl: tygodnie, tygodni, miesiące, miesięcy, lata, lat, dni
    """,
    .number: """
    en: one=1, two=2, three=3, four=4, five=5, six=6, seven=7, eight=8, nine=9, ten=10, \
    eleven=11, twelve=12, thirteen=13, fourteen=14, fifteen=15, sixteen=16, seventeen=17, \
    eighteen=18, nineteen=19, twenty=20, thirty=30, forty=40, forty-five=45, \
    forty five=45, fifty=50, sixty=60, ninety=90
    de: ein=1, eine=1, einen=1, einem=1, einer=1, zwei=2, drei=3, vier=4, fünf=5, sechs=6, \
    sieben=7, acht=8, neun=9, zehn=10, elf=11, zwölf=12, dreizehn=13, vierzehn=14, fünfzehn=15, \
    sechzehn=16, siebzehn=17, achtzehn=18, neunzehn=19, zwanzig=20, dreißig=30, \
    dreissig=30, vierzig=40, fünfundvierzig=45, fünfzig=50, sechzig=60, neunzig=90
    fr: un=1, une=1, deux=2, trois=3, quatre=4, cinq=5, six=6, sept=7, huit=8, neuf=9, dix=10, \
    onze=11, douze=12, treize=13, quatorze=14, quinze=15, seize=16, dix-sept=17, dix-huit=18, \
    dix-neuf=19, vingt=20, trente=30, quarante=40, quarante-cinq=45, \
    cinquante=50, soixante=60, quatre-vingt-dix=90
    es: un=1, una=1, dos=2, tres=3, cuatro=4, cinco=5, seis=6, siete=7, ocho=8, nueve=9, \
    diez=10, once=11, doce=12, trece=13, catorce=14, quince=15, dieciséis=16, diecisiete=17, \
    dieciocho=18, diecinueve=19, veinte=20, treinta=30, cuarenta=40, \
    cuarenta y cinco=45, cincuenta=50, sesenta=60, noventa=90
    it: un=1, una=1, un'=1, due=2, tre=3, quattro=4, cinque=5, sei=6, sette=7, otto=8, nove=9, \
    dieci=10, undici=11, dodici=12, tredici=13, quattordici=14, quindici=15, sedici=16, \
    diciassette=17, diciotto=18, diciannove=19, venti=20, trenta=30, quaranta=40, \
    quarantacinque=45, cinquanta=50, sessanta=60, novanta=90
    nl: een=1, één=1, twee=2, drie=3, vier=4, vijf=5, zes=6, zeven=7, acht=8, negen=9, tien=10, \
    elf=11, twaalf=12, dertien=13, veertien=14, vijftien=15, zestien=16, zeventien=17, \
    achttien=18, negentien=19, twintig=20, dertig=30, veertig=40, vijfenveertig=45, \
    vijftig=50, zestig=60, negentig=90
    pt: um=1, uma=1, dois=2, duas=2, três=3, quatro=4, cinco=5, seis=6, sete=7, oito=8, nove=9, \
    dez=10, onze=11, doze=12, treze=13, quatorze=14, catorze=14, quinze=15, dezesseis=16, dezasseis=16, \
    dezessete=17, dezassete=17, dezoito=18, dezenove=19, dezanove=19, vinte=20, trinta=30, quarenta=40, \
    quarenta e cinco=45, cinquenta=50, sessenta=60, noventa=90
    pl: jeden=1, jedną=1, dwa=2, dwie=2, trzy=3, cztery=4, pięć=5, sześć=6, siedem=7, osiem=8, \
    dziewięć=9, dziesięć=10, jedenaście=11, dwanaście=12, trzynaście=13, czternaście=14, \
    piętnaście=15, szesnaście=16, siedemnaście=17, osiemnaście=18, dziewiętnaście=19, dwadzieścia=20, \
    trzydzieści=30, czterdzieści=40, czterdzieści pięć=45, pięćdziesiąt=50, sześćdziesiąt=60, \
    dziewięćdziesiąt=90
    ru: один=1, одну=1, два=2, две=2, три=3, четыре=4, пять=5, шесть=6, семь=7, восемь=8, девять=9, \
    десять=10
    """,
    .ordinal: """
    en: first=1, second=2, third=3, fourth=4, fifth=5, last=-1, \
    penultimate=-2, second last=-2, second to last=-2, last but one=-2
    de: erster=1, erste=1, ersten=1, erstes=1, zweiter=2, zweite=2, zweiten=2, dritter=3, \
    dritte=3, dritten=3, vierter=4, vierte=4, vierten=4, fünfter=5, fünfte=5, fünften=5, \
    letzter=-1, letzte=-1, letzten=-1, vorletzter=-2, vorletzte=-2, vorletzten=-2
    fr: premier=1, première=1, premiers=1, deuxième=2, deuxièmes=2, second=2, troisième=3, \
    troisièmes=3, quatrième=4, cinquième=5, dernier=-1, dernière=-1, derniers=-1, \
    avant-dernier=-2, avant-dernière=-2
    es: primer=1, primero=1, primera=1, segundo=2, tercer=3, tercero=3, cuarto=4, quinto=5, \
    último=-1, última=-1, penúltimo=-2, penúltima=-2
    it: primo=1, prima=1, secondo=2, seconda=2, terzo=3, terza=3, quarto=4, quinto=5, \
    ultimo=-1, ultima=-1, l'ultimo=-1, l'ultima=-1, all'ultimo=-1, penultimo=-2, penultima=-2
    nl: eerste=1, tweede=2, derde=3, vierde=4, vijfde=5, laatste=-1, voorlaatste=-2
    pt: primeiro=1, primeira=1, segundo=2, terceiro=3, terceira=3, quarto=4, quinto=5, \
    último=-1, última=-1, penúltimo=-2, penúltima=-2
    pl: pierwszy=1, pierwszą=1, pierwsza=1, drugi=2, drugą=2, trzeci=3, trzecią=3, czwarty=4, \
    czwartą=4, piąty=5, piątą=5, ostatni=-1, ostatnią=-1, przedostatni=-2, \
    przedostatnią=-2
    """,
  ]
}
