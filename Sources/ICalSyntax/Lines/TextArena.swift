// SPDX-License-Identifier: Apache-2.0

/// A buffer for the text of unfolded lines.
///
/// The array is longer than its content, so that the many short pieces of folded lines are copied
/// without a capacity check for each.
struct TextArena {
  /// The number of bytes by which the array usually grows.
  private static let step = 1 << 16
  /// The capacity reserved at the start of a line; nearly all lines are shorter.
  private static let usualLength = 4096
  /// The padding after the last line, so that it too is copied in fixed-length pieces.
  private static let padding = OutputSpan<UInt8>.copiedLength

  /// The content, followed by padding.
  private(set) var padded: [UInt8] = []
  /// The number of bytes in the content.
  private(set) var count = 0

  /// Reserves capacity for the unfolded lines of a file of `count` bytes.
  ///
  /// For a large file the capacity suffices for all lines, so that the buffer is never moved; more
  /// than half of its bytes may be folded. Unused capacity takes no memory. For a small file, the
  /// first fold allocates enough.
  mutating func reserve(forBytes count: Int) {
    guard count > Self.usualLength else { return }
    padded.reserveCapacity(count > Self.step ? count + Self.step : count / 2)
  }

  /// Appends the unfolded text of a line, with any characters after its first fold.
  ///
  /// - Parameters:
  ///   - bytes: The bytes that contain the line.
  ///   - start: The start of the line.
  ///   - first: The line break before its first fold.
  ///   - end: The index before which the line must end.
  ///   - acceptsBareLineFeeds: Whether a bare LF is a line break.
  /// - Returns: The start of the next line and the number of folds; nil if the line has no end, in
  ///   which case nothing is appended.
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

  /// Like `unfold`, for a long line or one with a long physical line.
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

  /// Appends a range of bytes.
  mutating func append(_ bytes: Span<UInt8>, from start: Int, to end: Int) {
    let length = end &- start
    if padded.count &- count < length { grow(by: length) }
    let place = count
    var target = padded.mutableSpan
    target.copy(bytes, from: start, count: length, to: place)
    count = place &+ length
  }

  /// Removes everything after the first `count` bytes.
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
  /// The next line break, or an empty range at `end` if there is none before it.
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
