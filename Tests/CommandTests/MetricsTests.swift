// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The metrics of syncs, as a collector reads them.
@Suite(.timeLimit(.minutes(60))) struct MetricsTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    let setup = try sandbox.run(
      """
      mkdir -p config/epact cals/home disk; chmod 700 config/epact; printf 'metrics = "~/epact.prom"
      [calendar.home]\npath = "~/cals/home"\n[remote.disk]\nkind = "folder"\npath = "~/disk"
      [[sync]]\nname = "disk"\ncalendar = "home"\nremote = "disk"\n' > config/epact/config.toml
      chmod 600 config/epact/config.toml
      epact access disk --grant full --purpose 'Keeps a copy on a disk'
      epact new Lunch 2027-03-01 12:00
      """)
    #expect(setup.status == 0, "\(setup.errors)")
  }

  /// The value of a metric; nil if the file does not contain it.
  private func value(_ metric: String) throws -> Double? {
    let text = try String(
      contentsOf: sandbox.folder.appending(path: "epact.prom"), encoding: .utf8)
    let prefix = "epact_sync_\(metric){sync=\"disk\"} "
    let line = text.split(separator: "\n").first { $0.hasPrefix(prefix) }
    return line.flatMap { Double($0.dropFirst(prefix.count)) }
  }

  @Test("A conflict counts as a success, and an outage keeps the time of the last one")
  func lastSuccess() throws {
    #expect(try sandbox.run("epact sync").status == 0)
    let first = try #require(try value("last_success_timestamp_seconds"))
    #expect(try value("exit_status") == 0)
    let conflict = try sandbox.run(
      """
      sed -i 's/SUMMARY:Lunch/SUMMARY:Dinner/' cals/home/*; sed -i 's/SUMMARY:Lunch/SUMMARY:Supper/' disk/*
      sleep 1; epact sync
      """)
    #expect(conflict.status == 3)
    let second = try #require(try value("last_success_timestamp_seconds"))
    #expect(second > first)
    #expect(try value("exit_status") == 3)
    #expect(try value("conflicts") == 1)
    let outage = try sandbox.run("mv disk away; sleep 1; epact sync")
    #expect(outage.status != 0 && outage.status != 3)
    #expect(try value("last_success_timestamp_seconds") == second)
    #expect(try #require(try value("last_run_timestamp_seconds")) > second)
    // The time is also known without the file.
    #expect(try sandbox.run("rm epact.prom; epact sync").status == outage.status)
    #expect(try value("last_success_timestamp_seconds") == second)
    #expect(try value("exit_status") == Double(outage.status))
  }
}
