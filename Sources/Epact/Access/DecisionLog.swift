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
  ///   - grant: The subject and the time of the grant of an entry.
  package init(
    _ decisions: [AccessDecision], _ entries: [Entry],
    under grant: (Entry) -> (subject: AccessDecision.Subject, decidedAt: Instant)
  ) {
    var order: [Key] = []
    var made: [Key: [Entry]] = [:]
    for entry in entries {
      let (subject, decidedAt) = grant(entry)
      let key = Key(subject: subject, decidedAt: decidedAt)
      if made[key] == nil { order.append(key) }
      made[key, default: []].append(entry)
    }
    let keys = decisions.map { Key(subject: $0.subject, decidedAt: $0.decidedAt) }
    // Of several decisions in one second, the last grant is meant.
    var grants: [Key: Int] = [:]
    for (place, key) in keys.enumerated() where decisions[place].isGrant { grants[key] = place }
    func section(_ key: Key, _ decision: AccessDecision?, hasEntries: Bool) -> Section {
      Section(
        subject: key.subject, decidedAt: key.decidedAt, decision: decision,
        entries: hasEntries ? made[key] ?? [] : [])
    }
    let sections =
      order.filter { grants[$0] == nil }.map { section($0, nil, hasEntries: true) }
      + keys.indices.map { place in
        section(keys[place], decisions[place], hasEntries: grants[keys[place]] == place)
      }
    let grouped = Dictionary(grouping: sections, by: \.subject)
    var subjects = Set<AccessDecision.Subject>()
    self.sections = sections.map(\.subject).filter { subjects.insert($0).inserted }
      .flatMap { grouped[$0] ?? [] }
  }
}
