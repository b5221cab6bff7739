// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Epact

/// `epact doctor`: finds problems that prevent syncs.
struct DoctorCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Look for what keeps syncs from working, and say what to do.",
    discussion: """
      Looks at the configuration, the permissions of files, the clock, the time zones, the ledger, the \
      calendars and the remotes. A remote is asked no more than its access allows: nothing at all \
      without a grant, and nothing under write-only either, where all questions would be reading. \
      Nothing is written, but for the log of requests.
      """)

  @Flag(help: "Do not contact any remote.")
  var offline = false

  @Flag(help: "Print one JSON object instead of lines for people.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let doctor = Doctor(context: context, isOffline: offline)
    var findings: [Finding] = []
    // Each group is shown immediately, because a server may respond slowly.
    for await group in doctor.groups() {
      findings += group
      guard !json else { continue }
      for finding in group where finding.level != .ok || !global.quiet {
        for line in finding.lines { context.console.show(line) }
      }
    }
    try Task.checkCancellation()
    let status = ExitStatus.worst(
      of: findings.map { $0.level == .error ? $0.status : $0.level == .warning ? .found : .done })
    if json {
      context.console.write([
        "findings": .array(findings.map { $0.json(on: context.console) }),
        "exit": .integer(Int(status.rawValue)),
      ])
    } else {
      let counts = [Finding.Level.error, .warning].map { level in
        "\(Count(findings.count { $0.level == level }, level.rawValue))"
      }
      context.console.say("\(counts.joined(separator: ", ")).")
    }
    return status
  }
}
