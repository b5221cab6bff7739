// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// A file with its safe fixes applied (RFC 5545 §3.1); all other lines keep their bytes.
///
/// A fix may reveal another one, so the file is checked again until no fix remains. Repairing a
/// repaired file changes nothing.
///
/// ```swift
/// let repair = FileRepair(of: bytes, now: now)
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
