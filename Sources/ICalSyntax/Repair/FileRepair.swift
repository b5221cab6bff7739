// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// A file with its safe fixes applied (RFC 5545 §3.1): every line that none of them is about stays
/// byte for byte.
///
/// A fix may bring another one to light, and so the file is checked again until there is nothing left
/// to mend. Mending what was mended changes nothing.
///
/// ```swift
/// let repair = FileRepair(of: bytes, now: now)
/// repair.bytes           // what the file should hold
/// repair.hunks(context: 3)
/// ```
public struct FileRepair: Sendable {
  /// How often the file is checked again; each round mends at least one thing on every line that has
  /// something to mend, and no line has more than a few.
  private static let roundLimit = 8

  private var text: RepairedText
  /// What was mended, each diagnostic with its place in the file as it was in that round.
  public private(set) var mended: [Diagnostic] = []
  /// What is left, in order of place in the mended file.
  public private(set) var left: [Diagnostic] = []

  /// Mends a file.
  ///
  /// - Parameters:
  ///   - bytes: What the file holds.
  ///   - limits: How much is taken from the file; if one is reached, nothing is mended.
  ///   - now: The present time in UTC, for a DTSTAMP that is missing.
  public init(of bytes: [UInt8], limits: ParserLimits = ParserLimits(), now: CivilDateTime? = nil) {
    text = RepairedText(bytes)
    var current = bytes
    for _ in 0..<Self.roundLimit {
      left = FileChecker.diagnostics(for: current.span, limits: limits, now: now)
      guard !left.contains(where: \.code.isLimit) else { return }
      let applied = text.apply(left)
      guard !applied.isEmpty else { return }
      mended += applied
      current = text.bytes
    }
    left = FileChecker.diagnostics(for: current.span, limits: limits, now: now)
  }

  /// What the file holds once it is mended.
  public var bytes: [UInt8] { text.bytes }

  /// Whether anything was mended.
  public var isChanged: Bool { !mended.isEmpty }

  /// The changes as a unified diff shows them; those of nothing but a line end are left out.
  ///
  /// - Parameter context: How many lines are shown around a change.
  /// - Returns: The hunks in the order of the file.
  public func hunks(context: Int = 3) -> [DiffHunk] {
    var builder = DiffBuilder(context: context)
    text.forEachPiece { old, new in
      builder.add(old: old, new: new)
    }
    return builder.finish()
  }
}

extension DiagnosticCode {
  /// Whether the file was not read to its end.
  fileprivate var isLimit: Bool { rawValue.hasPrefix("limit.") }
}
