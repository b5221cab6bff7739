// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import Epact

/// The state of a sync, as text and JSON.
struct SyncStatus: Sendable {
  private let sync: SyncSettings
  private let attempt: SyncAttempt?
  private let grant: AccessGrant?
  /// The administrator's restriction, or nil.
  private let restriction: AccessRestriction?
  private let items: Int
  private let conflicts: Int
  /// The number of items that the filter keeps on one side.
  private let outside: Int
  private let quarantine: [QuarantinedItem]
  /// The last run if it has no end: it was interrupted or is in progress.
  private let openRun: PastRun?
  /// Whether a run may be in progress.
  private let isBusy: Bool
  /// The number of deletions that the next run allows on each side.
  private let deletions: Int
  /// The error if a side does not exist.
  private let problem: Failure?

  /// Looks up a sync in the ledger; contacts no server.
  init(
    of sync: SyncSettings, configuration: Configuration, ledger: any LedgerStore,
    attempt: SyncAttempt?, in context: Context
  ) async throws {
    self.sync = sync
    self.attempt = attempt
    isBusy = State(machine: context.machine, isReadOnly: true).isBusy
    let last = try await ledger.runs(of: sync.name).first
    openRun = last.flatMap { run in
      run.endedAt == nil && run.startedAt >= attempt?.endedAt ?? run.startedAt ? run : nil
    }
    var (grant, items, conflicts, outside): (AccessGrant?, Int, Int, Int) = (nil, 0, 0, 0)
    var quarantine: [QuarantinedItem] = []
    var problem: Failure?
    var restriction: AccessRestriction?
    do {
      let binding = try SyncBinding(of: sync, in: configuration, context)
      restriction = try AccessPolicyFile(machine: context.machine).load()
        .restriction(on: binding.remote)
      grant = try await ledger.grant(for: binding.remote)
      items = try await ledger.places(of: binding).count
      conflicts = try await ledger.conflicts(of: binding).count
      outside = try await ledger.outside(of: binding).count
      quarantine = try await ledger.quarantine(of: binding)
    } catch let error as CancellationError {
      throw error
    } catch {
      problem = Failure(describing: error)
    }
    self.restriction = restriction
    (self.grant, self.items, self.conflicts) = (grant, items, conflicts)
    (self.outside, self.quarantine, self.problem) = (outside, quarantine, problem)
    deletions = sync.safeguards.limit(of: items)
  }

  /// The exit status of a run if nothing changed in the meantime.
  var exit: ExitStatus {
    if let problem { return problem.status }
    if openRun != nil, !isBusy { return .interrupted }
    if let attempt, let status = ExitStatus(rawValue: Int32(clamping: attempt.status)),
      ![.done, .someFailed, .conflicts].contains(status)
    {
      return status
    }
    guard [.writeOnly, .full].contains(access) else { return .noAccess }
    if !quarantine.allSatisfy(\.isLeft) || attempt?.status == 1 { return .someFailed }
    return conflicts > 0 ? .conflicts : .done
  }

  /// The text output.
  var lines: [ConsoleText] {
    var lines: [ConsoleText] = ["\(sync.name, .bold): \(headline)"]
    if let message = attempt?.message { lines.append("  \(message)") }
    if let problem { lines.append("  \(problem.message)") }
    if let success = attempt?.lastSuccess, attempt?.status != 0 {
      lines.append("  last in order \(success.timestamp)")
    }
    let granted = grant.map { "\(access.rawValue), for: \($0.purpose)" } ?? "not granted yet"
    lines.append("  access: \(restriction.map { "\(granted); \($0)" } ?? granted)")
    if let advice, problem == nil { lines.append(advice) }
    if items > 0 {
      lines.append("  \(Count(items, "item")) on both sides; \(deletionsAllowed)")
    }
    if outside > 0 {
      lines.append(
        "  \(Count(outside, "item")) on one side, outside of the window or the components")
    }
    if conflicts > 0 {
      let word = conflicts == 1 ? "conflict waits" : "conflicts wait"
      lines.append(
        "  \(Count.grouped(conflicts)) \(word): \(SuggestedCommand.conflicts(of: sync.name))")
    }
    return lines + quarantine.map(line)
  }

  /// The number of allowed deletions; emptying a side needs the user's permission.
  private var deletionsAllowed: ConsoleText {
    switch (deletions, items) {
    case (0, 1): "a run deletes the last item of a side only with --allow-delete 1"
    case (0, _): "a run deletes nothing of a side without --allow-delete"
    default: "a run may delete \(Count.grouped(deletions)) of a side"
    }
  }

  /// The command that grants the needed access; nil if access is granted or restricted.
  private var advice: ConsoleText? {
    let tier = min(sync.access, restriction?.tier ?? .full)
    switch access {
    case .notDetermined:
      return "  To grant it: \(SuggestedCommand.grant(tier, to: sync.remote))"
    case .denied:
      return "  To change the answer: \(SuggestedCommand.grant(tier, to: sync.remote))"
    case .restricted, .writeOnly, .full: return nil
    }
  }

  /// The current access status.
  private var access: AccessStatus { AccessStatus(grant, under: restriction) }

  private var headline: ConsoleText {
    if let openRun {
      let start = openRun.startedAt.timestamp
      return isBusy ? "running since \(start)" : "interrupted; last run began \(start)"
    }
    guard let attempt else { return "not run yet" }
    let words = exit == .done ? "in order" : exit.meaning
    return "\(words); last run \(attempt.endedAt.timestamp)"
  }

  private func line(_ item: QuarantinedItem) -> ConsoleText {
    let name: ConsoleText =
      item.title == item.uid.rawValue
      ? "\(item.uid)" : "\"\(item.title)\" \("(\(item.uid))", .dim)"
    if item.isLeft { return "  left alone: \(name): \(item.reason)" }
    let times = item.failures == 1 ? "failed once" : "failed \(item.failures) times"
    let next = item.nextTry.map { ", not tried before \($0.timestamp)" } ?? ""
    return "  \(times)\(next): \(name): \(item.reason)"
  }

  /// The JSON representation.
  var json: JSONValue {
    [
      "name": .string(sync.name), "exit": .integer(Int(exit.rawValue)),
      "lastRun": JSONValue(attempt?.endedAt.timestamp),
      "lastSuccess": JSONValue(attempt?.lastSuccess?.timestamp),
      "lastExit": attempt.map { .integer($0.status) } ?? .null,
      "message": JSONValue(attempt?.message ?? problem?.message.plain),
      "access": .string(access.rawValue), "tier": JSONValue(grant?.tier.rawValue),
      "purpose": JSONValue(grant?.purpose),
      "items": .integer(items), "conflicts": .integer(conflicts),
      "outside": .integer(outside),
      "deletionsAllowed": .integer(deletions),
      "quarantine": .array(
        quarantine.map { item in
          [
            "uid": .string(item.uid.rawValue), "title": .string(item.title),
            "reason": .string(item.reason), "failures": .integer(item.failures),
            "since": .string(item.since.timestamp), "nextTry": JSONValue(item.nextTry?.timestamp),
          ]
        }),
    ]
  }
}
