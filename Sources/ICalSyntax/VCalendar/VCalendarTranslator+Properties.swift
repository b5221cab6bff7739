// SPDX-License-Identifier: Apache-2.0

import CivilTime

extension VCalendarTranslator {
  /// Converts a property of a component or of the calendar.
  mutating func translate(
    _ property: Property, _ value: VCalendarValue, in context: VCalendarContext?
  ) -> [Property] {
    switch property.name.canonicalName {
    case "DCREATED": return [time(.created, property, value, in: context)]
    case "DTSTART", "DTEND", "DUE", "COMPLETED", "LAST-MODIFIED", "RECURRENCE-ID":
      return [time(property.name, property, value, in: context)]
    case "EXDATE", "RDATE": return times(property, value, in: context)
    case "RRULE", "EXRULE": return [rule(property, value, in: context)]
    case "CATEGORIES", "RESOURCES":
      let parts = value.parts.map(\.escapedText).filter { !$0.isEmpty }
      return [make(property.name, Array(parts.joined(separator: [ASCII.comma])), from: property)]
    case "STATUS": return [status(property, value, in: context)]
    case "TRANSP": return [transparency(property, value)]
    case "CLASS": return [make(.classification, value.text.asciiUppercased, from: property)]
    case "ATTENDEE", "ORGANIZER": return participant(property, value)
    case "ATTACH": return [attachment(property, value)]
    case "RNUM", "TZ", "DAYLIGHT": return [untranslated(property, value)]
    case "GEO" where !value.bytes.contains(ASCII.semicolon): return [untranslated(property, value)]
    default: return [text(property, value)]
    }
  }

  /// Converts a property with a text value, or one that no RFC defines.
  private func text(_ property: Property, _ value: VCalendarValue) -> Property {
    var parameters = kept(property.parameters)
    if value.isBase64 {
      parameters += [Parameter(.encoding, "BASE64"), Parameter(.value, "BINARY")]
      return make(property.name, value.bytes, parameters, from: property)
    }
    let isText = PropertyTable.row(for: property.name)?.valueType == .text
    return make(
      property.name, isText ? value.escapedText : value.rawBytes, parameters, from: property)
  }

  /// The parameters that have the same meaning in iCalendar.
  ///
  /// A bare parameter of vCalendar may not be a valid name, and is then omitted.
  func kept(_ parameters: [Parameter]) -> [Parameter] {
    parameters.filter { parameter in
      guard parameter.name != .language else { return true }
      let name = parameter.name.canonicalName
      return name.hasPrefix("X-")
        && name.utf8.allSatisfy { byte in
          UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
            || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == ASCII.hyphen
        }
    }
  }

  // MARK: Times

  private mutating func time(
    _ name: PropertyName, _ property: Property, _ value: VCalendarValue,
    in context: VCalendarContext?
  ) -> Property {
    let tzID = foreignZone(of: property)
    guard let time = VCalendarTime(value.text) else {
      let kept = tzID.map { [Parameter(.tzID, $0)] } ?? []
      return make(name, value.rawBytes, kept, from: property)
    }
    var parameters = self.parameters(for: time, tzID, in: context)
    // The moments of a change are in UTC, whatever the zone (RFC 5545 §3.8.7).
    let isMoment = [PropertyName.created, .lastModified, .completed].contains(name)
    if isMoment, tzID == nil || time.isUTC {
      let utc = time.isUTC ? nil : zone.utc(time.value)
      return make(name, "\(utc ?? time.value)Z", from: property)
    }
    if tzID == nil, parameters.contains(where: { $0.name == .tzID }) { usesZone = true }
    parameters += property.parameters.filter { $0.name == .range }
    return make(name, time.text, parameters, from: property)
  }

  /// The TZID of a time, which is a parameter of iCalendar; its presence is reported.
  private mutating func foreignZone(of property: Property) -> String? {
    guard let tzID = property[.tzID], !tzID.isEmpty else { return nil }
    diagnostics.append(
      property.diagnostic(
        aboutName: .warning, .untranslated,
        "expected no TZID parameter in vCalendar 1.0, found one, which is kept as it is"))
    return tzID
  }

  /// The parameters that a time needs in iCalendar.
  private func parameters(
    for time: VCalendarTime, _ tzID: String?, in context: VCalendarContext?
  ) -> [Parameter] {
    if time.isDate { return [Parameter(.value, "DATE")] }
    if let tzID { return time.isUTC ? [] : [Parameter(.tzID, tzID)] }
    // A definition of a zone, which programs write all the same, has no zone itself.
    if context?.name == .standard || context?.name == .daylight { return [] }
    return time.isUTC || !zone.isKnown ? [] : [Parameter(.tzID, zone.name)]
  }

  /// Times separated by semicolons, grouped by form.
  private mutating func times(
    _ property: Property, _ value: VCalendarValue, in context: VCalendarContext?
  ) -> [Property] {
    let tzID = foreignZone(of: property)
    var groups: [(parameters: [Parameter], values: [String])] = []
    // Lenient: commas are accepted too, because programs write them.
    for part in value.text.split(whereSeparator: { $0 == ";" || $0 == "," }) {
      guard let time = VCalendarTime(String(part)) else {
        let kept = tzID.map { [Parameter(.tzID, $0)] } ?? []
        return [make(property.name, value.rawBytes, kept, from: property)]
      }
      let parameters = parameters(for: time, tzID, in: context)
      if tzID == nil, parameters.contains(where: { $0.name == .tzID }) { usesZone = true }
      if let place = groups.firstIndex(where: { $0.parameters == parameters }) {
        groups[place].values.append(time.text)
      } else {
        groups.append((parameters, [time.text]))
      }
    }
    return groups.map { group in
      make(property.name, group.values.joined(separator: ","), group.parameters, from: property)
    }
  }

  private mutating func rule(
    _ property: Property, _ value: VCalendarValue, in context: VCalendarContext?
  ) -> Property {
    // Lenient: some programs write iCalendar rules.
    if value.text.asciiUppercased.hasPrefix("FREQ=") {
      return make(property.name, value.rawBytes, from: property)
    }
    var rule = VCalendarRule(start: context?.start, zone: zone)
    guard let text = rule.translate(value.text) else { return untranslated(property, value) }
    return make(property.name, text, from: property)
  }

  // MARK: Words

  private mutating func status(
    _ property: Property, _ value: VCalendarValue, in context: VCalendarContext?
  ) -> Property {
    let word = value.text.asciiUppercased.split { $0 == " " || $0 == "-" }.joined(separator: "-")
    let words: [String: String] =
      switch context?.name {
      case .event?:
        [
          "TENTATIVE": "TENTATIVE", "CONFIRMED": "CONFIRMED", "ACCEPTED": "CONFIRMED",
          "CANCELLED": "CANCELLED",
        ]
      case .reminder?:
        [
          "NEEDS-ACTION": "NEEDS-ACTION", "COMPLETED": "COMPLETED", "CANCELLED": "CANCELLED",
          "IN-PROCESS": "IN-PROCESS",
        ]
      default: [:]
      }
    guard let status = words[word] else { return untranslated(property, value) }
    return make(.status, status, from: property)
  }

  /// Converts a number, of which 0 means opaque, and any other transparent.
  private mutating func transparency(_ property: Property, _ value: VCalendarValue) -> Property {
    let word = value.text.asciiUppercased
    if ["OPAQUE", "TRANSPARENT"].contains(word) {
      return make(.transparency, word, from: property)
    }
    guard let number = Int(word) else { return untranslated(property, value) }
    return make(.transparency, number == 0 ? "OPAQUE" : "TRANSPARENT", from: property)
  }

  private func attachment(_ property: Property, _ value: VCalendarValue) -> Property {
    guard value.isBase64 else { return make(.attach, value.rawBytes, from: property) }
    return make(
      .attach, value.bytes, [Parameter(.encoding, "BASE64"), Parameter(.value, "BINARY")],
      from: property)
  }
}

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
