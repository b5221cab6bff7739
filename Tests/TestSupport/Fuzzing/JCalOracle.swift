// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// What must hold of the reader and the writer of jCal (RFC 7265), whatever bytes they are given.
public enum JCalOracle {
  /// Tries some bytes; the first of them chooses the chunks, the others are the text.
  ///
  /// - Throws: `OracleFailure`, the first promise that does not hold.
  public static func check(_ input: [UInt8]) throws(OracleFailure) {
    guard let choice = input.first else { return }
    let bytes = Array(input.dropFirst())
    let whole = elements(of: bytes, cutAt: [])
    let cuts = ReaderOracle.cuts(of: bytes.count, choice: choice)
    try promise(whole == elements(of: bytes, cutAt: cuts), "chunks \(cuts) give something else")
    for case .diagnostic(let diagnostic) in whole {
      try promise(!diagnostic.formatted(path: "x").isEmpty, "a diagnostic says nothing")
    }
    guard let stream = try? CalendarStream(parsingJCal: bytes) else { return }
    for calendar in stream.calendars { try check(calendar) }
    for component in stream.strays.components { try check(component) }
  }

  private static func elements(of bytes: [UInt8], cutAt cuts: [Int]) -> [ReaderElement] {
    var reader = JCalReader()
    var start = 0
    for end in cuts + [bytes.count] {
      try? reader.consume(bytes.span.extracting(start..<end))
      start = end
    }
    reader.finish()
    var elements: [ReaderElement] = []
    while let element = reader.next() { elements.append(element) }
    return elements
  }

  /// What was read is written as jCal that reads back as what is written alike, and as content lines
  /// that read back the same.
  private static func check(_ component: Component) throws(OracleFailure) {
    let isCalendar = component.name == .calendar
    let calendar = isCalendar ? component : Component(.calendar, components: [component])
    let json = JCalWriter().bytes(of: calendar)
    let text = String(decoding: json, as: UTF8.self)
    guard let again = try? CalendarStream(parsingJCal: json), let first = again.calendars.first
    else {
      throw OracleFailure("what is written cannot be read: \(text)")
    }
    try promise(
      !again.diagnostics.contains { $0.code == .malformedJSON },
      "what is written is no JSON: \(text)")
    let twice = JCalWriter().bytes(of: first)
    try promise(
      twice == json, "\(text) is written again as \(String(decoding: twice, as: UTF8.self))")
    let lines = Serializer().bytes(of: calendar)
    let read = try? CalendarStream(parsing: lines)
    try promise(
      read?.calendars == [calendar],
      "content lines read back differently: \(String(decoding: lines, as: UTF8.self).debugDescription)"
    )
    try CanonicalOracle.check(calendar)
  }
}
