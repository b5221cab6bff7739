// SPDX-License-Identifier: Apache-2.0

/// Splits bytes into content lines, and pauses at the end of the bytes until more arrive.
///
/// It is the first half of the grammar of lines, which `ContentLineParser` completes.
///
/// It stores only offsets; the caller passes the bytes to each call, so that they are read in
/// place. A line break is CRLF, or a bare LF or CR, or CR CR LF, which are recorded. A break before a
/// space or tab is a fold (RFC 5545 §3.1).
struct LineScanner: Sendable {
  /// The first line breaks other than CRLF.
  private(set) var otherLineEnds = OtherLineEnds()
  /// The start of the current line.
  private(set) var lineStart: Int
  /// The number of the physical line at `lineStart`.
  private(set) var lineNumber: Int
  /// The index up to which the line has been scanned.
  private var scan: Int
  /// The start of the current physical line, after the space of a fold.
  private var segmentStart: Int
  /// The start of the unfolded text in the arena, once a fold was found.
  private var textStart = 0
  private var folds = 0

  init(start: Int, lineNumber: Int) {
    lineStart = start
    scan = start
    segmentStart = start
    self.lineNumber = lineNumber
  }

  /// The position after the last line break, or the end of a last line without one.
  private(set) var endPosition = SourcePosition(line: 1, column: 1)

  /// Finds the next content line.
  ///
  /// - Parameters:
  ///   - bytes: The bytes; those before `lineStart` are ignored.
  ///   - end: The end of the readable bytes.
  ///   - isLast: Whether these are the last bytes.
  ///   - arena: The buffer for unfolded lines.
  /// - Returns: The line, or nil until there are more bytes.
  mutating func next(
    in bytes: Span<UInt8>, upTo end: Int, isLast: Bool, arena: inout TextArena
  ) -> LineRecord? {
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

  /// The next line break, if the text before it is not only printable ASCII; nil at the end.
  private mutating func closeLook(
    _ bytes: Span<UInt8>, _ end: Int, isLast: Bool
  ) -> Range<Int>? {
    while true {
      let control = bytes.firstControl(from: scan, to: end)
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
      case ASCII.carriageReturn where next < end && bytes[next] == ASCII.carriageReturn:
        if next + 1 == end, !isLast {
          scan = control
          return nil
        }
        guard next + 1 < end, bytes[next + 1] == ASCII.lineFeed else {
          noteBareLineEnd()
          return control..<next
        }
        otherLineEnds.doubled = otherLineEnds.doubled ?? lineNumber + folds
        return control..<(next + 2)
      case ASCII.carriageReturn:
        noteBareLineEnd()
        return control..<next
      default: scan = next
      }
    }
  }

  /// Whether scanning of the line at `lineStart` has not begun.
  var isAtLineStart: Bool { scan == lineStart && folds == 0 }

  /// Skips lines that were read by another path; each has a line break.
  mutating func pass(to end: Int, lineNumber number: Int) {
    guard end > lineStart else { return }
    lineNumber = number
    lineStart = end
    scan = end
    segmentStart = end
    endPosition = SourcePosition(line: lineNumber, column: 1)
  }

  /// Adjusts the offsets after `count` bytes before `lineStart` were removed.
  mutating func rebase(by count: Int) {
    lineStart -= count
    scan -= count
    segmentStart -= count
  }

  private mutating func noteBareLineEnd() {
    if otherLineEnds.bare == nil { otherLineEnds.bare = lineNumber + folds }
  }

  /// Copies the text before a fold into the arena, and continues after the space.
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
    return line
  }
}

/// The lines with the first line breaks other than CRLF (RFC 5545 §3.1).
struct OtherLineEnds: Sendable {
  /// The line that ends in a bare LF or CR.
  var bare: Int?
  /// The line that ends in CR CR LF, as text mode writes CRLF on Windows.
  var doubled: Int?

  /// The first ones of this stream, and of a later part of it.
  func followed(by later: OtherLineEnds, after lines: Int = 0) -> OtherLineEnds {
    OtherLineEnds(
      bare: bare ?? later.bare.map { $0 + lines },
      doubled: doubled ?? later.doubled.map { $0 + lines })
  }

  /// The diagnostics about all lines of a stream that end so, less a number of lines before them.
  func diagnostics(subtracting lines: Int = 0) -> [Diagnostic] {
    var found: [Diagnostic] = []
    if let bare {
      // It is a note, because text files on Linux and macOS end their lines so, and all readers
      // accept them.
      found.append(
        diagnostic(
          .note, line: bare - lines,
          "expected every line to end in CRLF, found a line "
            + "that ends in LF or CR alone"))
    }
    if let doubled {
      // It is a warning, because other readers take the second CR for the end of the line, so that
      // a fold is none.
      found.append(
        diagnostic(
          .warning, line: doubled - lines,
          "expected every line to end in CRLF, found a "
            + "line that ends in CR CR LF"))
    }
    return found
  }

  private func diagnostic(
    _ severity: Diagnostic.Severity, line: Int, _ message: String
  ) -> Diagnostic {
    Diagnostic(
      severity, .lineEnd, at: SourcePosition(line: line, column: 1), message,
      reference: "RFC 5545 §3.1", fix: Fix("end every line in CRLF", .endLines))
  }
}

extension Span<UInt8> {
  /// The index of the first control character, or `end` if there is none.
  fileprivate func firstControl(from start: Int, to end: Int) -> Int {
    var index = start
    while index &+ 8 <= end {
      let controls = ByteWord.controls(word(at: index))
      guard controls == 0 else { return index &+ controls.trailingZeroBitCount >> 3 }
      index &+= 8
    }
    while index < end, self[index] >= ASCII.space, self[index] != ASCII.delete { index &+= 1 }
    return index
  }
}
