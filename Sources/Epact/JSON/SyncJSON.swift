// SPDX-License-Identifier: Apache-2.0

import CalendarModel
package import CalendarSync

/// The changes of a run to each item and property, for its JSON form.
package struct SyncDetails: Sendable {
  fileprivate private(set) var operations: [JSONValue] = []
  /// The changes of calendar properties.
  fileprivate private(set) var properties: [JSONValue] = []
  /// The values that the remote did not preserve.
  fileprivate private(set) var losses: [JSONValue] = []
  private let isDryRun: Bool
  private let isMirror: Bool

  /// Creates the empty details of a run, or of a dry run.
  package init(isDryRun: Bool, ofMirror isMirror: Bool) {
    self.isDryRun = isDryRun
    self.isMirror = isMirror
  }

  /// Adds what an event says.
  package mutating func record(_ event: SyncEvent) {
    switch event {
    case .planned(let plan):
      plan.operations.forEach { record($0, isStopped: plan.objection != nil) }
    case .done(let operation): add(operation, outcome: "done")
    case .deferred(let operation): add(operation, outcome: "deferred")
    case .failed(let operation, let obstacle):
      add(operation, outcome: "failed", reason: .obstacle(obstacle))
    case .property(let change, let outcome): record(change, outcome)
    case .lost(let loss): losses.append(loss.json)
    case .progress, .propertiesFailed: break
    }
  }

  private mutating func record(_ operation: PlannedOperation, isStopped: Bool) {
    switch operation.action {
    case .record, .forget: break
    case .conflict, .skip: add(operation, outcome: operation.verb)
    default:
      // The other operations are recorded when they are carried out.
      if isDryRun || isStopped { add(operation, outcome: "planned") }
    }
  }

  private mutating func add(
    _ operation: PlannedOperation, outcome: String, reason: PlanReason? = nil
  ) {
    let reason = reason ?? operation.reason
    operations.append([
      "action": .string(operation.verb), "outcome": .string(outcome),
      "uid": .string(operation.uid.rawValue), "title": .string(operation.title),
      "reason": .string(reason.words(ofMirror: isMirror)), "code": .string(reason.code),
      "stashed": JSONValue(operation.stashed),
    ])
  }

  private mutating func record(_ change: CollectionChange, _ outcome: CollectionChange.Outcome) {
    let side: MergeSide
    let value: String?
    switch change.action {
    case .setLocal(let new): (side, value) = (.local, new)
    case .setRemote(let new): (side, value) = (.remote, new)
    case .leave: return
    }
    let (word, reason): (String, String?) =
      switch outcome {
      case .planned: ("planned", nil)
      case .done: ("done", nil)
      case .failed(let obstacle): ("failed", obstacle.words)
      }
    properties.append([
      "property": .string(change.property.rawValue), "side": .string(side.rawValue),
      "value": JSONValue(value), "outcome": .string(word), "reason": JSONValue(reason),
    ])
  }
}

/// The calendars that a run created or renamed, and those that are gone, for its JSON form.
package struct CalendarChanges: Sendable {
  private var changes: [JSONValue] = []

  /// Creates an empty list.
  package init() {}

  /// The changes in the order of their events.
  package var json: JSONValue { .array(changes) }

  /// Adds what an event says.
  package mutating func record(_ event: SyncSetEvent) {
    switch event {
    case .calendarCreated(let sync, let title, let side, let isPlanned):
      add(sync, "created", side, title, isPlanned ? "planned" : "done")
    case .calendarGone(let sync, let title, let side): add(sync, "gone", side, title, nil)
    case .calendarForgotten(let sync): add(sync, "forgotten", nil, nil, nil)
    case .running(let sync, .property(let change, let outcome)) where change.property == .name:
      let word =
        switch outcome {
        case .planned: "planned"
        case .done: "done"
        case .failed: "failed"
        }
      switch change.action {
      case .setLocal(let name): add(sync, "renamed", .local, name, word)
      case .setRemote(let name): add(sync, "renamed", .remote, name, word)
      case .leave: break
      }
    default: break
    }
  }

  private mutating func add(
    _ sync: String, _ change: String, _ side: MergeSide?, _ title: String?, _ outcome: String?
  ) {
    changes.append([
      "sync": .string(sync), "change": .string(change), "side": JSONValue(side?.rawValue),
      "title": JSONValue(title), "outcome": JSONValue(outcome),
    ])
  }
}

extension RemoteLoss {
  fileprivate var json: JSONValue {
    [
      "uid": .string(uid.rawValue), "title": .string(title), "component": .string(component),
      "property": .string(property), "sent": .string(sent), "kept": JSONValue(kept),
    ]
  }
}

extension SyncResult {
  /// The run with its details; `exit` is the raw value of the outcome.
  package func json(_ details: SyncDetails) -> JSONValue {
    [
      "name": .string(name), "exit": .integer(outcome.rawValue),
      "uploaded": .integer(summary.uploaded), "downloaded": .integer(summary.downloaded),
      "appended": .integer(summary.appended),
      "deletedRemotely": .integer(summary.deletedRemotely),
      "deletedLocally": .integer(summary.deletedLocally),
      "conflicts": .integer(summary.conflicts), "failed": .integer(summary.failed),
      "deferred": .integer(summary.deferred), "withheld": .integer(withheld),
      "guard": objection?.json ?? .null,
      "error": JSONValue(error?.text), "operations": .array(details.operations),
      "properties": .array(details.properties), "losses": .array(details.losses),
    ]
  }
}

extension GuardObjection {
  fileprivate var json: JSONValue {
    var rollback = JSONValue.null
    if case .rollback(let found) = cause {
      rollback = [
        "since": .string(found.since.timestamp), "returned": .integer(found.returned),
        "missing": .integer(found.missing), "reappeared": .integer(found.reappeared),
      ]
    }
    return [
      "side": .string(side.rawValue), "deletions": .integer(deletions),
      "known": .integer(known), "cause": .string(code), "lost": rollback,
    ]
  }
}

extension CalendarMove {
  /// The move.
  package var json: JSONValue {
    [
      "uid": .string(uid.rawValue), "title": .string(title), "from": .string(departure),
      "to": .string(arrival),
    ]
  }
}

extension SyncStatus {
  /// The state of the sync; `exit` is the raw value of the outcome.
  package var json: JSONValue {
    guard let signIn, case .object(let members) = values else { return values }
    return .object(members + [JSONValue.Member("signIn", .string(signIn.code))])
  }

  private var values: JSONValue {
    [
      "name": .string(sync), "exit": .integer(outcome.rawValue),
      "lastRun": JSONValue(attempt?.endedAt.timestamp),
      "lastSuccess": JSONValue(attempt?.lastSuccess?.timestamp),
      "lastExit": JSONValue(attempt?.status),
      "message": JSONValue(attempt?.message ?? problem?.text),
      "access": .string(access.rawValue), "tier": JSONValue(grant?.tier.rawValue),
      "purpose": JSONValue(grant?.purpose),
      "direction": .string(direction.rawValue),
      "items": .integer(items), "conflicts": .integer(conflicts),
      "outside": .integer(outside), "deletionsAllowed": .integer(deletions),
      "properties": .array(
        properties.map { difference in
          [
            "property": .string(difference.property.rawValue),
            "local": JSONValue(difference.local), "remote": JSONValue(difference.remote),
          ]
        }),
      "quarantine": .array(quarantine.map { $0.json(ofMirror: !mirrored.isEmpty) }),
    ]
  }
}

extension LeftCopies {
  /// The JSON form.
  package var json: JSONValue {
    ["mirror": .string(mirror), "calendar": .string(calendar), "count": .integer(count)]
  }
}

extension QuarantinedItem {
  fileprivate func json(ofMirror isMirror: Bool) -> JSONValue {
    [
      "uid": .string(uid.rawValue), "title": .string(title),
      "reason": .string(reason.words(ofMirror: isMirror)),
      "code": .string(reason.code),
      "failures": .integer(failures), "since": .string(since.timestamp),
      "nextTry": JSONValue(nextTry?.timestamp),
    ]
  }
}
