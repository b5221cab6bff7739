// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// A file with its safe fixes applied (RFC 5545 §3.1); all other lines keep their bytes.
///
/// A fix may reveal another one, so the file is checked again until no fix remains. Repairing a
/// repaired file changes nothing.
///
/// ```swift
/// let repair = FileRepair(of: bytes, now: now.civil())
/// repair.bytes           // what the file should hold
/// repair.hunks(context: 3)
/// ```
public struct FileRepair: Sendable {
  /// The maximum number of checks.
  ///
  /// Each round fixes at least one thing on every line that has a fix, and no line has more than a
  /// few.
  private static let roundLimit = 8

  private var text: RepairedText
  /// The fixed diagnostics, with their positions in the file of the respective round.
  public private(set) var mended: [Diagnostic] = []
  /// The remaining diagnostics, ordered by position in the repaired file.
  public private(set) var left: [Diagnostic] = []

  /// Repairs a file.
  ///
  /// - Parameters:
  ///   - bytes: The contents of the file.
  ///   - limits: The limits for reading the file; if one is reached, nothing is repaired.
  ///   - now: The current time in UTC, for a missing DTSTAMP.
  ///   - zones: The time zones, for times with a TZID that must be in UTC; nil to leave these.
  public init(
    of bytes: [UInt8], limits: ParserLimits = ParserLimits(), now: CivilDateTime? = nil,
    zones: ZoneDatabase? = nil
  ) {
    text = RepairedText(bytes)
    var current = bytes
    for _ in 0..<Self.roundLimit {
      left = FileChecker.diagnostics(for: current.span, limits: limits, now: now, zones: zones)
      guard !left.contains(where: \.code.isLimit) else { return }
      let applied = text.apply(left)
      guard !applied.isEmpty else { return }
      mended += applied
      current = text.bytes
    }
    left = FileChecker.diagnostics(for: current.span, limits: limits, now: now, zones: zones)
  }

  /// The contents of the repaired file.
  public var bytes: [UInt8] { text.bytes }

  /// Whether any fix was applied.
  public var isChanged: Bool { !mended.isEmpty }

  /// Returns the changes as a unified diff, without changes that only affect line breaks.
  ///
  /// - Parameter context: The number of unchanged lines around a change.
  /// - Returns: The hunks, in file order.
  public func hunks(context: Int = 3) -> [DiffHunk] {
    var builder = DiffBuilder(context: context)
    text.forEachPiece { old, new in
      builder.add(old: old, new: new)
    }
    return builder.finish()
  }
}

extension DiagnosticCode {
  /// Whether reading stopped at a limit.
  fileprivate var isLimit: Bool { rawValue.hasPrefix("limit.") }
}

/// A file as a list of content lines, each original or changed.
struct RepairedText: Sendable {
  /// A content line with its folds and line break, or one that was added or removed.
  private struct Piece {
    /// The range in the original; empty for an added line.
    let source: Range<Int>
    /// The new text; nil for an unchanged line.
    var text: [UInt8]?
  }

  private let original: [UInt8]
  private var pieces: [Piece] = []

  init(_ bytes: [UInt8]) {
    original = bytes
    var start = 0
    var end = 0
    while end < bytes.count {
      let next = Self.endOfLine(bytes.span, from: end)
      // A line that starts with a space or tab continues the previous one.
      if end > start, !bytes[end].isFoldSpace {
        pieces.append(Piece(source: start..<end))
        start = end
      }
      end = next
    }
    if end > start { pieces.append(Piece(source: start..<end)) }
  }

  /// The current text.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(original.count + original.count / 64)
    for piece in pieces {
      if let text = piece.text {
        bytes += text
      } else {
        bytes += original[piece.source]
      }
    }
    return bytes
  }

  /// Calls `body` with the old and the new text of each content line.
  func forEachPiece(_ body: (_ old: ArraySlice<UInt8>, _ new: ArraySlice<UInt8>) -> Void) {
    for piece in pieces {
      let old = original[piece.source]
      body(old, piece.text.map { $0[...] } ?? old)
    }
  }

  /// Applies the safe fixes of diagnostics about the current text, at most one for each line.
  ///
  /// - Returns: The diagnostics whose fixes were applied.
  mutating func apply(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    var byLine: [Int: [Diagnostic]] = [:]
    var whole: [Diagnostic] = []
    for diagnostic in diagnostics {
      switch diagnostic.fix?.edit {
      case .replace(let line, _)?, .remove(let line)?, .insert(let line, _)?, .end(let line, _)?:
        byLine[line, default: []].append(diagnostic)
      case .endLines?, .foldLines?: whole.append(diagnostic)
      case nil: break
      }
    }
    var applied: [Diagnostic] = []
    if !byLine.isEmpty { applied += applyToLines(byLine) }
    for diagnostic in whole where isChangedByWhole(diagnostic) { applied.append(diagnostic) }
    return applied
  }

  private mutating func applyToLines(_ byLine: [Int: [Diagnostic]]) -> [Diagnostic] {
    var applied: [Diagnostic] = []
    var result: [Piece] = []
    result.reserveCapacity(pieces.count + byLine.count)
    var line = 1
    for piece in pieces {
      var piece = piece
      let first = line
      line += lineCount(of: piece)
      var isTaken = false
      var added: [Piece] = []
      for diagnostic in byLine[first] ?? [] {
        switch diagnostic.fix?.edit {
        case .insert(_, let property)?:
          added.append(
            Piece(
              source: piece.source.upperBound..<piece.source.upperBound, text: Self.line(property)))
          applied.append(diagnostic)
        case .end(_, let property)?:
          endLast(&result)
          result.append(
            Piece(
              source: piece.source.lowerBound..<piece.source.lowerBound, text: Self.line(property)))
          applied.append(diagnostic)
        case .replace(_, let property)? where !isTaken:
          isTaken = true
          piece.text = Self.line(property)
          applied.append(diagnostic)
        case .remove? where !isTaken:
          isTaken = true
          piece.text = []
          applied.append(diagnostic)
        default: break
        }
      }
      if piece.text != [] || !piece.source.isEmpty { result.append(piece) }
      if !added.isEmpty { endLast(&result) }
      result += added
    }
    pieces = result
    return applied
  }

  /// Adds a line break to the last line if it has none.
  private func endLast(_ result: inout [Piece]) {
    guard let index = result.indices.last else { return }
    let text = result[index].text ?? Array(original[result[index].source])
    guard let last = text.last, last != ASCII.lineFeed, last != ASCII.carriageReturn else { return }
    result[index].text = text + [ASCII.carriageReturn, ASCII.lineFeed]
  }

  /// Applies a fix for all lines, and returns whether any changed.
  private mutating func isChangedByWhole(_ diagnostic: Diagnostic) -> Bool {
    var isChanged = false
    for index in pieces.indices {
      let text = pieces[index].text ?? Array(original[pieces[index].source])
      let mended =
        diagnostic.fix?.edit == .endLines
        ? Self.withCRLF(text.span) : Self.folded(text.span) ?? text
      guard mended != text else { continue }
      pieces[index].text = mended
      isChanged = true
    }
    return isChanged
  }

  private func lineCount(of piece: Piece) -> Int {
    let bytes = piece.text.map { $0[...] } ?? original[piece.source]
    return Self.lines(in: bytes).count
  }

  // MARK: Lines

  private static func line(_ property: Property) -> [UInt8] {
    var bytes: [UInt8] = []
    Serializer().write(property, to: &bytes)
    return bytes
  }

  /// The index after the line break of a physical line.
  private static func endOfLine(_ bytes: Span<UInt8>, from start: Int) -> Int {
    var index = start
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if byte == ASCII.lineFeed { return index }
      guard byte == ASCII.carriageReturn else { continue }
      return index - 1 + bytes.lineBreakLength(at: index - 1)
    }
    return index
  }

  /// The physical lines without line breaks.
  static func lines(in bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    let whole = Array(bytes)
    var lines: [ArraySlice<UInt8>] = []
    var start = 0
    while start < whole.count {
      let end = endOfLine(whole.span, from: start)
      var last = end
      while last > start,
        whole[last - 1] == ASCII.lineFeed || whole[last - 1] == ASCII.carriageReturn
      {
        last -= 1
      }
      lines.append(whole[start..<last])
      start = end
    }
    return lines
  }

  /// The same lines with CRLF line breaks.
  private static func withCRLF(_ text: Span<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var index = 0
    while index < text.count {
      let byte = text[index]
      if byte.isLineEnd {
        result += [ASCII.carriageReturn, ASCII.lineFeed]
        index += text.lineBreakLength(at: index)
      } else {
        result.append(byte)
        index += 1
      }
    }
    // The last line of a file may have no line break.
    if let last = result.last, last != ASCII.lineFeed {
      result += [ASCII.carriageReturn, ASCII.lineFeed]
    }
    return result
  }

  /// Folds a content line again, or returns nil if none of its physical lines is too long.
  private static func folded(_ text: Span<UInt8>) -> [UInt8]? {
    let physical = lines(in: Array(copying: text)[...])
    guard physical.contains(where: { $0.count > LineFolder.limit }) else { return nil }
    var line: [UInt8] = []
    for (index, part) in physical.enumerated() { line += index == 0 ? part : part.dropFirst() }
    var result: [UInt8] = []
    LineFolder.write(line.span, to: &result)
    return result
  }
}

extension UInt8 {
  /// Whether the byte is CR or LF.
  fileprivate var isLineEnd: Bool { self == ASCII.lineFeed || self == ASCII.carriageReturn }
}
