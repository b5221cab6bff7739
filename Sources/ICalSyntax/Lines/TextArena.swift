// SPDX-License-Identifier: Apache-2.0

/// Where folded lines are unfolded to, one after the other.
///
/// An array that is longer than what was written, so that the many short pieces of folded lines are
/// copied into it without asking each time whether it has to grow.
struct TextArena {
  /// By how many bytes the array grows where there is room for them.
  private static let step = 1 << 16
  /// For how many bytes there is room when a line begins; nearly all lines have fewer.
  private static let usualLength = 4096
  /// What there is room for behind the last line, so that it too is copied in whole pieces.
  private static let padding = OutputSpan<UInt8>.copiedLength

  /// What was written, with padding behind it.
  private(set) var padded: [UInt8] = []
  /// How many bytes were written.
  private(set) var count = 0

  /// Makes room for the unfolded lines of so many bytes, which takes no memory until it is used.
  ///
  /// Enough for all of them where there are many, so that they are never moved; of a long file more than
  /// half may be folded. Where there are few, the first fold makes all the room that they need.
  mutating func reserve(forBytes count: Int) {
    guard count > Self.usualLength else { return }
    padded.reserveCapacity(count > Self.step ? count + Self.step : count / 2)
  }

  /// Unfolds a line behind what was written before, whatever characters it has after its first fold.
  ///
  /// - Parameters:
  ///   - bytes: The bytes that the line lies in.
  ///   - start: Where it starts.
  ///   - first: The line break before its first fold.
  ///   - end: Before where it has to end.
  ///   - acceptsBareLineFeeds: Whether LF alone is a line break.
  /// - Returns: Where the next line starts, and how many folds there were; nil if the line has no end, and
  ///   then nothing was written.
  @inline(__always)
  mutating func unfold(
    _ bytes: Span<UInt8>, from start: Int, _ first: Range<Int>, upTo end: Int,
    acceptsBareLineFeeds: Bool
  ) -> (next: Int, folds: Int)? {
    let room = min(Self.usualLength, end &- start &+ Self.padding)
    if padded.count &- count < room { grow(by: room) }
    var place = count
    var folds = 0
    var segment = start
    var lineBreak = first
    var target = padded.mutableSpan
    while true {
      guard
        target.copyFew(
          bytes, from: segment, count: lineBreak.lowerBound &- segment, to: place)
      else {
        return unfoldLong(
          bytes, from: start, first, upTo: end, acceptsBareLineFeeds: acceptsBareLineFeeds)
      }
      place &+= lineBreak.lowerBound &- segment
      guard bytes[lineBreak.upperBound].isFoldSpace else { break }
      folds &+= 1
      segment = lineBreak.upperBound &+ 1
      lineBreak = bytes.lineBreak(
        from: segment, to: end, acceptsBareLineFeeds: acceptsBareLineFeeds)
      guard lineBreak.upperBound < end else { return nil }
    }
    count = place
    return (lineBreak.upperBound, folds)
  }

  /// The same for a line that is long or has a long physical line.
  @inline(never)
  private mutating func unfoldLong(
    _ bytes: Span<UInt8>, from start: Int, _ first: Range<Int>, upTo end: Int,
    acceptsBareLineFeeds: Bool
  ) -> (next: Int, folds: Int)? {
    let textStart = count
    var folds = 0
    var segment = start
    var lineBreak = first
    while true {
      append(bytes, from: segment, to: lineBreak.lowerBound)
      guard bytes[lineBreak.upperBound].isFoldSpace else { break }
      folds += 1
      segment = lineBreak.upperBound + 1
      lineBreak = bytes.lineBreak(
        from: segment, to: end, acceptsBareLineFeeds: acceptsBareLineFeeds)
      guard lineBreak.upperBound < end else {
        truncate(to: textStart)
        return nil
      }
    }
    return (lineBreak.upperBound, folds)
  }

  /// Copies a range of bytes behind what was written before.
  mutating func append(_ bytes: Span<UInt8>, from start: Int, to end: Int) {
    let length = end &- start
    if padded.count &- count < length { grow(by: length) }
    let place = count
    var target = padded.mutableSpan
    target.copy(bytes, from: start, count: length, to: place)
    count = place &+ length
  }

  /// Takes back what was written after the first `count` bytes.
  mutating func truncate(to count: Int) {
    self.count = min(self.count, count)
  }

  @inline(never)
  private mutating func grow(by length: Int) {
    let size = max(length, min(Self.step, max(256, padded.count)))
    padded.append(contentsOf: repeatElement(0, count: size))
  }
}

extension Span<UInt8> {
  /// The next line break after whatever characters; one at `end` if there is none before it.
  @inline(__always)
  func lineBreak(
    from start: Int, to end: Int, acceptsBareLineFeeds: Bool
  ) -> Range<Int> {
    let none = end..<end
    guard start < end else { return none }
    let lineFeed = firstLineFeed(from: start, to: end)
    guard lineFeed < end else { return none }
    if lineFeed > start, self[lineFeed &- 1] == ASCII.carriageReturn {
      return lineFeed &- 1..<lineFeed &+ 1
    }
    return acceptsBareLineFeeds ? lineFeed..<lineFeed &+ 1 : none
  }
}
