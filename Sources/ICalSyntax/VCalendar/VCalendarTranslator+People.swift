// SPDX-License-Identifier: Apache-2.0

extension VCalendarTranslator {
  /// Converts a participant to an ATTENDEE, and also an ORGANIZER for the owner or organizer.
  mutating func participant(_ property: Property, _ value: VCalendarValue) -> [Property] {
    let (name, address) = Self.person(value.text)
    var naming = kept(property.parameters)
    if !name.isEmpty { naming.append(Parameter(.commonName, name)) }
    let role = property[.role]?.asciiUppercased ?? ""
    let isOrganizer = ["ORGANIZER", "OWNER"].contains(role)
    guard !property.isNamed(.organizer) else {
      return [make(.organizer, address, naming, from: property)]
    }
    var parameters = naming
    if let role = Self.role(role, expectation: property["EXPECT"]?.asciiUppercased) {
      parameters.append(Parameter(.role, role))
    }
    if let status = property["STATUS"].flatMap(Self.participationStatus) {
      parameters.append(Parameter(.participationStatus, status))
    }
    if let answer = property[.rsvp]?.asciiUppercased {
      parameters.append(Parameter(.rsvp, answer == "YES" || answer == "TRUE" ? "TRUE" : "FALSE"))
    }
    let attendee = make(.attendee, address, parameters, from: property)
    return isOrganizer
      ? [make(.organizer, address, naming, from: property), attendee] : [attendee]
  }

  /// The name and the address of a person, as in `Ann Doe <ann@example.org>`.
  ///
  /// iCalendar requires an address; a name without one gets `invalid:nomail`, as other programs
  /// write it.
  private static func person(_ text: String) -> (name: String, address: String) {
    var name = text
    var address = ""
    if let open = text.firstIndex(of: "<"), let close = text[open...].firstIndex(of: ">") {
      address = String(text[text.index(after: open)..<close])
      name = String(text[..<open])
    } else if text.contains("@") || text.contains(":"), !text.contains(" ") {
      address = text
      name = ""
    }
    let words = name.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let bare = words.split(separator: "\"").joined()
    guard !address.isEmpty else { return (bare, "invalid:nomail") }
    let hasScheme = address.prefix { $0.isLetter || $0.isNumber || "+-.".contains($0) }.count
    let isURI = address.dropFirst(hasScheme).first == ":" && hasScheme > 0
    return (bare, isURI ? address : "mailto:\(address)")
  }

  private static func role(_ role: String, expectation: String?) -> String? {
    if ["ORGANIZER", "OWNER"].contains(role) { return "CHAIR" }
    switch expectation {
    case "FYI": return "NON-PARTICIPANT"
    case "REQUEST": return "OPT-PARTICIPANT"
    case "REQUIRE", "IMMEDIATE": return "REQ-PARTICIPANT"
    default: return role.isEmpty ? nil : "REQ-PARTICIPANT"
    }
  }

  private static func participationStatus(_ text: String) -> String? {
    let word = text.asciiUppercased.split { $0 == " " || $0 == "-" }.joined(separator: "-")
    return switch word {
    case "ACCEPTED", "CONFIRMED": "ACCEPTED"
    case "NEEDS-ACTION", "SENT": "NEEDS-ACTION"
    case "TENTATIVE", "DECLINED", "COMPLETED", "DELEGATED": word
    default: nil
    }
  }
}
