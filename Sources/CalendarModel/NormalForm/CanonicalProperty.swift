// SPDX-License-Identifier: Apache-2.0

import CivilTime
package import ICalSyntax
import Recurrence

/// The canonical form of a property, or of one value of a list.
///
/// Two forms are equal if their meanings are equal. The end of a component has one form, whether
/// the file has DTEND, DUE or DURATION. Default values have no form.
package struct CanonicalProperty: Hashable, Sendable {
  /// The name; DTEND or DUE for the end of a component.
  package let name: PropertyName
  /// The canonical bytes with the name and the parameters.
  package let bytes: [UInt8]
  /// The index of the original property in the component.
  package let place: Int

  /// Whether two properties have the same meaning, regardless of their position.
  package static func == (left: CanonicalProperty, right: CanonicalProperty) -> Bool {
    left.bytes == right.bytes
  }

  /// Hashes the parts that `==` compares.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(bytes)
  }
}

/// The canonical form of a parameter, independent of its notation.
package enum CanonicalParameter {
  /// The comparison of a parameter's values.
  private enum Comparison {
    case letters, words, addresses, durations, numbers
  }

  /// The default values of parameters (RFC 5545 §3.2, RFC 6638 §7.1, RFC 7986 §6.1, RFC 9073 §5.3).
  package static let standards: [(ParameterName, String)] = [
    (.calendarUserType, "INDIVIDUAL"), (.freeBusyType, "BUSY"),
    (.participationStatus, "NEEDS-ACTION"), (.related, "START"), (.relationshipType, "PARENT"),
    (.role, "REQ-PARTICIPANT"), (.rsvp, "FALSE"), (.scheduleAgent, "SERVER"), (.display, "BADGE"),
    (.derived, "FALSE"),
  ]

  /// The parameters with case-insensitive words (RFC 5545 §2), in addition to those with defaults.
  private static let words: [ParameterName] = [
    .value, .range, .feature, .scheduleForceSend, .language, .formatType, .linkRelation, .charset,
  ]

  /// The parameters whose values are calendar addresses.
  private static let addresses: [ParameterName] = [
    .delegatedFrom, .delegatedTo, .member, .sentBy, .email,
  ]

  /// The parameters whose values have no significant order.
  private static let sets: [ParameterName] = [
    .delegatedFrom, .delegatedTo, .member, .feature, .display, .scheduleStatus,
  ]

  /// Returns the sorted canonical forms of a property's parameters.
  ///
  /// - Parameters:
  ///   - parameters: The parameters of the property.
  ///   - zones: Resolves the TZIDs.
  ///   - omitted: The parameters that the canonical value already includes.
  /// - Returns: The forms; parameters with default values are omitted.
  static func forms(
    of parameters: [Parameter], _ zones: inout CanonicalZones, omitting omitted: [ParameterName]
  ) -> [[UInt8]] {
    guard !parameters.isEmpty else { return [] }
    var forms: [[UInt8]] = []
    for parameter in parameters where !omitted.contains(parameter.name) {
      let name = parameter.name
      var values = parameter.values.map { value in
        name == .tzID ? zones.zone(value).name : canonical(value, comparison(name))
      }
      if let standard = standards.first(where: { $0.0 == name })?.1, values == [standard] {
        continue
      }
      if sets.contains(name) { values = Set(values).sorted() }
      var form = CanonicalForm()
      form.append(name.canonicalName)
      form.append(list: values.map { Array($0.utf8) })
      forms.append(form.bytes)
    }
    return forms.sorted(by: CanonicalForm.precedes)
  }

  /// Whether the values are free texts or addresses, whose beginnings are no other values.
  package static func isText(_ name: ParameterName) -> Bool {
    switch comparison(name) {
    case .letters, .addresses: name != .tzID && name != .encoding
    case .words, .durations, .numbers: false
    }
  }

  private static func comparison(_ name: ParameterName) -> Comparison {
    guard name.index != nil else { return .letters }
    if addresses.contains(name) { return .addresses }
    if words.contains(name) || standards.contains(where: { $0.0 == name }) { return .words }
    switch name {
    case .gap: return .durations
    case .order, .size: return .numbers
    default: return .letters
    }
  }

  private static func canonical(_ value: String, _ comparison: Comparison) -> String {
    switch comparison {
    case .letters: return value
    case .words: return value.asciiUppercased
    case .addresses: return value.lowercased()
    case .numbers: return Int(value).map(String.init) ?? value
    case .durations:
      guard let duration = try? BasicFormat.lenientDuration(value.utf8.span).value else {
        return value
      }
      return duration.canonicalText
    }
  }
}

extension CivilDuration {
  /// The days and the seconds, which are the complete meaning of a duration (RFC 5545 §3.3.6).
  var canonicalText: String { "\(nominalDays)D\(exactSeconds)S" }
}

/// The normal form of a recurrence rule (RFC 5545 §3.3.10).
struct CanonicalRecurrence {
  private let rule: RecurrenceRule
  /// The start of the series, whose form determines the form of UNTIL; nil if it is unknown.
  private let start: CanonicalTime?

  init(_ rule: RecurrenceRule, start: CanonicalTime?) {
    self.rule = rule
    self.start = start
  }

  /// The parts in order, with sorted lists and without defaults.
  var text: String {
    var parts: [String] = []
    for part in rule.description.split(separator: ";") {
      if part == "RSCALE=GREGORIAN", rule.skip == .omit { continue }
      guard let equals = part.firstIndex(of: "=") else { continue }
      let name = part[..<equals]
      if name == "UNTIL" {
        parts.append("UNTIL=\(until ?? "")")
      } else {
        let values = Set(part[part.index(after: equals)...].split(separator: ",")).sorted()
        parts.append("\(name)=\(values.joined(separator: ","))")
      }
    }
    return parts.joined(separator: ";")
  }

  /// The end of the series, in UTC if the start is an instant.
  ///
  /// Lenient: the RFC requires UTC, but some files use a date or a local time. An UNTIL date
  /// includes the whole day.
  private var until: String? {
    guard let until = rule.until else { return nil }
    let wall: CivilDateTime
    switch until {
    case .date(let date): wall = CivilDateTime(date, .lastSecond)
    case .local(let time), .utc(let time): wall = time
    }
    switch start {
    case .date?: return wall.date.description
    case .utc?: return "\(wall)Z"
    case .floating?: return wall.description
    case .zoned(_, let zone)?:
      if case .utc = until { return "\(wall)Z" }
      return (zone.rules?.instant(of: wall))?.description ?? wall.description
    case nil: return until.description
    }
  }
}

extension TimeOfDay {
  /// The last second of a day without a leap second.
  fileprivate static let lastSecond = TimeOfDay(secondOfDay: 86_399) ?? .midnight
}

/// The traits of a property for the normal form, in addition to its row in `PropertyTable`.
package struct PropertyTraits: Sendable {
  /// Whether it is metadata about the file's creation, without influence on the meaning.
  fileprivate(set) var isIgnored = false
  /// The default value of the property (RFC 5545 §3.8).
  fileprivate(set) var standard: [UInt8]?
  /// Whether its values are words of a fixed list, in any case (RFC 5545 §2).
  fileprivate(set) var isWord = false
  /// Whether its times identify occurrences of the component's series.
  fileprivate(set) var namesOccurrences = false
  /// Whether it states the end of a component, which is read together with other properties.
  fileprivate(set) var isEnd = false
  /// Whether its value is a single text without a default or fixed words.
  fileprivate(set) var isPlain = false

  /// The properties with metadata about the file's creation.
  package static let ignored: [PropertyName] = [
    .dtStamp, .lastModified, .created, .productID, .method, .version, .calscale,
  ]
  /// The default values; STATUS has none.
  ///
  /// See RFC 5545 §3.8.1.3, §3.8.1.9, §3.8.2.7, §3.8.6.2, §3.8.7.4 and RFC 7953 §3.2.
  package static let standards: [(PropertyName, String)] = [
    (.classification, "PUBLIC"), (.transparency, "OPAQUE"), (.sequence, "0"), (.priority, "0"),
    (.repeatCount, "0"), (.busyType, "BUSY-UNAVAILABLE"),
  ]
  /// The properties with words in any case.
  package static let words: [PropertyName] = [
    .classification, .status, .transparency, .action, .busyType, .color, .proximity,
    .participantType, .resourceType, .locationType,
  ]

  /// The traits of known properties, in the order of `PropertyTable.rows`.
  ///
  /// The index makes the lookup cheap; it runs for every property of every item.
  static let all: [PropertyTraits] = PropertyTable.rows.map { row in
    let name = PropertyName(row.name)
    var traits = PropertyTraits()
    traits.isIgnored = ignored.contains(name)
    traits.standard = standards.first { $0.0 == name }.map { Array($0.1.utf8) }
    traits.isWord = words.contains(name)
    traits.namesOccurrences = [.exDate, .rDate, .recurrenceID].contains(name)
    traits.isEnd = [.dtEnd, .due, .duration].contains(name)
    traits.isPlain =
      row.valueType == .text && row.separator == nil && !traits.isWord && traits.standard == nil
    return traits
  }

  /// Whether an unknown property is residue that other programs leave in files.
  ///
  /// The calendar name X-WR-CALNAME is valid in a calendar only.
  static func isLeftBehind(_ canonicalName: String, in component: ComponentSet) -> Bool {
    canonicalName.hasPrefix("X-LIC-")
      || canonicalName == "X-WR-CALNAME" && component != ComponentSet(.calendar)
  }
}
