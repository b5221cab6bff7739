// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// What must hold of the reader, the serializer and the checks, whatever bytes they are given.
///
/// The fuzzer and ordinary tests ask the same oracle, so that what was found once stays found.
public enum ReaderOracle {
  /// Tries some bytes; the first of them chooses the chunks and the limits, the others are the stream.
  ///
  /// - Throws: `OracleFailure`, the first promise that does not hold.
  public static func check(_ input: [UInt8]) throws(OracleFailure) {
    guard let choice = input.first else { return }
    let bytes = Array(input.dropFirst())
    let limits = choice & 0x80 == 0 ? ParserLimits() : narrowLimits
    let whole = ReadingTrace(reading: bytes, limits: limits)
    let cuts = cuts(of: bytes.count, choice: choice)
    let chunked = ReadingTrace(reading: bytes, cutAt: cuts, limits: limits)
    try compare(whole, chunked)
    try promise(
      whole.findings == chunked.findings, "the checks say something else of chunks \(cuts)")
    try checkLines(bytes, cutAt: cuts, against: whole, limits: limits)
    try checkStream(bytes, against: whole, limits: limits)
    guard whole.error == nil else { return }
    for element in whole.elements { try checkElement(element) }
  }

  /// Limits that short streams reach.
  private static var narrowLimits: ParserLimits {
    var limits = ParserLimits()
    limits.lineLength = 100
    limits.componentSize = 400
    limits.nesting = 3
    limits.propertiesPerComponent = 12
    limits.parametersPerComponent = 8
    return limits
  }

  /// The chunks: of one byte for a choice of 0, otherwise of random sizes up to 2, 4, …, 128.
  static func cuts(of count: Int, choice: UInt8) -> [Int] {
    var random = SeededGenerator(seed: UInt64(choice))
    var cuts: [Int] = []
    var index = 0
    while true {
      index += Int.random(in: 1...(1 << Int(choice & 7)), using: &random)
      guard index < count else { return cuts }
      cuts.append(index)
    }
  }

  /// Throws where two readings of the same bytes differ.
  public static func compare(
    _ whole: ReadingTrace, _ chunked: ReadingTrace
  ) throws(OracleFailure) {
    guard whole != chunked else { return }
    try promise(
      whole.error == chunked.error,
      "chunks end in \(String(describing: chunked.error)), the whole in \(String(describing: whole.error))"
    )
    for (one, other) in zip(whole.elements, chunked.elements) {
      try promise(one == other, "chunks give \(other), the whole gives \(one)")
    }
    try promise(
      whole.elements.count == chunked.elements.count,
      "chunks give \(chunked.elements.count) elements, the whole \(whole.elements.count)")
    try promise(whole.positions == chunked.positions, "chunks give other positions")
    throw OracleFailure("chunks are written back with other bytes")
  }

  /// The lines are the same in chunks, and each property is one of them.
  private static func checkLines(
    _ bytes: [UInt8], cutAt cuts: [Int], against trace: ReadingTrace, limits: ParserLimits
  ) throws(OracleFailure) {
    let lines = LineTrace(reading: bytes, limits: limits)
    try promise(
      lines == LineTrace(reading: bytes, cutAt: cuts, limits: limits),
      "lines are not the same in chunks \(cuts)")
    // What is no UTF-8 at all is not looked at by the reader of components.
    guard trace.error == nil, lines.error == nil, bytes.first.map({ $0 < 0xFE }) ?? false,
      !bytes.starts(with: [0, 0, 0xFE, 0xFF])
    else { return }
    let found = lines.lines.filter { $0.role == .property || $0.role == .malformed }.count
    let expected = trace.positions.count - trace.componentCount
    try promise(found == expected, "\(found) lines are properties, of \(expected)")
  }

  /// The whole document says the same as the stream, and untouched calendars are the input's bytes.
  private static func checkStream(
    _ bytes: [UInt8], against trace: ReadingTrace, limits: ParserLimits
  ) throws(OracleFailure) {
    let stream: CalendarStream
    do throws(SyntaxError) {
      stream = try CalendarStream(parsing: bytes, limits: limits)
    } catch {
      try promise(error == trace.error, "the document ends in \(error), the stream does not")
      return
    }
    try promise(trace.error == nil, "the stream ends in an error, the document does not")
    try checkParts(bytes, against: stream, limits: limits)
    try promise(
      Set(stream.diagnostics) == Set(trace.diagnostics)
        && stream.diagnostics.count == trace.diagnostics.count,
      "the document's diagnostics are not those of the stream")
    try promise(
      zip(stream.diagnostics, stream.diagnostics.dropFirst()).allSatisfy {
        $0.position <= $1.position
      }, "diagnostics are not in order of place")
    let ranges = calendarRanges(in: trace)
    try promise(ranges.count == stream.calendars.count, "calendars and their ends do not agree")
    for (calendar, (range, isComplete)) in zip(stream.calendars, ranges) {
      try promise(calendar.isComplete == isComplete, "isComplete differs")
      if isComplete {
        try promise(
          Serializer().bytes(of: calendar) == ended(Array(bytes[range])),
          "an untouched calendar is not written back byte for byte")
      }
      try checkWriting(calendar)
      try CanonicalOracle.check(calendar)
      try CanonicalOracle.check(rewritten(calendar))
    }
  }

  /// What is read in parts, as on several cores, is the same as what is read at once.
  private static func checkParts(
    _ bytes: [UInt8], against stream: CalendarStream, limits: ParserLimits
  ) throws(OracleFailure) {
    for parts in [2, 5] {
      let other = try? CalendarStream(parsing: bytes, limits: limits, inTurn: parts)
      try promise(
        other == stream && other?.diagnostics == stream.diagnostics,
        "\(parts) parts say something else than the whole")
      let positions = other?.calendars.map(self.positions)
      try promise(
        positions == stream.calendars.map(self.positions), "\(parts) parts have other positions")
    }
  }

  private static func positions(_ component: Component) -> [SourcePosition?] {
    [component.position] + component.properties.map(\.position)
      + component.components.flatMap(positions)
  }

  private static func calendarRanges(
    in trace: ReadingTrace
  ) -> [(range: Range<Int>, isComplete: Bool)] {
    var ranges: [(Range<Int>, Bool)] = []
    var start = 0
    for element in trace.elements {
      if case .calendarBegan(_, let offset) = element { start = offset }
      if case .calendarEnded(let isComplete, let offset) = element {
        ranges.append((start..<offset, isComplete))
      }
    }
    return ranges
  }

  /// A file's last line is given a line end if it has none.
  private static func ended(_ bytes: [UInt8]) -> [UInt8] {
    bytes.last == 0x0A || bytes.last == 0x0D ? bytes : bytes + [0x0D, 0x0A]
  }

  /// What is written reads back as the same calendar: untouched, with new line ends, and rewritten.
  private static func checkWriting(_ calendar: Component) throws(OracleFailure) {
    for lineEnds in [Serializer.LineEnds.preserved, .normalized] {
      try checkReadsBack(calendar, Serializer(lineEnds: lineEnds))
      try checkReadsBack(rewritten(calendar), Serializer(lineEnds: lineEnds))
    }
  }

  /// The component with a property more in every one that is nested in it.
  private static func rewritten(_ component: Component) -> Component {
    var copy = component
    for index in copy.components.indices {
      copy.components[index] = rewritten(copy.components[index])
    }
    copy.properties.append(Property("X-EPACT", text: "x"))
    return copy
  }

  private static func checkReadsBack(
    _ calendar: Component, _ serializer: Serializer
  ) throws(OracleFailure) {
    let bytes = serializer.bytes(of: calendar)
    let again: CalendarStream
    do throws(SyntaxError) {
      again = try CalendarStream(parsing: bytes)
    } catch {
      throw OracleFailure("what is written cannot be read: \(error)")
    }
    try promise(
      again.calendars == [calendar],
      "reads back differently: \(String(decoding: bytes, as: UTF8.self).debugDescription)")
    if serializer.lineEnds == .normalized {
      try promise(
        !again.diagnostics.contains { $0.code == .lineEnd }, "line ends other than CRLF are left")
    }
  }

  /// Looks at everything that can be asked of an element.
  private static func checkElement(_ element: ReaderElement) throws(OracleFailure) {
    switch element {
    case .property(let property): try checkProperty(property)
    case .component(let component): try checkComponent(component)
    case .diagnostic(let diagnostic):
      try promise(!diagnostic.formatted(path: "x").isEmpty, "a diagnostic says nothing")
    case .calendarBegan, .calendarEnded: break
    }
  }

  private static func checkComponent(_ component: Component) throws(OracleFailure) {
    for property in component.properties { try checkProperty(property) }
    for nested in component.components { try checkComponent(nested) }
  }

  private static func checkProperty(_ property: Property) throws(OracleFailure) {
    try promise(property.hasParameters || property.parameters.isEmpty, "parameters from nothing")
    try promise(property == property, "a property is not equal to itself")
    try ValueOracle.check(property)
  }
}
