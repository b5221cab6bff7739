// SPDX-License-Identifier: Apache-2.0

package import CalendarStore
package import Epact

extension ColumnTable {
  /// Creates the table of hosted accounts.
  package init(_ accounts: [HostedAccount], on machine: Machine) {
    self.init(
      accounts.map { account in
        [
          account.name,
          account.isPaused ? "paused" : "due \(machine.localTime(account.dueAt))",
          account.outcome.map { outcome in
            let status = ExitStatus(rawValue: Int32(outcome.status)) ?? .nothingDone
            return "\(machine.localTime(outcome.endedAt)): "
              + (outcome.message?.split(separator: "\n").first.map(String.init) ?? status.meaning)
          } ?? "never synced",
        ]
      })
  }
}

/// The numbers of a host's accounts.
package struct FleetReport: Report {
  private let counts: HostedAccountCounts
  private let machine: Machine

  /// Takes the numbers.
  package init(_ counts: HostedAccountCounts, on machine: Machine) {
    (self.counts, self.machine) = (counts, machine)
  }

  package var status: ExitStatus { .done }

  package var json: JSONValue { counts.json }

  package var messages: [Message] {
    var lines: [ConsoleText] = [
      "\(Count(counts.accounts, "account")), \(Count.grouped(counts.due)) due, "
        + "\(Count.grouped(counts.paused)) paused"
    ]
    for status in ExitStatus.gravest.reversed() {
      guard let number = counts.byStatus[Int(status.rawValue)] else { continue }
      lines.append("  \(Count.grouped(number)): \(status.meaning)")
    }
    if counts.never > 0 { lines.append("  \(Count.grouped(counts.never)): never synced") }
    if let time = counts.earliestDue {
      lines.append(
        counts.due > 0
          ? "Oldest due time: \(local: time)" : "Next due time: \(local: time)")
    }
    if let time = counts.earliestSuccess {
      lines.append("Oldest last success: \(local: time)")
    }
    return lines.map { .show($0) }
  }
}
