// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// The canonical form of a parameter: what it says, however it is spelled.
enum CanonicalParameter {
  /// Values that a parameter has where it is left out (RFC 5545 §3.2, RFC 6638 §7.1).
  private static let standards: [(ParameterName, String)] = [
    (.calendarUserType, "INDIVIDUAL"), (.encoding, "8BIT"), (.freeBusyType, "BUSY"),
    (.participationStatus, "NEEDS-ACTION"), (.related, "START"), (.relationshipType, "PARENT"),
    (.role, "REQ-PARTICIPANT"), (.rsvp, "FALSE"), (.scheduleAgent, "SERVER"),
  ]

  /// Parameters whose values are words of a fixed list, in whatever case (RFC 5545 §2).
  private static let words: [ParameterName] = [
    .value, .range, .display, .feature, .scheduleForceSend,
  ]

  /// Parameters whose values are calendar addresses.
  private static let addresses: [ParameterName] = [
    .delegatedFrom, .delegatedTo, .member, .sentBy,
  ]

  /// The canonical forms of the parameters of a property, sorted.
  static func forms(of parameters: [Parameter], defaultType: ValueType?) -> [[UInt8]] {
    guard !parameters.isEmpty else { return [] }
    var forms: [[UInt8]] = []
    for parameter in parameters {
      let name = parameter.name
      let standard =
        name == .value ? defaultType?.rawValue : standards.first { $0.0 == name }?.1
      let isWord = standard != nil || words.contains(name)
      let isAddress = addresses.contains(name)
      let values = parameter.values.map { value in
        isWord ? value.asciiUppercased : isAddress ? value.lowercased() : value
      }
      if let standard, values == [standard] { continue }
      var form = CanonicalForm()
      form.append(name.canonicalName)
      form.append(list: values.map { Array($0.utf8) }.sorted(by: CanonicalForm.precedes))
      forms.append(form.bytes)
    }
    return forms.sorted(by: CanonicalForm.precedes)
  }
}
