// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import CalendarSync
import Epact
import EpactConsole

/// `epact status`: shows the state of each sync.
struct StatusCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show the state of each sync.",
    discussion: """
      Shows for each sync of the configuration: the time and the outcome of its last run, the \
      granted access, the number of items on both sides, pending conflicts, and failed items with \
      the time of the next attempt. No server is contacted. The exit status is that of the last \
      run as of now: 1 while items fail, 3 while conflicts are pending.
      """)

  @Argument(
    help: ArgumentHelp("Show only these syncs.", valueName: "name"),
    completion: .syncNames)
  var names: [String] = []

  @Flag(help: "Print one JSON object instead of text.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let set = try SyncSet(
      try context.configuration(), names: names, machine: context.machine)
    let found = try await set.status()
    let exit = ExitStatus.worst(of: found.map(\.exit))
    if json {
      context.console.write([
        "syncs": .array(found.map(\.json)), "exit": .integer(Int(exit.rawValue)),
      ])
    } else {
      for line in found.flatMap(\.lines) { context.console.show(line) }
      if found.isEmpty {
        context.console.note(
          "There is no [[sync]] in the configuration. To make one: \(SuggestedCommand.initialize)")
      }
    }
    return exit
  }
}

extension SyncStatus {
  /// The exit status of a run if nothing changed in the meantime.
  fileprivate var exit: ExitStatus { ExitStatus(outcome) }

  /// The text output.
  fileprivate var lines: [ConsoleText] {
    var lines: [ConsoleText] = ["\(sync, .bold): \(headline)"]
    if let message = attempt?.message { lines.append("  \(message)") }
    if let problem { lines.append("  \(Failure.message(of: problem))") }
    if let success = attempt?.lastSuccess, attempt?.status != 0 {
      lines.append("  last success \(local: success)")
    }
    // The configuration may ask for less than what was granted.
    let limited = access == .full && wanted == .writeOnly ? "write-only of full" : access.rawValue
    let granted = grant.map { "\(limited), for: \($0.purpose)" } ?? "not granted yet"
    // Without a side, the grant is not looked up.
    if problem == nil || grant != nil {
      lines.append("  access: \(restriction.map { "\(granted); \($0.words)" } ?? granted)")
    }
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
        "  \(Count.grouped(conflicts)) \(word): \(SuggestedCommand.conflicts(of: sync))")
    }
    return lines + properties.map(line) + quarantine.map(line)
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
    switch access {
    case .notDetermined:
      return "  To grant it: \(SuggestedCommand.grant(wanted, to: remote))"
    case .denied:
      return "  To change the answer: \(SuggestedCommand.grant(wanted, to: remote))"
    case .restricted, .writeOnly, .full: return nil
    }
  }

  private var headline: ConsoleText {
    if let openRun {
      let start = openRun.startedAt
      return isBusy
        ? "running since \(local: start)" : "interrupted; last run began \(local: start)"
    }
    guard let attempt else { return "not run yet" }
    let words =
      switch (exit, troubledCalendars) {
      case (.done, 0): "in order"
      case (.done, let count):
        "listed, but \(count) of its \(Count(calendars, "calendar")) "
          + "\(count == 1 ? "is" : "are") not in order"
      default: exit.meaning
      }
    return "\(words); last run \(local: attempt.endedAt)"
  }

  private func line(_ difference: DifferentProperty) -> ConsoleText {
    func quoted(_ value: String?) -> ConsoleText { value.map { "\"\($0)\"" } ?? "none" }
    return "  the \(difference.property.rawValue) differs: \(quoted(difference.local)) here, "
      + "\(quoted(difference.remote)) there"
  }

  private func line(_ item: QuarantinedItem) -> ConsoleText {
    let name: ConsoleText =
      item.title == item.uid.rawValue
      ? "\(item.uid)" : "\"\(item.title)\" \("(\(item.uid))", .dim)"
    if item.isLeft { return "  skipped: \(name): \(item.reason.words)" }
    let times = item.failures == 1 ? "failed once" : "failed \(item.failures) times"
    let next: ConsoleText = item.nextTry.map { ", not tried before \(local: $0)" } ?? ""
    return "  \(times)\(next): \(name): \(item.reason.words)"
  }
}
