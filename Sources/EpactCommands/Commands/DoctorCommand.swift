// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Epact
import EpactConsole

/// `epact doctor`: finds problems that prevent syncs.
struct DoctorCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Find problems that prevent syncs, and suggest remedies.",
    discussion: """
      Checks the configuration, the permissions of files, the clock, the time zones, the ledger, \
      the calendars and the remotes. A remote is used only as far as its access allows: it is not \
      contacted without a grant, nor under write-only access, where nothing may be read. Nothing \
      is written except the log of requests.
      """)

  @Flag(help: "Contact no remote.")
  var offline = false

  @Flag(help: "Print one JSON object instead of text.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let doctor = Doctor(
      context.configurationFile, machine: context.machine, log: context.log, isOffline: offline)
    var findings: [Diagnosis] = []
    // Each group is shown immediately, because a server may respond slowly.
    for await group in doctor.groups() {
      findings += group
      guard !json else { continue }
      for finding in group where finding.level != .ok || !global.quiet {
        context.console.show(finding.lines(advice: finding.remedy.map(Failure.hint)))
      }
    }
    try Task.checkCancellation()
    let status = ExitStatus.worst(of: findings.map(\.status))
    if json {
      context.console.write([
        "findings": .array(
          findings.map {
            $0.json(advice: $0.remedy.map { context.console.plain(Failure.hint($0)) })
          }),
        "exit": status.json,
      ])
    } else {
      let counts = [Diagnosis.Level.error, .warning].map { level in
        "\(Count(findings.count { $0.level == level }, level.rawValue))"
      }
      context.console.say("\(counts.joined(separator: ", ")).")
    }
    return status
  }
}
