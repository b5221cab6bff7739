// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
public import CivilTime

/// The time zones that phrases can name.
public struct PhraseZones: Sendable {
  /// The areas of names in the IANA database.
  static let areas: Set<String> = [
    "africa", "america", "antarctica", "arctic", "asia", "atlantic", "australia", "europe",
    "indian", "pacific", "etc",
  ]

  private let rules: @Sendable (String) -> ZoneRules?

  /// Creates zones.
  ///
  /// - Parameter rules: Returns the rules of a name such as `Europe/Berlin`; nil for other names.
  public init(rules: @escaping @Sendable (String) -> ZoneRules?) { self.rules = rules }

  /// No zones.
  public static let none = PhraseZones { _ in nil }

  /// Creates the zones of a resolver.
  package init(_ resolver: ZoneResolver) {
    self.init { name in
      let zone = resolver.resolve(name)
      let isName = [.utc, .name, .spelling, .alias].contains(zone.source)
      return isName ? try? resolver.rules(of: zone) : nil
    }
  }

  /// The rules of a name; nil if there is no such zone.
  func named(_ name: String) -> ZoneRules? { rules(name) }
}

extension PhraseParser {
  /// Takes the name of a time zone; nil if the tokens are none.
  mutating func takeZone() throws(DatePhraseError) -> PhraseForm.Zone? {
    guard let first = tokens.first, let word = first.word else { return nil }
    let column = column
    let count = tokens.dropFirst().prefix { !$0.isSpaced }.count + 1
    let name = source(of: tokens.prefix(count)).trimmingSuffix(while: { $0 == "," || $0 == ";" })
    let length = name.utf8.count
    let taken = tokens.prefix { $0.range.upperBound <= first.range.lowerBound + length }.count
    if name.contains("/") {
      if let rules = zones.named(name) {
        tokens = tokens.dropFirst(taken)
        return PhraseForm.Zone(column: column, rules: rules)
      }
      guard PhraseZones.areas.contains(word) else { return nil }
      throw DatePhraseError(
        .invalid, column: column, "expected the name of a time zone, found \"\(name)\"")
    }
    let isUTC = word == "utc" || word == "gmt" || isZulu(name)
    guard isUTC else { return nil }
    guard taken == 1, let rules = zones.named("UTC") else {
      throw DatePhraseError(
        .invalid, column: column,
        "expected the name of a time zone, such as Europe/Berlin, found \"\(name)\"")
    }
    tokens.removeFirst()
    return PhraseForm.Zone(column: column, rules: rules)
  }

  /// Whether a word is the Z after a time.
  private func isZulu(_ name: String) -> Bool {
    name == "Z" && precedingWord?.last?.isNumber == true
  }
}

extension String {
  fileprivate func trimmingSuffix(while isCut: (Character) -> Bool) -> String {
    var text = self[...]
    while let last = text.last, isCut(last) { text.removeLast() }
    return String(text)
  }
}
