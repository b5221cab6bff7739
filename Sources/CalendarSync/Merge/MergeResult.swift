// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

/// The result of a merge.
public struct MergeResult: Hashable, Sendable, CustomStringConvertible {
  /// The merged item; conflicting parts have the local version.
  public let item: CalendarItem
  /// The conflicts with their outcomes, in the order of the item.
  public let conflicts: [MergeConflict]

  /// Whether the user need not choose anything.
  public var isClean: Bool { !conflicts.contains(where: \.isWaiting) }

  /// The title of the merged item, and one line for each conflict.
  public var description: String {
    (["merged \"\(item.title)\" (\(item.uid))"] + conflicts.map { "  \($0)" })
      .joined(separator: "\n")
  }
}

/// Two incompatible edits of one item, with the outcome.
public struct MergeConflict: Hashable, Sendable, CustomStringConvertible {
  /// The kind of the conflict.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Both sides made different edits.
    case edits
    /// One side edited what the other side deleted.
    case deletion
    /// One side edited an occurrence that the other side excluded (EXDATE).
    case exclusion
    /// One side edited an occurrence that is missing in the changed rule of the other side.
    case orphan
    /// One side excluded an occurrence that the other side split off with the later part.
    case skip
    /// One side edited an occurrence, and the other side moved the series to another day.
    case move
    /// One side edited a series, and the other side split off its later part, another item.
    case part
    /// One side edited a series, or excluded an occurrence, and the other side ended the series
    /// earlier; an item that continues the series does not have the edit.
    case end
    /// Both sides split a series, so that two items continue it.
    case split
    /// The changes of both sides do not form a valid component together.
    case invalid
  }

  /// The outcome of the conflict.
  public enum Outcome: Hashable, Sendable {
    /// Both versions are kept until the user chooses; the merged item has the local one.
    case waits
    /// The policy chose the version of this side.
    case chosen(MergeSide)
    /// The edit of this side overrides the deletion on the other side.
    case survived(MergeSide)
  }

  /// The kind of the conflict.
  public let kind: Kind
  /// The outcome of the conflict.
  public let outcome: Outcome
  /// The path of the component: `VEVENT`, `VEVENT 20260302T090000`, `VEVENT / VALARM`.
  public let component: String
  /// The names of the affected properties, or of a nested component.
  public let subject: String
  /// The unfolded content lines of the base; empty if there are none.
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

  /// Whether the user has to choose.
  public var isWaiting: Bool { outcome == .waits }

  /// One line for logs: `VEVENT: SUMMARY: edits, waits`.
  public var description: String {
    "\(component): \(subject): \(kind.rawValue), \(outcome)"
  }
}

extension MergeConflict.Outcome: CustomStringConvertible {
  /// The outcome for logs: `waits`, `local chosen`, `remote survived`.
  public var description: String {
    switch self {
    case .waits: "waits"
    case .chosen(let side): "\(side.rawValue) chosen"
    case .survived(let side): "\(side.rawValue) survived"
    }
  }

  /// The side whose version is in the merged item.
  var side: MergeSide {
    switch self {
    case .waits: .local
    case .chosen(let side), .survived(let side): side
    }
  }
}

/// The policy for different edits of both sides; an edit overrides a deletion in any case.
public enum MergePolicy: String, Hashable, Sendable, CaseIterable {
  /// Keep both versions: the conflict is stored until the user chooses.
  case keepBoth = "keep-both"
  /// Use the version that was modified last, by LAST-MODIFIED and then DTSTAMP.
  ///
  /// Without these properties it behaves as `keepBoth`.
  case newest
  /// Use the local version.
  case local
  /// Use the remote version.
  case remote

  /// The policy with the sides exchanged.
  public var swapped: MergePolicy {
    switch self {
    case .keepBoth, .newest: self
    case .local: .remote
    case .remote: .local
    }
  }
}

/// The policy of a sync, with exceptions for single properties.
public struct MergePolicies: Hashable, Sendable {
  /// The default policy.
  public var standard: MergePolicy
  /// The exceptions by upper-case name of a property or component: `SUMMARY`, `VALARM`.
  public var named: [String: MergePolicy]

  /// Creates policies.
  public init(_ standard: MergePolicy = .keepBoth, named: [String: MergePolicy] = [:]) {
    self.standard = standard
    self.named = named
  }

  /// The policy for a part with these names; the first name with an exception applies.
  public func policy(for names: [String]) -> MergePolicy {
    names.lazy.compactMap { named[$0] }.first ?? standard
  }

  /// The policies with the sides exchanged.
  public var swapped: MergePolicies {
    MergePolicies(standard.swapped, named: named.mapValues(\.swapped))
  }
}

/// One of the two sides of a merge.
public enum MergeSide: String, Hashable, Sendable, CaseIterable, Codable {
  /// The local calendar.
  case local
  /// The remote calendar.
  case remote

  /// The other side.
  public var other: MergeSide { self == .local ? .remote : .local }
}
