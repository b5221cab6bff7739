// SPDX-License-Identifier: Apache-2.0

public import ICalSyntax

/// Makes calendars at random: names, parameters and values that are right, however unusual.
public struct ComponentGenerator {
  /// Components that stand in a calendar, and those that may stand in these and in one another.
  private static let levels: [[ComponentName]] = [
    [.event, .reminder, .journal, .freeBusy, .timeZone, .availability, "X-COMP", "x-lower"],
    [.alarm, .standard, .participant, .location, "X-SUB", "iana-token"],
    [.location, .resource, "X-DEEP"],
  ]
  private static let names: [PropertyName] = [
    .summary, .uid, .descriptionText, .categories, .dtStart, .attendee, "X-ODD", "x-lower",
    "sUmMaRy",
    "IANA-TOKEN", "X", "X-0-9",
  ]
  private static let parameterNames: [ParameterName] = [
    .commonName, .language, .tzID, .member, "X-P", "x-lower", "cN", "IANA",
  ]
  /// What makes trouble: to folds, to quotes, to escapes, to carets, to whoever counts characters.
  private static let parts = [
    "a", "Ω", "🦊", "e\u{301}", "\u{301}", "👩‍👩‍👧", "\u{FEFF}", "\u{2028}", "\u{85}", ",", ";", ":",
    "\"", "^", "^n",
    "\\", "\\n", "\n", " ", "\t", "=", "long enough to fold", "END:VEVENT", "BEGIN:VEVENT",
    "\u{7FF}",
  ]

  private var random: SeededGenerator

  /// Creates a generator from a source of numbers.
  public init(_ random: SeededGenerator) {
    self.random = random
  }

  /// A calendar with components in it, up to three deep.
  public mutating func calendar() -> Component { component(.calendar, level: 0) }

  /// A text of up to some parts, each a letter or a snare.
  public mutating func text(upTo count: Int = 20) -> String {
    (0..<number(upTo: count)).compactMap { _ in Self.parts.randomElement(using: &random) }.joined()
  }

  /// A property with parameters and a value.
  public mutating func property() -> Property {
    let name = Self.names.randomElement(using: &random) ?? .summary
    var parameters: [Parameter] = []
    for _ in 0..<number(upTo: 3) {
      let parameter = Self.parameterNames.randomElement(using: &random) ?? .value
      parameters.append(Parameter(parameter, (0...number(upTo: 2)).map { _ in text(upTo: 6) }))
    }
    guard number(upTo: 3) == 0 else {
      return Property(
        name, text: text(upTo: number(upTo: 20) == 0 ? 300 : 20), parameters: parameters)
    }
    let raw = text().replacing("\n", with: "").replacing("\u{85}", with: "")
    return Property(name, rawValue: raw, parameters: parameters)
  }

  private mutating func component(_ name: ComponentName, level: Int) -> Component {
    var component = Component(name)
    for _ in 0..<number(upTo: 5) { component.properties.append(property()) }
    guard level < Self.levels.count else { return component }
    for _ in 0..<number(upTo: 3) {
      let name = Self.levels[level].randomElement(using: &random) ?? "X-NONE"
      component.components.append(self.component(name, level: level + 1))
    }
    return component
  }

  private mutating func number(upTo limit: Int) -> Int { Int.random(in: 0...limit, using: &random) }
}
