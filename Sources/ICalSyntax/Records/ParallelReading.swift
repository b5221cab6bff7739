// SPDX-License-Identifier: Apache-2.0

/// Reads the parts of a stream concurrently.
///
/// Each part is assumed to begin inside a calendar and outside of its components. The assumption is
/// verified once the part before it has been read. If it is wrong, or if the structure of the
/// stream is broken, the result is nil and the caller reads the stream sequentially.
enum ParallelReading {
  /// A part that has been read.
  private struct Part: Sendable {
    let builder: RecordBuilder
    /// Whether the next part begins inside a calendar and outside of its components.
    let isClean: Bool
  }

  /// The number of parts for each core.
  ///
  /// Many parts are small, so that doing one again at the end costs little.
  static let partsPerCore = 16
  /// The maximum number of bytes in a stream; offsets have 32 bits.
  private static let limit = 1 << 30

  /// The findings of the whole stream, or nil if it must be read sequentially.
  static func read(
    _ bytes: [UInt8], limits: ParserLimits, parts: Int, cores: Int
  ) -> [ReaderBatch]? {
    guard let ranges = cuts(of: bytes, parts: parts) else { return nil }
    // The records are allocated here, because the C library gives pool threads small heaps of their
    // own, which return the memory to the kernel each time.
    let work = SharedWork(ranges.count) { index in
      builder(for: ranges[index], limits: limits)
    } _: { index, builder in
      part(ranges[index], of: bytes, builder, isEnd: index == ranges.count - 1)
    }
    return join(work.results(cores: cores), bytes)
  }

  /// Like `read`, but sequentially.
  static func readInTurn(_ bytes: [UInt8], limits: ParserLimits, parts: Int) -> [ReaderBatch]? {
    guard let ranges = cuts(of: bytes, parts: parts) else { return nil }
    return join(
      ranges.map {
        part($0, of: bytes, builder(for: $0, limits: limits), isEnd: $0.upperBound == bytes.count)
      }, bytes)
  }

  /// The ranges of the parts, or nil if there would be only one.
  private static func cuts(of bytes: [UInt8], parts: Int) -> [Range<Int>]? {
    guard bytes.count <= limit, bytes.first.map({ $0 < 0x80 }) ?? false else { return nil }
    let ranges = ranges(of: bytes.span, parts: parts)
    return ranges.count > 1 ? ranges : nil
  }

  /// Splits the stream at the beginnings of components.
  private static func ranges(of bytes: Span<UInt8>, parts: Int) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    for part in 1..<max(2, parts) {
      guard
        let cut = beginOfComponent(in: bytes, from: max(start + 1, bytes.count / parts * part))
      else { break }
      ranges.append(start..<cut)
      start = cut
    }
    return ranges + [start..<bytes.count]
  }

  /// The offset of the first line that begins an event, a reminder or a journal entry.
  private static func beginOfComponent(in bytes: Span<UInt8>, from start: Int) -> Int? {
    let words: [[UInt8]] = ["BEGIN:VEVENT", "BEGIN:VTODO", "BEGIN:VJOURNAL"].map { Array($0.utf8) }
    var index = start
    while index < bytes.count {
      index = bytes.firstLineFeed(from: index, to: bytes.count) + 1
      for word in words where index + word.count < bytes.count {
        if bytes.extracting(index..<(index + word.count)).isEqual(to: word.span) { return index }
      }
    }
    return nil
  }

  /// Creates a builder for a part, with capacity for its records.
  private static func builder(for range: Range<Int>, limits: ParserLimits) -> RecordBuilder {
    let isStart = range.lowerBound == 0
    var builder = RecordBuilder(
      limits: limits, start: range.lowerBound, isCalendarOpen: !isStart, hasComponents: !isStart)
    builder.reserve(forBytes: range.count)
    return builder
  }

  private static func part(
    _ range: Range<Int>, of bytes: [UInt8], _ fresh: consuming RecordBuilder, isEnd: Bool
  ) -> Part? {
    var builder = consume fresh
    do {
      try builder.read(bytes.span, upTo: range.upperBound, isLast: true)
    } catch {
      return nil
    }
    let isClean = builder.isCalendarOpen && builder.open.isEmpty
    if isEnd { builder.finish(bytes.span) }
    let isWhole = builder.findings.allSatisfy {
      if case .diagnostic(let diagnostic) = $0 { !diagnostic.isStructural } else { true }
    }
    return isWhole ? Part(builder: builder, isClean: isClean) : nil
  }

  /// Joins the parts, or returns nil if one of them does not begin as assumed.
  private static func join(_ results: [Part?], _ bytes: [UInt8]) -> [ReaderBatch]? {
    let parts = results.compactMap(\.self)
    guard parts.count == results.count, parts.dropLast().allSatisfy(\.isClean) else { return nil }
    let builders = parts.map(\.builder)
    var batches: [ReaderBatch] = []
    var lineCount = 0
    var lineEnds = OtherLineEnds()
    for builder in builders {
      let block = RecordBlock(builder, bytes: bytes, firstLineNumber: lineCount)
      batches.append(ReaderBatch(block: block, offset: 0, findings: builder.findings))
      lineEnds = lineEnds.followed(by: builder.otherLineEnds, after: lineCount)
      lineCount += builder.scanner.lineNumber - 1
    }
    guard let last = batches.popLast() else { return batches }
    let notes = lineEnds.diagnostics(subtracting: last.block.firstLineNumber)
    batches.append(
      ReaderBatch(
        block: last.block, offset: 0,
        findings: last.findings + notes.map(RecordFinding.diagnostic)))
    return batches
  }
}
