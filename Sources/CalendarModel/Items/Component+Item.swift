// SPDX-License-Identifier: Apache-2.0

import CivilTime
package import ICalSyntax

extension Component {
  /// The UID, or nil if it is missing or empty (RFC 5545 §3.8.4.7).
  package var uid: UID? {
    guard let text = self[.uid]?.text, !text.isEmpty else { return nil }
    return UID(text)
  }

  /// Whether the component overrides an occurrence of a series (RFC 5545 §3.8.4.4).
  package var isOverride: Bool { self[.recurrenceID] != nil }

  /// Whether the component and all nested components have their own END lines.
  package var isWhole: Bool { isComplete && components.allSatisfy(\.isWhole) }

  /// The revision of the component.
  package var revision: ComponentRevision { ComponentRevision(of: self) }

  /// The key of the component's occurrence, without the context of its item.
  package var occurrenceKey: OccurrenceKey { NormalForm().occurrenceKey(of: self, among: []) }

  /// The TZIDs in the component and its nested components, without duplicates (RFC 5545 §3.2.19).
  package var usedTimeZones: Set<String> {
    var names: Set<String> = []
    for property in properties where property.hasParameters {
      if let name = property[.tzID] { names.insert(name) }
    }
    for nested in components { names.formUnion(nested.usedTimeZones) }
    return names
  }
}

extension CalendarItem {
  /// The latest LAST-MODIFIED of the components; nil if none has a valid one (RFC 5545 §3.8.7.3).
  private var lastModified: Instant? {
    components.compactMap { component in
      guard let text = component[.lastModified]?.rawValue, text.hasSuffix("Z"),
        let time = try? CivilDateTime(parsing: String(text.dropLast()))
      else { return nil }
      return Instant(utc: time)
    }.max()
  }

  /// Whether a component was modified later than all of another version, whatever the SEQUENCE is.
  package func isModified(after other: CalendarItem) -> Bool {
    guard let own = lastModified, let known = other.lastModified else { return false }
    return own > known
  }

  /// The item with a LAST-MODIFIED after that of the version that it replaces, unless it has a later one.
  ///
  /// An undo restores a version with its earlier times. In a calendar that others read, it is the latest
  /// revision nevertheless.
  ///
  /// - Parameter other: The replaced version.
  /// - Returns: The item.
  package func modified(after other: CalendarItem) -> CalendarItem {
    guard let known = other.lastModified, lastModified.map({ $0 < known }) ?? true,
      let next = known.adding(seconds: 1)?.civil(), let first = components.first
    else { return self }
    var changed = first
    changed[.lastModified] = Property(.lastModified, rawValue: "\(next)Z")
    let components = [changed] + components.dropFirst()
    return (try? replacing(components: components, timeZones: timeZones)) ?? self
  }
}

extension Sequence<Component> {
  /// The TZIDs in all components, without duplicates (RFC 5545 §3.2.19).
  package var usedTimeZones: Set<String> {
    reduce(into: []) { $0.formUnion($1.usedTimeZones) }
  }
}

/// A grouping by key, such as components by UID; groups are in the order of their first members.
package struct Groups<Key: Hashable & Sendable, Member: Sendable>: Sendable {
  /// The members of each group, in order.
  package private(set) var all: [[Member]] = []
  private var places: [Key: Int] = [:]

  /// Creates an empty grouping.
  package init() {}

  /// Adds a member to the group of its key; a member without a key is a group of its own.
  package mutating func add(_ member: Member, to key: Key?) {
    if let key, let place = places[key] {
      all[place].append(member)
      return
    }
    if let key { places[key] = all.count }
    all.append([member])
  }
}

/// The revision of a component (RFC 5546 §2.1.5); later revisions are greater.
///
/// SEQUENCE is compared first. LAST-MODIFIED and DTSTAMP are compared only if it is equal, because
/// many programs set them to the time of the export instead of the change.
package struct ComponentRevision: Hashable, Sendable, Comparable {
  /// The number of the organizer's significant changes (RFC 5545 §3.8.7.4).
  package let sequence: Int
  private let lastModified: String
  private let stamp: String

  /// Reads the revision of a component; missing or unreadable values count as the earliest.
  package init(of component: Component) {
    sequence = component[.sequence].flatMap { Int($0.rawValue) } ?? 0
    // UTC values have a fixed form, so that their lexicographic order is chronological.
    lastModified = component[.lastModified]?.rawValue ?? ""
    stamp = component[.dtStamp]?.rawValue ?? ""
  }

  /// Whether another version has a later SEQUENCE, or the same one and a later time of change (RFC
  /// 5546 §2.1.5).
  ///
  /// The time is LAST-MODIFIED if both have it, and DTSTAMP otherwise. Versions without a time are
  /// not older, because a file that was edited by hand has an unchanged or no time.
  func isOlder(than other: ComponentRevision) -> Bool {
    sequence == other.sequence ? other.isLater(than: self) : sequence < other.sequence
  }

  /// Whether it was changed later than another version, whatever the SEQUENCE of both is.
  func isLater(than other: ComponentRevision) -> Bool {
    let (own, others) = (time(beside: other), other.time(beside: self))
    return !own.isEmpty && !others.isEmpty && own > others
  }

  /// The revision as its SEQUENCE and the time that is compared with that of another one.
  func described(beside other: ComponentRevision) -> SchedulingRevision {
    SchedulingRevision(sequence: sequence, stamp: time(beside: other))
  }

  private func time(beside other: ComponentRevision) -> String {
    let areModified = !lastModified.isEmpty && !other.lastModified.isEmpty
    return areModified && lastModified != other.lastModified ? lastModified : stamp
  }

  /// Whether the left revision is earlier.
  package static func < (left: ComponentRevision, right: ComponentRevision) -> Bool {
    (left.sequence, left.lastModified, left.stamp)
      < (right.sequence, right.lastModified, right.stamp)
  }
}

/// Decides between components that describe the same occurrence of one item, in any order.
///
/// This is the one rule for every reader of items: an import, and a search for occurrences.
///
/// - Components with the same content are one component.
/// - A higher SEQUENCE supersedes a lower one (RFC 5546 §2.1.5).
/// - Components with the same SEQUENCE and different content are all kept. LAST-MODIFIED and
///   DTSTAMP do not decide: many programs set them to the time of the export.
struct RivalRanking {
  /// The place of a component that is not the chosen one, in the list of rivals.
  struct Other {
    /// The reason why it is not the chosen one.
    enum Verdict {
      /// Another component has the same content.
      case repeated
      /// Another component has this higher SEQUENCE.
      case superseded(by: Int)
      /// No rule prefers the chosen one: both are kept.
      case equal
    }

    let place: Int
    let verdict: Verdict
    /// The digest of its content.
    let digest: SHA256.Digest
  }

  /// The place of the component that keeps its UID.
  let chosen: Int
  /// All the others, the highest SEQUENCE first.
  let others: [Other]

  /// Ranks at least one component.
  init(of rivals: [Component]) {
    let ranked = rivals.enumerated().map { place, component in
      (
        place: place, sequence: component.revision.sequence, revision: component.revision,
        digest: CanonicalForm.digest(of: component)
      )
    }.sorted {
      $0.revision == $1.revision
        ? $0.digest.bytes.lexicographicallyPrecedes($1.digest.bytes) : $0.revision > $1.revision
    }
    var seen: Set<SHA256.Digest> = []
    var others: [Other] = []
    for candidate in ranked {
      let isFirst = seen.insert(candidate.digest).inserted
      if candidate.place == ranked[0].place { continue }
      let verdict: Other.Verdict =
        if !isFirst {
          .repeated
        } else if candidate.sequence < ranked[0].sequence {
          .superseded(by: ranked[0].sequence)
        } else {
          .equal
        }
      others.append(Other(place: candidate.place, verdict: verdict, digest: candidate.digest))
    }
    chosen = ranked[0].place
    self.others = others
  }

  /// The report about a component that is not the chosen one.
  ///
  /// - Parameters:
  ///   - component: The component.
  ///   - verdict: The reason why it is not the chosen one.
  ///   - name: The UID under which it is kept, if that is another one.
  /// - Returns: The report.
  static func diagnostic(
    about component: Component, _ verdict: Other.Verdict, keptAs name: UID?
  ) -> Diagnostic {
    let what = component.isOverride ? "override for an occurrence of" : "component with the UID"
    let (severity, code, finding): (Diagnostic.Severity, DiagnosticCode, String) =
      switch verdict {
      case .repeated:
        (.note, .repeatedItem, "found another one with the same content, which is omitted")
      case .superseded(let sequence):
        (
          .warning, .supersededItem,
          "found one with SEQUENCE \(component.revision.sequence), which one with SEQUENCE "
            + "\(sequence) supersedes; it is omitted"
        )
      case .equal:
        (
          .warning, .sharedUID,
          "found another one; \(name.map { "it becomes '\($0)'" } ?? "both are kept")"
        )
      }
    return component.diagnostic(
      severity, code, "expected one \(what) '\(component.uid?.rawValue ?? "")', \(finding)",
      reference: "RFC 4791 §4.1")
  }
}
