// SPDX-License-Identifier: Apache-2.0

/// The content lines of a stream, as a sieve reads them: by the reader's fast path and grammar.
struct SiftedLines: Sendable {
  /// A line with its place in the stream.
  struct Line {
    let record: LineRecord
    /// The number of physical lines.
    let lineCount: Int
    /// The meaning of the line for a sieve.
    let role: SiftedRole
    /// Whether the reader reports no problem in it.
    let isRegular: Bool

    /// The index after its last line break.
    var end: Int { Int(record.end) }
  }

  /// The names that the structure of a stream depends on.
  let names = StructureNames.shared
  // Bare line feeds end a line for the reader too, which reports the first of them.
  private let finder = LineFinder(
    names: StructureNames.shared.properties, acceptsBareLineFeeds: true)
  private let roles = SiftedRole.all

  /// The line that starts at an index, or nil if it may continue after the available bytes.
  ///
  /// The arena holds its text if it is folded.
  @inline(__always)
  func line(
    at start: Int, in bytes: Span<UInt8>, isLast: Bool, arena: inout TextArena
  ) -> Line? {
    arena.truncate(to: 0)
    var lineCount = 0
    var parameterCount = 0
    guard
      let record = finder.next(
        in: bytes, from: start, upTo: bytes.count, lineNumber: &lineCount,
        parameterCount: &parameterCount, arena: &arena)
    else { return parsedLine(at: start, in: bytes, isLast: isLast, arena: &arena) }
    return Line(record: record, lineCount: lineCount, role: role(of: record), isRegular: true)
  }

  /// Like `line(at:in:isLast:arena:)`, for a line that the fast path does not accept.
  @inline(never)
  private func parsedLine(
    at start: Int, in bytes: Span<UInt8>, isLast: Bool, arena: inout TextArena
  ) -> Line? {
    var scanner = LineScanner(start: start, lineNumber: 0)
    guard var record = scanner.next(in: bytes, upTo: bytes.count, isLast: isLast, arena: &arena)
    else { return nil }
    let isRegular = Self.withText(of: record, in: bytes, arena) { text in
      let parser = ContentLineParser(text)
      record.note(parser.parts(of: text))
      return parser.problems.isEmpty
    }
    return Line(
      record: record, lineCount: scanner.lineNumber, role: role(of: record), isRegular: isRegular)
  }

  @inline(__always)
  private func role(of record: LineRecord) -> SiftedRole {
    record.nameIndex.map { roles[$0] } ?? .other
  }

  /// Calls `body` with the last line, unfolded and without its line break.
  @inline(__always)
  static func withText<Result>(
    of record: LineRecord, in bytes: Span<UInt8>, _ arena: borrowing TextArena,
    _ body: (Span<UInt8>) -> Result
  ) -> Result {
    guard record.isFolded else { return body(bytes.extracting(record.textRange)) }
    let unfolded = arena.padded
    return body(unfolded.span.extracting(record.textRange))
  }

  /// The index of the component that a BEGIN or END line names, or nil if it is spelled unusually.
  func componentIndex(of line: Line, in bytes: Span<UInt8>) -> Int? {
    let record = line.record
    let count = Int(record.textCount) &- Int(record.valueStart)
    guard !record.isFolded, record.valueStart == UInt32(record.nameLength) &+ 1,
      1...NameKey.limit ~= count
    else { return nil }
    return names.components.index(
      of: NameKey(bytes, at: Int(record.textStart &+ record.valueStart), count: count))
  }
}

/// The meaning of a property for a sieve.
enum SiftedRole: Sendable {
  case other, begin, end, uid, start, endTime, due, duration, rule, ruleDates, recurrenceID

  /// The roles of all known properties, by the index of the name.
  static let all: [SiftedRole] = {
    let roles: [(PropertyName, SiftedRole)] = [
      ("BEGIN", .begin), ("END", .end), (.uid, .uid), (.dtStart, .start), (.dtEnd, .endTime),
      (.due, .due), (.duration, .duration), (.rRule, .rule), (.rDate, .ruleDates),
      (.recurrenceID, .recurrenceID),
    ]
    var all = Array(repeating: SiftedRole.other, count: PropertyVocabulary.table.names.count)
    for (name, role) in roles { name.index.map { all[$0] = role } }
    return all
  }()
}
