// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import Epact
import EpactConsole

/// The remedies as commands of this program.
struct ProgramRemedies: Remedies {
  func failure(_ error: any Error) -> Failure { Failure(describing: error) }

  func hint(_ remedy: EpactError.Remedy) -> ConsoleText { Failure.hint(remedy) }

  func hint(_ objection: GuardObjection, in result: SyncResult) -> ConsoleText {
    objection.hint(for: result)
  }

  func conflicts(of sync: String?) -> SuggestedCommand { .conflicts(of: sync) }

  func subscribe(_ feed: String) -> SuggestedCommand { .subscribe(feed) }

  func check(_ path: String) -> SuggestedCommand { .check(path) }

  func copy(_ uid: UID) -> SuggestedCommand { .copy(uid) }
}

/// Conversion of errors of other layers: the message is theirs, the exit status is chosen here.
extension Failure {
  /// Creates a failure from any error.
  init(describing error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    default:
      let error = EpactError(describing: error)
      self.init(
        ExitStatus(SyncOutcome(error.code)), Self.message(of: error),
        hint: error.remedy.map(Self.hint))
    }
  }

  /// The advice for a remedy: the only place that turns remedies into commands.
  static func hint(_ remedy: EpactError.Remedy) -> ConsoleText {
    switch remedy {
    case .makePrivate(let path): "Run: chmod 600 \(ShellWord(path))"
    case .withdrawAccess(let path): "Run: chmod go-rwx \(ShellWord(path))"
    case .withdrawWriting(let path): "Run: chmod go-w \(ShellWord(path))"
    case .takeOwnership: "Copy it to a file of your own, or have root make it yours with chown."
    case .makeFolder(let path): "If it is new, make its folder: mkdir -p \(ShellWord(path))"
    case .usePath(let name): "To use a folder, write ./\(name)."
    case .grant(let tier, let remote): "To grant it: \(SuggestedCommand.grant(tier, to: remote))"
    case .changeAnswer(let tier, let remote):
      "To change the answer: \(SuggestedCommand.grant(tier, to: remote))"
    case .signIn(let remote): "To sign in: \(SuggestedCommand.login(remote))"
    case .confirmGrant(let tier, let remote, let why):
      "To raise it: \(SuggestedCommand.grant(tier, to: remote, purpose: why, isConfirmed: true))"
    case .confirmProgram(let tier, let entity, let program, let purpose):
      "To raise it: "
        + "\(SuggestedCommand.grant(tier, of: entity, toProgram: program, purpose: purpose))"
    case .lowerAccess(let tier): "Run it on a terminal, or with --access \(tier.rawValue)."
    case .usePasswordFile(let path): "To use what is in it: --password-file \(ShellWord(path))"
    case .keepPasswordInFile: "Another way: --keep-password file"
    case .statePurpose: "State with --purpose TEXT what the access is for, and why."
    case .check(let path): "To see where: \(SuggestedCommand.check(path))"
    case .scheduleWithCron:
      "Without systemd: \(SuggestedCommand.scheduleRemove); \(SuggestedCommand.scheduleInstallCron)"
    case .trustCertificate: ownCertificates
    case .completeUID: "Write the whole UID, and --sync NAME if several syncs have it."
    case .listRuns, .chooseRun: "To see the runs: \(SuggestedCommand.history)"
    case .undoEarlier(let change, let isThere): earlierUndo(before: change, isThere)
    case .restoreInNewPlace(let sync): newPlace(of: sync)
    case .configure: "To make one: \(SuggestedCommand.initialize)"
    case .convert(let path): "To convert it: \(SuggestedCommand.convert(path))"
    case .recreateCalendar(let name): recreation(of: name)
    case .copyLedger: "To copy it into the database: \(SuggestedCommand.copyLedger)"
    case .sync(let name): "To run it: \(SuggestedCommand.sync(of: name))"
    case .listCalendars(let sync): "To see both sides: \(SuggestedCommand.discover(sync))"
    case .createCalendar(let name, let sync):
      "To create it: \(SuggestedCommand.createCalendar(name, in: sync))"
    case .chooseCalendar(let key):
      "Choose it with --in CALENDAR, or add \(key) = \"CALENDAR\" at the top of the configuration."
    case .applyMessage(let file): "To apply it: \(SuggestedCommand.applyInvitation(file))"
    case .identifyUser:
      "Choose the attendee with --as ADDRESS, or add addresses = [\"ADDRESS\"] to the configuration."
    case .confirmSender: "If you trust it nevertheless: --trust-sender"
    case .grantWithoutQuestion: "To grant it without a question: --yes"
    case .leaveAnswer: "Omit --send, or use --no-calendar to send the answer only."
    case .setPagePassword: "To set one: \(SuggestedCommand.setPagePassword)"
    case .exchangeFiles(let sharesLinks): fileExchange(sharesLinks)
    case .other(let text): "\(text)"
    }
  }

  private static var ownCertificates: ConsoleText {
    "For certificates of your own: ca-file in the configuration, or "
      + "\(SuggestedCommand.initializeWithCertificates)"
  }

  /// The alternatives at a service without an interface.
  private static func fileExchange(_ sharesLinks: Bool) -> ConsoleText {
    let files: ConsoleText =
      "take over its exports: \(SuggestedCommand.importFile); hand events over: "
      + "\(SuggestedCommand.handoff)"
    guard sharesLinks else { return "What works: " + files }
    return
      "What works: read a calendar that it shares by a link: \(SuggestedCommand.subscribe("LINK")); "
      + files
  }

  private static func newPlace(of sync: String) -> ConsoleText {
    "If that is right, and no disk is missing: "
      + "\(SuggestedCommand.restore(sync, isInNewPlace: true))"
  }

  private static func recreation(of calendar: String) -> ConsoleText {
    "To have it on both sides again: \(SuggestedCommand.recreateCalendar(calendar)); "
      + "to remove it from both: \(SuggestedCommand.removeCalendar(calendar))"
  }

  /// The advice for an undo that stops at a change of a calendar.
  private static func earlierUndo(
    before change: CalendarChange, _ isThere: Bool
  ) -> ConsoleText {
    let undo: ConsoleText = "undo the change before: \(SuggestedCommand.undo)"
    guard change.kind == .created, isThere else { return "To " + undo }
    return "To remove it: \(SuggestedCommand.removeCalendar(change.calendar)); to " + undo
  }
}

extension GuardObjection {
  /// The commands that allow the deletions of a sync, or restore the items instead.
  fileprivate func hint(for result: SyncResult) -> ConsoleText {
    let sync = result.name
    let deleting: SuggestedCommand =
      result.isMirror
      ? .mirror(sync, allowDelete: deletions) : .sync(sync, allowDelete: deletions)
    switch cause {
    case .rollback where side == .remote:
      return
        "To take the agreed versions again: \(SuggestedCommand.restoreReplacing(sync)); to send "
        + "those of the local calendar: \(SuggestedCommand.syncAcceptingRestored(sync))"
    case .rollback:
      return
        "To send the agreed versions again: \(SuggestedCommand.restorePushing(sync)); to take "
        + "those of the remote: \(SuggestedCommand.syncAcceptingRestored(sync))"
    case .push:
      let pushing = SuggestedCommand.restorePushing(sync, allowDelete: deletions)
      return "If they are meant to go: \(pushing)"
    case .undo(let run):
      return "If they are meant to go: \(SuggestedCommand.undo(run, allowDelete: deletions))"
    // If the disk is not mounted, restoring is no remedy.
    case .missing where side == .remote:
      return
        "To get them back: \(SuggestedCommand.restore(sync)); if they are meant to go: \(deleting)"
    case .missing where result.changesRemote:
      return
        "To send them again: \(SuggestedCommand.restorePushing(sync)); if they are meant to go: "
        + "\(deleting)"
    case .missing, .otherPlace: return "If they are meant to go: \(deleting)"
    }
  }
}
