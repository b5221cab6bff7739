// SPDX-License-Identifier: Apache-2.0

/// Two edits of one item that do not go together, and what became of them.
public struct MergeConflict: Hashable, Sendable, CustomStringConvertible {
  /// What stands against what.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Both sides edited it, differently.
    case edits
    /// One side edited what the other one deleted.
    case deletion
    /// One side edited an occurrence that the other one took out of the series (EXDATE).
    case exclusion
    /// The rule was changed on one side, and an occurrence that was edited on the other one is not in the
    /// series any more.
    case orphan
    /// What the sides did goes together in no valid component.
    case invalid
  }

  /// What became of it.
  public enum Outcome: Hashable, Sendable {
    /// Neither version is lost: it waits until somebody chooses; the merged item has the local one.
    case waits
    /// The policy chose the version of this side.
    case chosen(MergeSide)
    /// The edit of this side outlived the deletion by the other one.
    case survived(MergeSide)
  }

  /// What stands against what.
  public let kind: Kind
  /// What became of it.
  public let outcome: Outcome
  /// The component it is in: `VEVENT`, `VEVENT 20260302T090000`, `VEVENT / VALARM`.
  public let component: String
  /// What it is about: the names of properties, or of a nested component.
  public let subject: String
  /// The content lines of the base, unfolded; empty if there are none.
  public let base: [String]
  /// The local content lines.
  public let local: [String]
  /// The remote content lines.
  public let remote: [String]

  package init(
    kind: Kind, outcome: Outcome, component: String, subject: String, base: [String],
    local: [String], remote: [String]
  ) {
    self.kind = kind
    self.outcome = outcome
    self.component = component
    self.subject = subject
    self.base = base
    self.local = local
    self.remote = remote
  }

  /// Whether somebody has to choose.
  public var isWaiting: Bool { outcome == .waits }

  /// One line for people: `VEVENT: SUMMARY: edited on both sides; waits`.
  public var description: String { "\(component): \(subject): \(words)" }

  private var words: String {
    let happened: String
    let survivor: MergeSide? = if case .survived(let side) = outcome { side } else { nil }
    switch kind {
    case .edits: happened = "edited on both sides"
    case .deletion: happened = "edited on one side and deleted on the other"
    case .exclusion: happened = "edited on one side and taken out of the series on the other"
    case .orphan: happened = "edited on one side, and no longer in the series of the other"
    case .invalid: happened = "what the sides did goes together in no valid component"
    }
    if let survivor { return "\(happened); the \(survivor.rawValue) edit survives" }
    if case .chosen(let side) = outcome {
      return "\(happened); the \(side.rawValue) version is taken"
    }
    return "\(happened); waits"
  }
}
