// SPDX-License-Identifier: Apache-2.0

/// The prepositions of times and days.
enum PrepositionWords {
  static let tables: [PhraseConcept: String] = [
    // Those before the start alone; others also mean "of".
    .from: """
    en: from=start, starting=start, starting on=start, starting from=start, beginning=start
    de: von, vom, ab=start, ab dem=start, von dem
    fr: de, du, dès=start, depuis=start, à partir de=start, à partir du=start, \
    à compter de=start, à compter du=start
    es: de, del, desde=start, desde el=start, desde las, de las, de la, desde la, \
    a partir de=start, a partir del=start, a partir de las=start, a partir de la=start
    it: da, dal, dalle, dalla, dall', a partire da=start, a partire dal=start, \
    a partire dalle=start, dalle ore
    nl: van, vanaf=start
    pt: de, do, da, das, desde=start, desde as, a partir de=start, a partir do=start, \
    a partir das=start
    pl: od=start
    ru: с, со, от
    zh: 从
    """,
    .to: """
    en: to, until, till, til, thru, through
    de: bis, bis zum, bis zu
    fr: à, au, jusqu'à, jusqu'au
    es: a, al, hasta, hasta el, hasta las, hasta la, a las, a la
    it: a, al, alle, all', fino a, fino al, fino alle, alle ore
    nl: tot, tot en met, t/m
    pt: a, à, ao, às, até, até a, até as, até às, até o, até ao
    pl: do
    ru: до, по
    zh: 到, 至
    ja: から
    ko: 부터
    """,
    .until: """
    en: until, till, til, through, thru, to
    de: bis, bis zum, bis zu
    fr: jusqu'à, jusqu'au
    es: hasta, hasta el, hasta las
    it: fino a, fino al, fino alle
    nl: tot, tot en met, t/m
    pt: até, até a, até o, até ao, até às, até as
    pl: do
    ru: до, по
    zh: 到, 至
    """,
    // Before the last day of a repetition, and not between the days of a week.
    .untilOnly: """
    en: until, till, til
    fr: jusqu'à, jusqu'au
    es: hasta, hasta el
    it: fino a, fino al
    pt: até, até a, até o, até ao
    """,
    .between: """
    en: between
    de: zwischen
    fr: entre, entre le
    es: entre, entre el, entre las
    it: tra, fra, tra le, fra le, tra il, fra il
    nl: tussen
    pt: entre, entre as, entre o
    pl: między, pomiędzy
    """,
    .and: """
    en: and, &
    de: und, u
    fr: et, et le
    es: y, e, y el, y las, y la, y los
    it: e, ed, e le, e il, e la
    nl: en
    pt: e, e as, e a, e o, e às
    pl: i, a, oraz
    ru: и
    zh: 和
    ja: と
    """,
    .at: """
    en: at, @
    de: um, um punkt
    fr: à
    es: a las, a la
    it: alle, all', alle ore, ore
    nl: om
    pt: às, à, ao, pelas
    pl: o, o godz., o godzinie, godz., w
    ru: в, во
    ar: الساعة
    he: בשעה, ב
    sv: kl, klockan
    da: kl, klokken
    nb: kl, klokken, klokka
    no: kl, klokken, klokka
    """,
    .on: """
    en: on, on the, by, due, due:, due on
    de: am, an, dem, den
    fr: le, du
    es: el, el día
    it: il, l', di, nel
    nl: op, op de
    pt: em, no, na, no dia, na dia, dia, nos, nas, aos
    pl: w, we, dnia
    ru: в, во
    he: ב
    sv: på
    da: på, om
    nb: på, om
    no: på, om
    """,
    .article: """
    en: the
    de: der, die, das, dem, den
    fr: le, la, les, l'
    es: el, la, los, las
    it: il, lo, la, i, gli, le, l'
    nl: de, het
    pt: o, a, os, as
    sv: den
    da: den
    nb: den
    no: den
    """,
    .of: """
    en: of, in, of the, in the
    de: im, des, der, vom, von, in
    fr: de, du, d', des
    es: de, del
    it: di, del, della
    nl: van, van de, in
    pt: de, do, da
    sv: i
    da: i
    nb: i
    no: i
    ar: من
    """,
    .for: """
    en: for
    de: für
    fr: pendant, pour, durant
    es: durante, por
    it: per
    nl: gedurende, voor
    pt: durante, por
    pl: przez, na
    ru: на
    """,
    .within: """
    en: in
    de: in
    fr: dans, d'ici
    es: en, dentro de
    it: tra, fra, in
    nl: over, in
    pt: em, dentro de, daqui a
    pl: za
    ru: через
    """,
  ]
}
