// SPDX-License-Identifier: Apache-2.0

/// Cuts bytes into content lines, and stops where bytes are missing until more of them come.
///
/// It keeps offsets only; the bytes are handed to each call, so that they can be looked at where they
/// lie. A line break is CRLF, or LF or CR alone, which is noted; a break that a space or a tab follows
/// is a fold (RFC 5545 §3.1).
struct LineScanner: Sendable {
  /// What is known of the characters of the line last found.
  private(set) var characters = LineCharacters()
  /// Where the first line stands that ends in LF or CR alone.
  private(set) var firstBareLineEnd: Int?
  /// Where the line that is being looked for starts.
  private(set) var lineStart: Int
  /// The number of the physical line at `lineStart`.
  private(set) var lineNumber: Int
  /// Up to where that line was looked through.
  private var scan: Int
  /// Where the physical line starts that is being looked through, after the space of a fold.
  private var segmentStart: Int
  /// Where the unfolded text begins in the arena, once a fold was found.
  private var textStart = 0
  private var folds = 0
  /// Whether `characters` is that of a line which was handed out.
  private var isFresh = true

  init(start: Int, lineNumber: Int) {
    lineStart = start
    scan = start
    segmentStart = start
    self.lineNumber = lineNumber
  }

  /// The place after the last line end, or the end of a last line that has none.
  private(set) var endPosition = SourcePosition(line: 1, column: 1)

  /// Finds the next content line.
  ///
  /// - Parameters:
  ///   - bytes: The bytes; those before `lineStart` are not looked at.
  ///   - end: Up to where they may be looked at.
  ///   - isLast: Whether no more bytes will come.
  ///   - arena: Where folded lines are unfolded to.
  /// - Returns: The line, or nil until there are more bytes.
  mutating func next(
    in bytes: Span<UInt8>, upTo end: Int, isLast: Bool, arena: inout TextArena
  ) -> LineRecord? {
    if isFresh {
      characters = LineCharacters()
      isFresh = false
    }
    while true {
      let lineFeed = bytes.firstLineFeed(from: scan, to: end)
      var lineBreak = lineFeed
      if lineFeed > scan, bytes[lineFeed &- 1] == ASCII.carriageReturn { lineBreak &-= 1 }
      var next = lineFeed &+ 1
      if lineFeed == end || !bytes.isPrintable(from: scan, to: lineBreak) {
        guard let found = closeLook(bytes, end, isLast: isLast) else {
          guard isLast, lineStart < end else { return nil }
          return take(contentEnd: end, end: end, bytes, &arena)
        }
        (lineBreak, next) = (found.lowerBound, found.upperBound)
      } else if lineBreak == lineFeed {
        noteBareLineEnd()
      }
      if next == end {
        guard isLast else {
          scan = lineBreak
          return nil
        }
      } else if bytes[next].isFoldSpace {
        unfold(upTo: lineBreak, next: next, bytes, &arena)
        continue
      }
      return take(contentEnd: lineBreak, end: next, bytes, &arena)
    }
  }

  /// The range of the next line break where there is more than printable ASCII before it, or nil.
  private mutating func closeLook(
    _ bytes: Span<UInt8>, _ end: Int, isLast: Bool
  ) -> Range<Int>? {
    while true {
      let control = characters.firstControl(in: bytes, from: scan, to: end)
      guard control < end else {
        scan = end
        return nil
      }
      let next = control + 1
      switch bytes[control] {
      case ASCII.lineFeed:
        noteBareLineEnd()
        return control..<next
      case ASCII.carriageReturn where next == end && !isLast:
        scan = control
        return nil
      case ASCII.carriageReturn where next < end && bytes[next] == ASCII.lineFeed:
        return control..<(next + 1)
      case ASCII.carriageReturn:
        noteBareLineEnd()
        return control..<next
      case ASCII.tab: scan = next
      default:
        characters.hasControls = true
        scan = next
      }
    }
  }

  /// Whether nothing of the line at `lineStart` was looked at yet.
  var isAtLineStart: Bool { scan == lineStart && folds == 0 }

  /// Passes by lines that were read in another way, each with a line end.
  mutating func pass(to end: Int, lineNumber number: Int) {
    guard end > lineStart else { return }
    lineNumber = number
    lineStart = end
    scan = end
    segmentStart = end
    endPosition = SourcePosition(line: lineNumber, column: 1)
  }

  /// Tells that so many bytes before `lineStart` are gone.
  mutating func rebase(by count: Int) {
    lineStart -= count
    scan -= count
    segmentStart -= count
  }

  private mutating func noteBareLineEnd() {
    if firstBareLineEnd == nil { firstBareLineEnd = lineNumber + folds }
  }

  /// Copies what stands before a fold into the arena and goes on after the space.
  private mutating func unfold(
    upTo lineBreak: Int, next: Int, _ bytes: Span<UInt8>, _ arena: inout TextArena
  ) {
    if folds == 0 { textStart = arena.count }
    arena.append(bytes, from: segmentStart, to: lineBreak)
    folds &+= 1
    segmentStart = next &+ 1
    scan = segmentStart
  }

  private mutating func take(
    contentEnd: Int, end: Int, _ bytes: Span<UInt8>, _ arena: inout TextArena
  ) -> LineRecord {
    var text = lineStart..<contentEnd
    if folds > 0 {
      arena.append(bytes, from: segmentStart, to: contentEnd)
      text = textStart..<arena.count
    }
    let line = LineRecord(
      physical: lineStart..<end, text: text, isFolded: folds > 0, lineNumber: lineNumber)
    lineNumber &+= folds &+ 1
    endPosition =
      contentEnd < end
      ? SourcePosition(line: lineNumber, column: 1)
      : SourcePosition(
        line: lineNumber - 1, column: end - segmentStart + (folds > 0 ? 2 : 1))
    lineStart = end
    scan = end
    segmentStart = end
    folds = 0
    isFresh = true
    return line
  }
}
