// SPDX-License-Identifier: Apache-2.0

package import CalendarSync
package import CivilTime

/// The requests or uses of one class under a grant.
package protocol LoggedClass: Sendable {
  var effect: AccessRequest.Effect { get }
  /// The class, for display.
  var words: String { get }
  /// The tier at the time of the requests or uses.
  var tier: AccessTier { get }
  var count: Int { get }
  var firstAt: Instant { get }
  var lastAt: Instant { get }
}

extension AccessLogEntry: LoggedClass {
  package var effect: AccessRequest.Effect { request.effect }
  package var words: String { request.words }
}

extension ProgramLogEntry: LoggedClass {
  package var effect: AccessRequest.Effect { use.effect }
  package var words: String { use.rawValue }
}

/// The decisions about accesses in order, each with the classes of requests or uses under it.
package struct DecisionLog<Entry: Sendable>: Sendable {
  /// A decision, with the requests or uses under it.
  package struct Section: Sendable {
    /// The remote or the program.
    package let subject: AccessDecision.Subject
    /// The time of the decision.
    package let decidedAt: Instant
    /// The decision; nil if it was replaced before the ledger kept decisions.
    package let decision: AccessDecision?
    /// The requests or uses under a grant, by class.
    package let entries: [Entry]
  }

  private struct Key: Hashable {
    let subject: AccessDecision.Subject
    let decidedAt: Instant
  }

  /// The sections of each subject, subject by subject, from the earliest decision to the latest.
  package let sections: [Section]

  /// Sorts entries by the decision under which they were made.
  ///
  /// - Parameters:
  ///   - decisions: The decisions, in order.
  ///   - entries: The entries.
  ///   - grant: The subject and the time of the grant of an entry, and the tier that was used.
  package init(
    _ decisions: [AccessDecision], _ entries: [Entry],
    under grant: (Entry) -> (
      subject: AccessDecision.Subject, decidedAt: Instant, tier: AccessTier
    )
  ) {
    var grants: [Key: [Int]] = [:]
    for (place, decision) in decisions.enumerated() where decision.isGrant {
      let key = Key(subject: decision.subject, decidedAt: decision.decidedAt)
      grants[key, default: []].append(place)
    }
    var order: [Key] = []
    var made: [Int: [Entry]] = [:]
    var others: [Key: [Entry]] = [:]
    for entry in entries {
      let (subject, decidedAt, tier) = grant(entry)
      let key = Key(subject: subject, decidedAt: decidedAt)
      // Of several grants in one second, the last one of the tier is meant.
      let places = grants[key] ?? []
      if let place = places.last(where: { decisions[$0].tier == tier }) ?? places.last {
        made[place, default: []].append(entry)
      } else {
        if others[key] == nil { order.append(key) }
        others[key, default: []].append(entry)
      }
    }
    let sections =
      order.map { key in
        Section(
          subject: key.subject, decidedAt: key.decidedAt, decision: nil, entries: others[key] ?? [])
      }
      + decisions.enumerated().map { place, decision in
        Section(
          subject: decision.subject, decidedAt: decision.decidedAt, decision: decision,
          entries: made[place] ?? [])
      }
    let grouped = Dictionary(grouping: sections, by: \.subject)
    var subjects = Set<AccessDecision.Subject>()
    self.sections = sections.map(\.subject).filter { subjects.insert($0).inserted }
      .flatMap { grouped[$0] ?? [] }
  }
}
