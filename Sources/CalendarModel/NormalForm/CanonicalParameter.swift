// SPDX-License-Identifier: Apache-2.0

import CivilTime
package import ICalSyntax

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
