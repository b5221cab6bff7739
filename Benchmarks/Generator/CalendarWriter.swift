// SPDX-License-Identifier: Apache-2.0

/// Writes content lines and counts their properties.
///
/// It folds at 75 octets as RFC 5545 §3.1 recommends, never inside a character nor between a
/// backslash and the character that it escapes. A serializer that folds in the same way therefore
/// produces the same bytes.
struct CalendarWriter {
  typealias Parameter = (name: String, value: String)

  /// The bytes that were written and not taken yet.
  private(set) var bytes: [UInt8] = []
  /// The answers for everything that was written.
  private(set) var answers: Answers = [:]
  /// The names of the open components.
  private var open: [String] = []

  /// Returns the bytes that were written, and clears the buffer.
  mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  mutating func begin(_ name: String) {
    endLine("BEGIN:\(name)")
    open.append(name)
    count(.components)
    switch name {
    case "VCALENDAR": count(.calendars)
    case "VEVENT": count(.events)
    case "VTODO": count(.reminders)
    case "VJOURNAL": count(.journals)
    case "VALARM": count(.alarms)
    default: break
    }
  }

  mutating func end() {
    if let name = open.popLast() { endLine("END:\(name)") }
  }

  /// Writes a property with a raw value.
  mutating func property(
    _ name: String, _ parameters: [Parameter] = [], raw value: String, values: Int = 1
  ) {
    count(.properties)
    count(.parameters, parameters.count)
    count(.values, values)
    if name == "ATTENDEE", open.last == "VEVENT" { count(.eventAttendees) }
    let line = name + Self.text(parameters) + ":" + value
    let sorted = parameters.sorted { $0.name < $1.name }
    let isSorted = sorted.elementsEqual(parameters) { $0.name == $1.name }
    endLine(line, canonical: isSorted ? nil : name + Self.text(sorted) + ":" + value)
  }

  private static func text(_ parameters: [Parameter]) -> String {
    var text = ""
    for parameter in parameters {
      let mustQuote = parameter.value.utf8.contains { ":;,".utf8.contains($0) }
      let value = mustQuote ? "\"\(parameter.value)\"" : parameter.value
      text += ";\(parameter.name)=\(value)"
    }
    return text
  }

  /// Writes a property with one TEXT value or a list of them (RFC 5545 §3.3.11).
  mutating func text(_ name: String, _ texts: String...) {
    for text in texts {
      count(.textBytes, text.utf8.count)
      if name == "SUMMARY" { count(.summaryBytes, text.utf8.count) }
    }
    let value = texts.map(Self.escaped).joined(separator: ",")
    property(name, raw: value, values: texts.count)
  }

  /// Writes a property with one time or a list of them.
  mutating func times(_ name: String, _ moments: [Moment], as form: TimeForm) {
    for moment in moments { count(.dateDays, moment.day) }
    if open.last == "VEVENT" {
      if name == "DTSTART" { count(.eventStartDays, moments.reduce(0) { $0 + $1.day }) }
      if name == "EXDATE" { count(.eventExclusions, moments.count) }
    }
    let texts = moments.map {
      switch form {
      case .date: $0.dateText
      case .utc: $0.text + "Z"
      case .floating, .zoned: $0.text
      }
    }
    let parameters: [Parameter] =
      switch form {
      case .date: [("VALUE", "DATE")]
      case .utc, .floating: []
      case .zoned(let zone): [("TZID", zone)]
      }
    property(name, parameters, raw: texts.joined(separator: ","), values: moments.count)
  }

  mutating func count(_ answer: Answer, _ number: Int = 1) {
    answers[answer, default: 0] += number
  }

  /// Writes a line.
  ///
  /// - Parameters:
  ///   - text: The line, unfolded.
  ///   - canonical: The line in canonical form, if that differs.
  private mutating func endLine(_ text: String, canonical: String? = nil) {
    let before = bytes.count
    count(.physicalLines, Self.fold(text, to: &bytes))
    count(.lines)
    let written = bytes[before...]
    count(.bytes, written.count)
    count(.byteSum, Self.sum(written))
    var other: [UInt8] = []
    if let canonical { _ = Self.fold(canonical, to: &other) }
    let form = canonical == nil ? written : other[...]
    count(.canonicalBytes, form.count)
    count(.canonicalByteSum, Self.sum(form))
  }

  /// Appends a folded line with its line break, and returns the number of physical lines.
  private static func fold(_ text: String, to bytes: inout [UInt8]) -> Int {
    let line = Array(text.utf8)
    var lines = 1
    var start = 0
    var room = 75
    while line.count - start > room {
      var end = start + room
      while line[end] & 0xC0 == 0x80 { end -= 1 }
      let backslash = UInt8(ascii: "\\")
      let backslashes = line[start..<end].reversed().prefix { $0 == backslash }.count
      if !backslashes.isMultiple(of: 2) { end -= 1 }
      bytes += line[start..<end]
      bytes += "\r\n ".utf8
      lines += 1
      start = end
      room = 74
    }
    bytes += line[start...]
    bytes += "\r\n".utf8
    return lines
  }

  private static func sum(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 + Int($1) }
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count + 8)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": result += "\\n"
      case "\\", ";", ",":
        result += "\\"
        result.unicodeScalars.append(scalar)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
