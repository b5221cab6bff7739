// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import CivilTime
package import Epact

/// The states of syncs.
package struct StatusReport: Report {
  private let syncs: [SyncStatus]
  private let leftCopies: [LeftCopies]
  private let remedies: any Remedies

  /// Takes the states of syncs, and the copies of mirrors that are gone.
  package init(_ syncs: [SyncStatus], _ leftCopies: [LeftCopies] = [], _ remedies: any Remedies) {
    (self.syncs, self.leftCopies, self.remedies) = (syncs, leftCopies, remedies)
  }

  /// Whether there is no sync.
  package var isEmpty: Bool { syncs.isEmpty }

  package var status: ExitStatus { .worst(of: syncs.map { ExitStatus($0.outcome) }) }

  package var json: JSONValue {
    [
      "syncs": .array(syncs.map(\.json)), "leftCopies": .array(leftCopies.map(\.json)),
      "exit": status.json,
    ]
  }

  package var messages: [Message] {
    (syncs.flatMap(lines) + leftCopies.flatMap(lines)).map { .show($0) }
  }

  private func lines(of copies: LeftCopies) -> [ConsoleText] {
    ["\(copies.calendar, .bold): \(copies.message)", "  \(remedies.hint(copies.remedy))"]
  }

  private func lines(of status: SyncStatus) -> [ConsoleText] {
    var lines: [ConsoleText] = ["\(status.sync, .bold): \(status.headline)"]
    // The details of an error have lines of their own.
    let message = status.attempt?.message?.split(separator: "\n") ?? []
    lines += message.map { "  \(String($0))" }
    if let problem = status.problem { lines.append("  \(Failure.message(of: problem))") }
    if let success = status.attempt?.lastSuccess, status.attempt?.status != 0 {
      lines.append("  last success \(local: success)")
    }
    lines += status.mirrored.isEmpty ? accessLines(of: status) : [status.mirrorLine]
    lines += status.numbers
    if status.conflicts > 0 {
      let word = status.conflicts == 1 ? "conflict waits" : "conflicts wait"
      lines.append(
        "  \(Count.grouped(status.conflicts)) \(word): \(remedies.conflicts(of: status.sync))")
    }
    return lines + status.properties.map(\.line)
      + status.quarantine.map { $0.line(ofMirror: !status.mirrored.isEmpty) }
  }

  private func accessLines(of status: SyncStatus) -> [ConsoleText] {
    var lines: [ConsoleText] = []
    // Without a side, the grant is not looked up.
    if status.problem == nil || status.grant != nil {
      lines.append("  access: \(status.accessWords)")
    }
    if let signIn = status.signIn { lines += signInLines(of: signIn, status.remote) }
    if let words = status.directionWords { lines.append("  direction: \(words)") }
    if let remedy = status.remedy, status.problem == nil {
      lines.append("  \(remedies.hint(remedy))")
    }
    return lines
  }
}

extension StatusReport {
  private func signInLines(of state: SignInState, _ remote: String) -> [ConsoleText] {
    guard let end = state.end else {
      return ["  sign-in: \(state.words)"]
        + (state.needsSignIn ? ["  \(remedies.hint(.signIn(remote: remote)))"] : [])
    }
    return ["  sign-in: \(state.words) \(local: end)"]
  }
}

extension SyncStatus {
  fileprivate var headline: ConsoleText {
    if let openRun {
      let start = openRun.startedAt
      return isBusy
        ? "running since \(local: start)" : "interrupted; last run began \(local: start)"
    }
    guard let attempt else { return "not run yet" }
    let exit = ExitStatus(outcome)
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

  fileprivate var accessWords: String {
    // The configuration may ask for less than what was granted.
    let limited = access == .full && wanted == .writeOnly ? "write-only of full" : access.rawValue
    let granted = grant.map { "\(limited), for: \($0.purpose)" } ?? "not granted yet"
    return restriction.map { "\(granted); \($0.words)" } ?? granted
  }

  /// The direction; nil for both.
  fileprivate var directionWords: String? {
    switch direction {
    case .both: nil
    case .pull: "pull, so that nothing is sent"
    case .push: "push, so that nothing is written here"
    }
  }

  fileprivate var mirrorLine: ConsoleText {
    "  a mirror of \(SafeText.escaped(mirrored.joined(separator: ", ")))"
  }

  fileprivate var remedy: EpactError.Remedy? {
    switch access {
    case .notDetermined: .grant(wanted, remote: remote)
    case .denied: .changeAnswer(wanted, remote: remote)
    case .restricted, .writeOnly, .full: nil
    }
  }

  fileprivate var numbers: [ConsoleText] {
    var lines: [ConsoleText] = []
    if items > 0 { lines.append("  \(Count(items, "item")) on both sides; \(deletionsAllowed)") }
    if outside > 0 {
      lines.append(
        direction == .push
          ? "  \(Count(outside, "item")) on one side, and not copied"
          : "  \(Count(outside, "item")) on one side, outside of the window or the components")
    }
    return lines
  }

  /// The number of deletions that the next run allows.
  private var deletionsAllowed: String {
    switch (deletions, items) {
    case (0, 1): "a run deletes the last item of a side only with --allow-delete 1"
    case (0, _): "a run deletes nothing of a side without --allow-delete"
    default: "a run may delete \(Count.grouped(deletions)) of a side"
    }
  }
}

extension DifferentProperty {
  fileprivate var line: ConsoleText {
    func quoted(_ value: String?) -> ConsoleText { value.map { "\"\($0)\"" } ?? "none" }
    return "  the \(property.rawValue) differs: \(quoted(local)) here, \(quoted(remote)) there"
  }
}

extension QuarantinedItem {
  fileprivate func line(ofMirror isMirror: Bool) -> ConsoleText {
    let words = reason.words(ofMirror: isMirror)
    let name: ConsoleText = title == uid.rawValue ? "\(uid)" : .item(title, uid)
    if isLeft { return "  skipped: \(name): \(words)" }
    let times = failures == 1 ? "failed once" : "failed \(failures) times"
    let next: ConsoleText = nextTry.map { ", not tried before \(local: $0)" } ?? ""
    return "  \(times)\(next): \(name): \(words)"
  }
}
