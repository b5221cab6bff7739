// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import Epact

extension Doctor {
  /// Checks the integrity and the file permissions of the ledger.
  func ledger() async -> [Finding] {
    let folder = machine.stateFolder
    let path = folder + "/ledger.sqlite"
    guard let mode = FileMode(path) else {
      return [Finding(.ok, "ledger", "there is none yet; the first sync makes it")]
    }
    var findings: [Finding] = []
    for (place, isOpen) in [
      (folder, FileMode(folder)?.isOpenToOthers), (path, mode.isOpenToOthers),
    ]
    where isOpen == true {
      findings.append(
        Finding(
          .warning, "ledger", "\(place) can be read by others",
          advice: "Run: chmod go-rwx \(ShellWord(place))"))
    }
    do {
      let ledger = try LedgerDatabase(reading: path)
      let faults = try await ledger.faults()
      findings += faults.map {
        Finding(.error, "ledger", "\($0)", advice: Self.advice(path), status: .nothingDone)
      }
      if findings.isEmpty { findings.append(Finding(.ok, "ledger", "\(path) is whole")) }
    } catch {
      let failure = Failure(describing: error)
      findings.append(
        Finding(
          .error, "ledger", failure.message, advice: failure.hint ?? Self.advice(path),
          status: failure.status))
    }
    return findings
  }

  private static func advice(_ path: String) -> ConsoleText {
    "If it stays so, move \(ShellWord(path)) away: without it a sync deletes nothing, and access has to be granted once more."
  }
}
