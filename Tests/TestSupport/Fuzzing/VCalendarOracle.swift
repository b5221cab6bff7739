// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// What must hold of the reader of vCalendar 1.0, whatever bytes it is given.
public enum VCalendarOracle {
  /// Tries some bytes; the first of them chooses the chunks, the others are the stream.
  ///
  /// - Throws: `OracleFailure`, the first promise that does not hold.
  public static func check(_ input: [UInt8]) throws(OracleFailure) {
    guard let choice = input.first else { return }
    let bytes = Array(input.dropFirst())
    let isConverted = choice & 0x80 != 0
    _ = VCalendarReader.recognizes(bytes)
    let whole = elements(of: bytes, cutAt: [], isConverted: isConverted)
    let cuts = ReaderOracle.cuts(of: bytes.count, choice: choice)
    try promise(
      whole == elements(of: bytes, cutAt: cuts, isConverted: isConverted),
      "chunks \(cuts) give something else")
    var isOpen = false
    for element in whole {
      switch element {
      case .calendarBegan: isOpen = true
      case .calendarEnded: isOpen = false
      case .component(let component):
        try checkNames(component)
        if isOpen { try checkReadsBack(Component(.calendar, components: [component])) }
      case .property(let property):
        if isOpen { try checkReadsBack(Component(.calendar, properties: [property])) }
      case .diagnostic(let diagnostic):
        try promise(!diagnostic.formatted(path: "x").isEmpty, "a diagnostic says nothing")
      }
    }
  }

  private static func elements(
    of bytes: [UInt8], cutAt cuts: [Int], isConverted: Bool
  ) -> [ReaderElement] {
    var reader = VCalendarReader(isConverted: isConverted) { bytes, charset in
      // Latin 1 is the only other character set that this oracle knows.
      guard charset == nil || charset == "ISO-8859-1" else { return nil }
      return bytes.flatMap { $0 < 0x80 ? [$0] : [0xC0 | $0 >> 6, 0x80 | $0 & 0x3F] }
    }
    var elements: [ReaderElement] = []
    var start = 0
    for end in cuts + [bytes.count] {
      try? reader.consume(bytes.span.extracting(start..<end))
      while let element = reader.next() { elements.append(element) }
      start = end
    }
    try? reader.finish()
    while let element = reader.next() { elements.append(element) }
    return elements
  }

  /// What iCalendar must have is there (RFC 5545 §3.6.1).
  private static func checkNames(_ component: Component) throws(OracleFailure) {
    guard component.name == .event || component.name == .reminder else { return }
    for name in [PropertyName.uid, .dtStamp] {
      try promise(component[name] != nil, "\(component.name) has no \(name)")
    }
  }

  /// What becomes of the calendar is iCalendar, and reads back the same.
  private static func checkReadsBack(_ calendar: Component) throws(OracleFailure) {
    let bytes = Serializer().bytes(of: calendar)
    let again = try? CalendarStream(parsing: bytes)
    try promise(
      again?.calendars == [calendar],
      "reads back differently: \(String(decoding: bytes, as: UTF8.self).debugDescription)")
    try CanonicalOracle.check(calendar)
  }
}
