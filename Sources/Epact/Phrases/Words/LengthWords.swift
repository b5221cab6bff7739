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
    fr: fin, fin de, à la fin de, à la fin
    es: fin de, a fin de, al fin de
    it: fine, fine di, a fine, alla fine di
    nl: eind, einde, het einde, aan het einde, aan het eind
    pt: fim de, fim, no fim de, no fim
    pl: koniec, na koniec
    """,
  ]
}
