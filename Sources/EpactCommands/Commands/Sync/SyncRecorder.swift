// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import Epact
import EpactConsole
import Logging
import Synchronization

/// Shows the events of running syncs, and collects the details for the JSON output.
///
/// It is a class because the engine reports events while the command waits for it.
final class SyncRecorder: Sendable {
  /// The details and the progress that a sync has reported so far.
  private struct Recording: Sendable {
    var details: SyncDetails
    var progress: RunProgress

    init(isDryRun: Bool) {
      details = SyncDetails(isDryRun: isDryRun)
      progress = RunProgress(isDryRun: isDryRun)
    }
  }

  /// The output of a run.
  enum Output: Hashable {
    /// A line for each sync.
    case text
    /// A line for each sync that changed something or has a problem.
    case changes
    /// A JSON object at the end.
    case json
  }

  private let isDryRun: Bool
  private let output: Output
  private let context: Context
  /// The maximum number of planned changes that are printed for a sync; nil for all.
  private let planLimit: Int?
  private let recordings = Mutex<[String: Recording]>([:])
  private let calendarChanges = Mutex(CalendarChanges())
  /// The results of syncs that could not reach their server; nil if each is shown at once.
  private let unreached: Mutex<[SyncResult]?>

  /// Creates a recorder.
  ///
  /// - Parameters:
  ///   - isDryRun: Whether the changes are only planned.
  ///   - output: The output.
  ///   - context: The console and the log.
  ///   - planLimit: The maximum number of planned changes that are printed for a sync; the others
  ///     are counted. Nil for all.
  ///   - joinsOutages: Whether syncs that cannot reach one server are shown together, by
  ///     `showOutages()`.
  init(
    isDryRun: Bool, _ output: Output, _ context: Context, planLimit: Int? = nil,
    joinsOutages: Bool = false
  ) {
    unreached = Mutex(joinsOutages ? [] : nil)
    self.planLimit = planLimit
    self.isDryRun = isDryRun
    self.output = output
    self.context = context
  }

  /// Shows an event of a set of syncs.
  func record(_ event: SyncSetEvent) {
    calendarChanges.withLock { $0.record(event) }
    switch event {
    case .running(let sync, let event): record(event, of: sync)
    case .calendarCreated(let sync, let title, let side, let isPlanned):
      show(creationOf: sync, title, on: side, isPlanned: isPlanned)
    case .calendarForgotten(let sync):
      if !isSilent { context.console.note("\(sync): it is on neither side any more") }
    case .calendarGone: break  // The result of the calendar contains the error.
    case .ended(let result): show(result)
    case .requestLogIncomplete(let sync, let error):
      context.console.warn("\(sync): the log of requests is incomplete: \(error.message)")
    case .outcomeNotStored(let sync, let reason):
      context.console.warn("\(sync): the outcome is not stored: \(reason)")
    }
  }

  /// The calendars that were created or renamed, or are gone.
  var calendars: JSONValue { calendarChanges.withLock { $0.json } }

  /// The report of a sync that has ended.
  func report(_ result: SyncResult) -> SyncReport {
    SyncReport(result, recordings.withLock { $0[result.name]?.details })
  }

  /// Shows one error for each server that could not be reached.
  ///
  /// - Parameter names: The names of the syncs in their order; they end in any order.
  func showOutages(_ names: [String] = []) {
    let held = unreached.withLock { results in
      defer { results = [] }
      return results ?? []
    }
    let places = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
    let results = held.sorted { places[$0.name, default: 0] < places[$1.name, default: 0] }
    for outage in ServerOutage.find(in: results) {
      complain(outage.result, of: outage.syncs.joined(separator: ", "))
    }
  }

  private func complain(_ result: SyncResult, of name: String) {
    guard let error = result.error else { return }
    let failure = Failure(describing: error)
    context.console.complain(
      Failure(failure.status, "\(name): \(failure.message)", hint: failure.hint))
  }

  /// Keeps a result until the outages are shown; returns false if it is to be shown at once.
  private func keep(_ result: SyncResult) -> Bool {
    guard result.unreachableServer != nil else { return false }
    return unreached.withLock { results in
      results?.append(result)
      return results != nil
    }
  }

  /// Whether text is suppressed because JSON is printed at the end.
  private var isSilent: Bool { output == .json }

  private func update<Value>(
    _ sync: String, _ change: (inout sending Recording) -> sending Value
  ) -> sending Value {
    recordings.withLock { change(&$0[sync, default: Recording(isDryRun: isDryRun)]) }
  }

  private func show(
    creationOf sync: String, _ title: String?, on side: MergeSide, isPlanned: Bool
  ) {
    guard !isSilent else { return }
    let name: ConsoleText = title.map { " \"\($0)\"" } ?? ""
    let place = side == .local ? "here" : "on the remote"
    let verb = isPlanned ? "would create" : "created"
    context.console.say("\(sync): \(verb, .bold) the calendar\(name) \(place)")
  }

  private func show(_ result: SyncResult) {
    context.console.progress(nil)
    if result.error != nil {
      if !keep(result) { complain(result, of: result.name) }
      return
    }
    if let objection = result.objection { complain(objection, of: result.name) }
    guard !isSilent else { return }
    let report = SyncReport(result)
    let line = report.line
    if output == .text || report.status != .done || !report.isUpToDate { context.console.say(line) }
    // Individual items are too many to list, but exit status 77 needs an explanation.
    if context.console.isQuiet, result.withheld > 0 { context.console.report(line) }
  }

  private func record(_ event: SyncEvent, of sync: String) {
    show(event, of: sync)
    // Only the JSON output uses the details, and there may be many.
    guard !isSilent else { return update(sync) { $0.details.record(event) } }
    let now = context.machine.stopwatch()
    if let progress = update(sync, { $0.progress.step(after: event, at: now) }) {
      context.console.progress(ProgressLine(progress, of: sync))
    }
  }

  // MARK: Events

  private func show(_ event: SyncEvent, of sync: String) {
    switch event {
    case .progress: break
    case .planned(let plan): record(plan, of: sync)
    case .done(let operation):
      context.log.info("\(operation.verb) \(operation.title)", metadata: Self.metadata(operation))
    case .deferred(let operation):
      note(operation, "it changed meanwhile, and is left for the next run", of: sync, isLeft: true)
    case .property(let change, let outcome): record(change, outcome, of: sync)
    case .lost(let loss): record(loss, of: sync)
    case .propertiesFailed(let reason):
      context.console.warn("\(sync): the name and colour of the calendar: \(reason)")
    case .failed(let operation, let obstacle):
      context.console.warn(
        "\(sync): \(Self.name(operation)): \(obstacle.words)"
          + "\(Self.remedy(of: obstacle, operation.uid))")
    }
  }

  /// The remedy of a failure that the user can solve, after its reason.
  private static func remedy(of obstacle: ItemObstacle?, _ uid: UID) -> ConsoleText {
    guard obstacle?.cause == .placeTaken else { return "" }
    return "; to add a copy with another UID: \(SuggestedCommand.copy(uid))"
  }

  /// The maximum number of remarks on items that are carried out.
  private static let remarkLimit = 20

  /// The remark on an item that is carried out; nil for none.
  ///
  /// A dry run prints the reason of each change anyway.
  private func remark(on operation: PlannedOperation) -> String? {
    guard operation.isDecidedByPolicy else { return operation.undatedRemark }
    return isDryRun ? nil : operation.reason.words
  }

  private func record(_ plan: SyncPlan, of sync: String) {
    var (planned, remarks) = (0, 0)
    defer {
      if remarks > Self.remarkLimit, !isSilent {
        context.console.note(
          "\(sync): and \(Count(remarks - Self.remarkLimit, "more such item"))")
      }
      let rest = planned - (planLimit ?? planned)
      if rest > 0 { context.console.say("\(sync): and \(Count(rest, "more change"))") }
    }
    for operation in plan.operations {
      switch operation.action {
      case .record, .forget: continue
      case .conflict, .skip:
        note(operation, operation.reason.words, of: sync)
      default:
        if operation.isWaiting || operation.overridesDeletion, !isDryRun {
          note(operation, operation.reason.words, of: sync)
        } else if let remark = remark(on: operation) {
          remarks += 1
          if remarks <= Self.remarkLimit { note(operation, remark, of: sync) }
        }
        guard isDryRun, !isSilent else { continue }
        planned += 1
        guard planned <= planLimit ?? planned else { continue }
        context.console.say(
          "\(sync): \("would \(Self.phrase(operation))", .bold) \(Self.name(operation)): "
            + "\(operation.reason.words)"
        )
      }
    }
  }

  private func record(_ loss: RemoteLoss, of sync: String) {
    let kept = loss.kept.map { "the remote keeps only \"\($0)\"" } ?? "the remote does not keep it"
    context.console.warn(
      "\(sync): \"\(loss.title)\" \("(\(loss.uid))", .dim): \(loss.property) in \(loss.component): "
        + "\(kept); nothing is changed here"
    )
  }

  private func record(
    _ change: CollectionChange, _ outcome: CollectionChange.Outcome, of sync: String
  ) {
    let name = change.property.rawValue
    let place: String
    let value: String?
    switch change.action {
    case .setLocal(let new): (place, value) = ("here", new)
    case .setRemote(let new): (place, value) = ("on the remote", new)
    case .leave:
      guard !isSilent else { return }
      return context.console.report(
        "\(sync): the \(name) of the calendar was changed on both sides; each keeps its own")
    }
    let words: ConsoleText =
      value.map { "the \(name) of the calendar \(place) to \"\($0)\"" }
      ?? "no \(name) of the calendar \(place)"
    switch outcome {
    case .planned where !isSilent: context.console.say("\(sync): \("would set", .bold) \(words)")
    case .planned: break
    case .done where change.isDecidedByPolicy && !isSilent:
      context.console.note(
        "\(sync): the \(name) of the calendar was changed on both sides; set \(words)")
    case .done: context.log.info("set \(name) of the calendar \(place)")
    case .failed(let obstacle):
      context.console.warn("\(sync): cannot set \(words): \(obstacle.words)")
    }
  }

  private func complain(_ objection: GuardObjection, of sync: String) {
    context.console.complain(
      Failure(
        .stoppedByGuard, "\(sync): \(objection.problem)", hint: objection.hint(for: sync)))
  }

  private func note(
    _ operation: PlannedOperation, _ reason: String, of sync: String, isLeft: Bool = false
  ) {
    guard !isSilent else { return }
    let word = operation.isWaiting ? "conflict" : Self.phrase(operation)
    let line: ConsoleText =
      "\(sync): \(word) \(Self.name(operation)): \(reason)"
      + "\(Self.remedy(of: operation.obstacle, operation.uid))"
    // Anything that causes a non-zero exit status is reported even in quiet mode, and so is an edit of
    // one side that was not made as it was meant: no later command shows it.
    if operation.isWaiting || operation.isFailure || operation.overridesDeletion || isLeft {
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

  private static func metadata(_ operation: PlannedOperation) -> Logger.Metadata {
    ["uid": "\(operation.uid)", "reason": "\(operation.reason.words)"]
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
