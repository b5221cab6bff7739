// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import Epact
import Logging
import Synchronization

/// Shows the events of a running sync, and collects them for the report.
///
/// It is a class because the engine reports events while the command waits for it.
final class SyncRecorder: Sendable {
  private struct State: Sendable {
    var operations: [JSONValue] = []
    var properties: [JSONValue] = []
    var losses: [JSONValue] = []
    var objection: GuardObjection?
    var departed: Set<UID> = []
    var arrived: [UID: String] = [:]
    var withheld = 0
    var progress = ProgressClock()
    var undo: UndoOutlook?
    /// The number of planned and of finished operations.
    var planned = 0
    var finished = 0
  }

  private let sync: String
  private let isDryRun: Bool
  private let isSilent: Bool
  private let context: Context
  /// Whether the sync has write-only access but requests full access.
  private let limited = Mutex(false)
  private let state = Mutex(State())

  init(sync: String, isDryRun: Bool, isSilent: Bool, _ context: Context) {
    self.sync = sync
    self.isDryRun = isDryRun
    self.isSilent = isSilent
    self.context = context
  }

  /// Records that the granted access is lower than the requested one.
  func limit() { limited.withLock { $0 = true } }

  /// Records that the run is an undo.
  func takesBack(isImport: Bool = false) {
    state.withLock { $0.undo = UndoOutlook(isImport: isImport) }
  }

  private var isLimited: Bool { limited.withLock { $0 } }

  private func show(_ progress: SyncProgress) {
    guard !isSilent else { return }
    let isDue = state.withLock {
      $0.progress.isDue(progress, at: context.machine.stopwatch())
    }
    guard isDue else { return }
    let activity =
      switch progress.phase {
      case .reading: "reading"
      case .fetching: "fetching"
      case .writing: "writing"
      }
    context.console.progress(
      ProgressLine(title: sync, activity: activity, done: progress.done, total: progress.total))
  }

  /// Shows the progress of the plans so far.
  private func showWriting() {
    let (done, total) = state.withLock { ($0.finished, $0.planned) }
    if total > 0 { show(SyncProgress(.writing, done: min(done, total), total: total)) }
  }

  /// Processes an event of the engine.
  func record(_ event: SyncEvent) {
    take(event)
    noteUndo(event)
    switch event {
    case .done, .deferred, .failed: state.withLock { $0.finished += 1 }
    case .planned(let plan):
      guard !isDryRun, plan.objection == nil else { return }
      state.withLock { $0.planned += plan.operations.count(where: \.isChange) }
    default: return
    }
    showWriting()
  }

  /// Counts the final states of undone items.
  private func noteUndo(_ event: SyncEvent) {
    let operations: [PlannedOperation] =
      switch event {
      case .planned(let plan) where isDryRun: plan.operations
      case .done(let operation): [operation]
      default: []
      }
    for case .putBack(let planned) in operations.map(\.action) where isDryRun || planned.isLast {
      state.withLock { $0.undo = $0.undo?.adding(planned.ending) }
    }
  }

  private func take(_ event: SyncEvent) {
    switch event {
    case .progress(let progress): show(progress)
    case .planned(let plan): record(plan)
    case .done(let operation):
      keep(operation, outcome: "done")
      noteMove(operation)
      context.log.info("\(operation.verb) \(operation.title)", metadata: Self.metadata(operation))
    case .deferred(let operation):
      keep(operation, outcome: "deferred")
      note(operation, "it changed meanwhile, and is left for the next run", isLeft: true)
    case .property(let change, let outcome): record(change, outcome)
    case .lost(let loss): record(loss)
    case .propertiesFailed(let reason):
      context.console.warn("\(sync): the name and colour of the calendar: \(reason)")
    case .failed(let operation, let reason):
      keep(operation, outcome: "failed", reason: reason)
      context.console.warn("\(sync): \(Self.name(operation)): \(reason)")
    }
  }

  /// Creates the report of a completed run.
  func report(_ summary: RunSummary) -> SyncReport {
    context.console.progress(nil)
    let state = state.withLock { $0 }
    let objection = state.objection
    var report = SyncReport(
      name: sync, summary: summary, objection: objection, isDryRun: isDryRun,
      operations: state.operations, withheld: state.withheld)
    (report.departed, report.arrived) = (state.departed, state.arrived)
    (report.properties, report.losses) = (state.properties, state.losses)
    report.undo = state.undo
    if let objection { complain(objection) }
    if !isSilent {
      context.console.say(report.line)
      // Individual items are too many to list, but exit status 77 needs an explanation.
      if context.console.isQuiet, state.withheld > 0 { context.console.report(report.line) }
    }
    return report
  }

  /// Creates the report of a failed run.
  func report(_ failure: Failure) -> SyncReport {
    context.console.progress(nil)
    return SyncReport(
      name: sync, failure: failure, isDryRun: isDryRun,
      operations: state.withLock { $0.operations })
  }

  /// Records an operation that may be one half of a move between calendars.
  private func noteMove(_ operation: PlannedOperation) {
    state.withLock { state in
      switch operation.action {
      case .createLocal, .createRemote: state.arrived[operation.uid] = operation.title
      case .deleteLocal, .deleteRemote: state.departed.insert(operation.uid)
      default: break
      }
    }
  }

  private func record(_ plan: SyncPlan) {
    state.withLock { $0.objection = plan.objection }
    for operation in plan.operations {
      switch operation.action {
      case .record, .forget: continue
      case .conflict, .skip:
        if case .skip = operation.action, isLimited, !operation.isFailure {
          state.withLock { $0.withheld += 1 }
        }
        keep(operation, outcome: operation.verb)
        note(operation, operation.reason)
      default:
        if operation.isWaiting, !isDryRun { note(operation, operation.reason) }
        guard isDryRun || plan.objection != nil else { continue }
        keep(operation, outcome: "planned")
        if isDryRun { noteMove(operation) }
        guard isDryRun, !isSilent else { continue }
        context.console.say(
          "\(sync): \("would \(Self.phrase(operation))", .bold) \(Self.name(operation)): \(operation.reason)"
        )
      }
    }
  }

  private func record(_ loss: RemoteLoss) {
    let kept = loss.kept.map { "the remote keeps only \"\($0)\"" } ?? "the remote does not keep it"
    context.console.warn(
      "\(sync): \"\(loss.title)\" \("(\(loss.uid))", .dim): \(loss.property) in \(loss.component): \(kept); nothing is changed here"
    )
    guard isSilent else { return }
    let value: JSONValue = [
      "uid": .string(loss.uid.rawValue), "title": .string(loss.title),
      "component": .string(loss.component), "property": .string(loss.property),
      "sent": .string(loss.sent), "kept": JSONValue(loss.kept),
    ]
    state.withLock { $0.losses.append(value) }
  }

  private func record(_ change: CollectionChange, _ outcome: CollectionChange.Outcome) {
    let name = change.property.rawValue
    let place: String
    let value: String?
    switch change.action {
    case .setLocal(let new): (place, value) = ("here", new)
    case .setRemote(let new): (place, value) = ("on the remote", new)
    case .leave:
      guard !isSilent else { return }
      return context.console.note(
        "\(sync): the \(name) of the calendar was changed on both sides; each keeps its own")
    }
    keep(change, outcome, value)
    let words: ConsoleText =
      value.map { "the \(name) of the calendar \(place) to \"\($0)\"" }
      ?? "no \(name) of the calendar \(place)"
    switch outcome {
    case .planned where !isSilent: context.console.say("\(sync): \("would set", .bold) \(words)")
    case .planned: break
    case .done: context.log.info("set \(name) of the calendar \(place)")
    case .failed(let reason): context.console.warn("\(sync): cannot set \(words): \(reason)")
    }
  }

  private func complain(_ objection: GuardObjection) {
    let other = objection.side == .local ? "remote" : "local"
    let place =
      objection.isOtherPlace ? ", which is on another file system than at the last run" : ""
    context.console.complain(
      Failure(
        .stoppedByGuard,
        "\(sync): \(objection.deletions) of \(Count(objection.known, "item")) would be deleted on the \(objection.side.rawValue) side, because they are missing on the \(other) side\(place); nothing was changed",
        hint:
          "If they are meant to go: \(SuggestedCommand.sync(sync, allowDelete: objection.deletions))"
      ))
  }

  private func note(_ operation: PlannedOperation, _ reason: String, isLeft: Bool = false) {
    guard !isSilent else { return }
    let word = operation.isWaiting ? "conflict" : operation.verb
    let line: ConsoleText = "\(sync): \(word) \(Self.name(operation)): \(reason)"
    // Anything that causes a non-zero exit status is reported even in quiet mode.
    if operation.isWaiting || operation.isFailure || isLeft {
      context.console.report(line)
    } else {
      context.console.note(line)
    }
  }

  /// The title and the UID, or only the UID if the title is unknown.
  private static func name(_ operation: PlannedOperation) -> ConsoleText {
    operation.title == operation.uid.rawValue
      ? "\(operation.uid)" : "\"\(operation.title)\" \("(\(operation.uid))", .dim)"
  }

  private func keep(_ operation: PlannedOperation, outcome: String, reason: String? = nil) {
    // Only the JSON output uses these objects, and there may be many.
    guard isSilent else { return }
    let value: JSONValue = [
      "action": .string(operation.verb), "outcome": .string(outcome),
      "uid": .string(operation.uid.rawValue), "title": .string(operation.title),
      "reason": .string(reason ?? operation.reason),
    ]
    state.withLock { $0.operations.append(value) }
  }

  private func keep(
    _ change: CollectionChange, _ outcome: CollectionChange.Outcome, _ value: String?
  ) {
    guard isSilent else { return }
    let side: MergeSide = if case .setLocal = change.action { .local } else { .remote }
    let (word, reason): (String, String?) =
      switch outcome {
      case .planned: ("planned", nil)
      case .done: ("done", nil)
      case .failed(let reason): ("failed", reason)
      }
    let object: JSONValue = [
      "property": .string(change.property.rawValue), "side": .string(side.rawValue),
      "value": JSONValue(value), "outcome": .string(word), "reason": JSONValue(reason),
    ]
    state.withLock { $0.properties.append(object) }
  }

  private static func metadata(_ operation: PlannedOperation) -> Logger.Metadata {
    ["uid": "\(operation.uid)", "reason": "\(operation.reason)"]
  }

  private static func phrase(_ planned: PutBack) -> String {
    if planned.isRestoring { return "put back on both sides" }
    return switch planned.verb {
    case .createRemote, .append, .moveRemote: "put back on the remote"
    case .updateRemote: "update on the remote"
    case .deleteRemote: "delete on the remote"
    case .createLocal: "put back here"
    case .updateLocal: planned.isLast ? "update here" : "update on both sides"
    case .deleteLocal: planned.isLast ? "delete here" : "delete on both sides"
    }
  }

  private static func phrase(_ operation: PlannedOperation) -> String {
    switch operation.action {
    case .createRemote, .append: "add to the remote"
    case .putBack(let planned): phrase(planned)
    case .updateRemote: "update on the remote"
    case .deleteRemote: "delete on the remote"
    case .createLocal: "add here"
    case .updateLocal: "update here"
    case .merge: "merge on both sides"
    case .sendMerged: "merge into the remote"
    case .deleteLocal: "delete here"
    case .record, .forget, .conflict, .skip: operation.verb
    }
  }
}
