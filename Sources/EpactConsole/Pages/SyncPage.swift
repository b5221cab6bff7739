// SPDX-License-Identifier: Apache-2.0

import CalendarModel
package import CalendarSync
package import Epact

/// Formats the events of running syncs.
package struct SyncPage: Sendable {
  /// The output of a run.
  package enum Output: Hashable, Sendable {
    /// A line for each sync.
    case text
    /// A line for each sync that changed something or has a problem.
    case changes
    /// A JSON object at the end; only warnings and errors are text.
    case json
  }

  /// The maximum number of remarks about items that are printed for a sync.
  private static let remarkLimit = 20

  package let output: Output
  package let isDryRun: Bool
  /// Whether results are not printed.
  private let isQuiet: Bool
  private let remedies: any Remedies
  /// The maximum number of planned changes that are printed for a sync; nil for all.
  package var planLimit: Int?
  /// The names of the syncs that are mirrors, whose reasons have words of their own.
  package var mirrors: Set<String> = []

  /// Creates a page for a kind of output, with the remedies that it suggests.
  package init(_ output: Output, isDryRun: Bool, isQuiet: Bool, _ remedies: any Remedies) {
    (self.output, self.isDryRun) = (output, isDryRun)
    (self.isQuiet, self.remedies) = (isQuiet, remedies)
  }

  /// The messages of an output that is JSON: only warnings and errors.
  package func shown(_ messages: [Message]) -> [Message] {
    guard output == .json else { return messages }
    return messages.filter { message in
      switch message {
      case .warn, .complain: true
      case .say, .show, .note, .report: false
      }
    }
  }

  /// Describes an error, with its remedy.
  func failure(_ error: any Error) -> Failure { remedies.failure(error) }

  /// Lists all conflicts.
  var conflicts: SuggestedCommand { remedies.conflicts(of: nil) }

  /// The report of a sync that has ended.
  package func report(_ result: SyncResult, _ details: SyncDetails? = nil) -> SyncReport {
    SyncReport(result, details, remedies)
  }

  /// The lines about an event.
  package func messages(about event: SyncSetEvent) -> [Message] {
    let messages: [Message] =
      switch event {
      case .running(let sync, let event): messages(about: event, of: sync)
      case .calendarCreated(let sync, let title, let side, let isPlanned):
        [Self.creation(of: sync, title, on: side, isPlanned: isPlanned)]
      case .calendarForgotten(let sync): [.note("\(sync): it is on neither side any more")]
      case .calendarGone: []  // The result of the calendar contains the error.
      case .ended(let result): messages(about: report(result))
      case .requestLogIncomplete(let sync, let error):
        [.warn("\(sync): the log of requests is incomplete: \(error.message)")]
      case .outcomeNotStored(let sync, let reason):
        [.warn("\(sync): the outcome is not stored: \(reason)")]
      }
    return shown(messages)
  }

  private static func creation(
    of sync: String, _ title: String?, on side: MergeSide, isPlanned: Bool
  ) -> Message {
    let name: ConsoleText = title.map { " \"\($0)\"" } ?? ""
    let place = side == .local ? "here" : "on the remote"
    let verb = isPlanned ? "would create" : "created"
    return .say("\(sync): \(verb, .bold) the calendar\(name) \(place)")
  }

  private func messages(about report: SyncReport) -> [Message] {
    let complaint = report.failure.map { [Message.complain($0)] } ?? []
    guard report.result.error == nil else { return complaint }
    guard output != .changes || report.status != .done || !report.isUpToDate else {
      return complaint
    }
    // Individual items are too many to list, but exit status 77 needs an explanation.
    let isNeeded = isQuiet && report.result.withheld > 0
    return complaint + [isNeeded ? .report(report.line) : .say(report.line)]
  }

  // MARK: Running syncs

  private func messages(about event: SyncEvent, of sync: String) -> [Message] {
    switch event {
    case .progress, .done: return []
    case .planned(let plan): return output == .json ? [] : messages(about: plan, of: sync)
    case .deferred(let operation):
      return [
        note(
          operation, "it changed meanwhile, and is left for the next run", of: sync, isLeft: true)
      ]
    case .property(let change, let outcome): return messages(about: change, outcome, of: sync)
    case .lost(let loss):
      let kept =
        loss.kept.map { "the remote keeps only \"\($0)\"" } ?? "the remote does not keep it"
      return [
        .warn(
          "\(sync): \(.item(loss.title, loss.uid)): \(loss.property) in \(loss.component): \(kept); "
            + "nothing is changed here")
      ]
    case .propertiesFailed(let reason):
      return [.warn("\(sync): the name and colour of the calendar: \(reason)")]
    case .failed(let operation, let obstacle):
      return [
        .warn(
          "\(sync): \(operation.name): \(obstacle.words(ofMirror: mirrors.contains(sync)))\(remedy(of: obstacle, operation.uid))"
        )
      ]
    }
  }

  /// The command that adds a copy, if another item has the place on the remote.
  private func remedy(of obstacle: ItemObstacle?, _ uid: UID) -> ConsoleText {
    guard obstacle?.cause == .placeTaken else { return "" }
    return "; to add a copy with another UID: \(remedies.copy(uid))"
  }

  private func messages(about plan: SyncPlan, of sync: String) -> [Message] {
    var (planned, remarks) = (0, 0)
    var messages: [Message] = []
    for operation in plan.operations {
      switch operation.action {
      case .record, .forget: continue
      case .conflict, .skip:
        messages.append(note(operation, words(of: operation, in: sync), of: sync))
      default:
        if operation.isWaiting || operation.overridesDeletion, !isDryRun {
          messages.append(note(operation, words(of: operation, in: sync), of: sync))
        } else if let remark = remark(on: operation, of: sync) {
          remarks += 1
          if remarks <= Self.remarkLimit { messages.append(note(operation, remark, of: sync)) }
        }
        guard isDryRun else { continue }
        planned += 1
        guard planned <= planLimit ?? planned else { continue }
        messages.append(
          .say(
            "\(sync): \("would \(operation.phrase)", .bold) \(operation.name): "
              + "\(words(of: operation, in: sync))"))
      }
    }
    if remarks > Self.remarkLimit {
      messages.append(
        .note("\(sync): and \(Count(remarks - Self.remarkLimit, "more such item"))"))
    }
    let rest = planned - (planLimit ?? planned)
    return messages + (rest > 0 ? [.say("\(sync): and \(Count(rest, "more change"))")] : [])
  }

  /// A remark on a change: a policy decided it, or no view by days shows the item.
  ///
  /// In a dry run, the line of the planned change has the reason.
  private func remark(on operation: PlannedOperation, of sync: String) -> String? {
    guard operation.isDecidedByPolicy else { return operation.undatedRemark }
    return isDryRun ? nil : words(of: operation, in: sync)
  }

  private func words(of operation: PlannedOperation, in sync: String) -> String {
    operation.words(ofMirror: mirrors.contains(sync))
  }

  private func messages(
    about change: CollectionChange, _ outcome: CollectionChange.Outcome, of sync: String
  ) -> [Message] {
    let name = change.property.rawValue
    guard let (place, value) = change.target else {
      return [
        .report(
          "\(sync): the \(name) of the calendar was changed on both sides; each keeps its own")
      ]
    }
    let words: ConsoleText =
      value.map { "the \(name) of the calendar \(place) to \"\($0)\"" }
      ?? "no \(name) of the calendar \(place)"
    switch outcome {
    case .planned: return [.say("\(sync): \("would set", .bold) \(words)")]
    case .done where change.isDecidedByPolicy:
      return [
        .note("\(sync): the \(name) of the calendar was changed on both sides; set \(words)")
      ]
    case .done: return []
    case .failed(let obstacle):
      return [.warn("\(sync): cannot set \(words): \(obstacle.words)")]
    }
  }

  private func note(
    _ operation: PlannedOperation, _ reason: String, of sync: String, isLeft: Bool = false
  ) -> Message {
    let word = operation.isWaiting ? "conflict" : operation.phrase
    let line: ConsoleText =
      "\(sync): \(word) \(operation.name): \(reason)"
      + "\(remedy(of: operation.obstacle, operation.uid))"
    // Anything that causes a non-zero exit status is reported even in quiet mode, and so is an edit of
    // one side that was not made as it was meant: no later command shows it.
    let isNeeded =
      operation.isWaiting || operation.isFailure || operation.overridesDeletion || isLeft
    return isNeeded ? .report(line) : .note(line)
  }
}

extension CollectionChange {
  /// The place that is set and its value; nil if each side keeps its own.
  package var target: (place: String, value: String?)? {
    switch action {
    case .setLocal(let new): ("here", new)
    case .setRemote(let new): ("on the remote", new)
    case .leave: nil
    }
  }
}

extension PlannedOperation {
  /// The title and the UID; the UID alone if the title is unknown.
  fileprivate var name: ConsoleText {
    title == uid.rawValue ? "\(uid)" : .item(title, uid)
  }
}
