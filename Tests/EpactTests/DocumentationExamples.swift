// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import CalendarModel
import CalendarStore
import CalendarSync
import Epact
import Foundation
import TestSupport
import Testing

/// The examples of the articles about the library, which are compared with the articles.
@Suite("Examples of Epact's documentation")
struct DocumentationExamples {
  /// The output of an example.
  private final class Console {
    var lines: [String] = []
    func print(_ items: Any...) {
      lines.append(items.map { "\($0)" }.joined(separator: " "))
    }
  }

  @Test("Every example of an article is compiled here, and the landing page links all articles")
  func articles() throws {
    let catalogue = CatalogueExamples(of: "Epact", in: #filePath)
    try catalogue.check()
    try catalogue.checkLinks()
  }

  @Test("Two versions of a file are merged, and compared")
  func merging() throws {
    let temporary = try TemporaryFolder()
    let folder = temporary.path
    let text = String(decoding: try Fixture("tour/family.ics").bytes, as: UTF8.self)
    let versions = [
      ("base", "Dentist"), ("mine", "Dentist, with Oma"), ("theirs", "Dentist (moved)"),
    ]
    for (name, title) in versions {
      let version = text.replacing("SUMMARY:Dentist", with: "SUMMARY:\(title)")
      try Data(version.utf8).write(to: URL(filePath: "\(folder)/\(name).ics"))
    }
    let console = Console()
    let print = console.print
    // example: MergingCalendars
    let base = try CalendarFile(contentsOf: folder + "/base.ics")
    let mine = try CalendarFile(contentsOf: folder + "/mine.ics")
    let theirs = try CalendarFile(contentsOf: folder + "/theirs.ics")
    let merged = try CalendarFile.merge(base: base, local: mine, remote: theirs)
    // end
    // example: MergingCalendars
    for finding in merged.findings {
      for conflict in finding.conflicts {
        print(finding.title, conflict.subject, conflict.local, conflict.remote)
      }
    }
    // Dentist, with Oma SUMMARY ["SUMMARY:Dentist, with Oma"] ["SUMMARY:Dentist (moved)"]
    // end
    #expect(
      console.lines == [
        #"Dentist, with Oma SUMMARY ["SUMMARY:Dentist, with Oma"] ["SUMMARY:Dentist (moved)"]"#
      ])
    // example: MergingCalendars
    let policies = MergePolicies(.newest, named: ["SUMMARY": .remote])
    let resolved = try CalendarFile.merge(
      base: base, local: mine, remote: theirs, policies: policies)
    // resolved.isClean is true
    // end
    #expect(!merged.isClean)
    #expect(resolved.isClean)
    console.lines = []
    // example: MergingCalendars
    for difference in try theirs.changes(from: base).items {
      print(difference.change, difference.item.title)
    }
    // changed Dentist (moved)
    // end
    #expect(console.lines == ["changed Dentist (moved)"])
  }

  @Test("A folder is synchronized with another one")
  func syncing() async throws {
    let scene = try SyncScene()
    let machine = scene.machine
    let console = Console()
    let print = console.print
    let disk = scene.folder.path(of: "remote")
    // example: SyncingFromCode
    let sync = Sync("home", local: .folder("local"), remote: .folder(path: disk))
    let set = SyncSet([sync], ledger: "state", machine: machine)
    // end
    // example: SyncingFromCode
    try await set.grant(
      .full, to: "home", purpose: "Keeps a copy of my appointments on a disk")
    // end
    // example: SyncingFromCode
    var rehearsal = set
    rehearsal.options.isDryRun = true
    let planned = try await rehearsal.run()
    // end
    #expect(planned.syncs.map(\.isDryRun) == [true])
    // example: SyncingFromCode
    let result = try await set.run()
    for sync in result.syncs {
      print(sync.name, sync.outcome, sync.summary.uploaded, sync.summary.conflicts)
    }
    // home done 1 0
    // end
    #expect(console.lines == ["home done 1 0"])
  }
}
