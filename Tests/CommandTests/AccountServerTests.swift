// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import Foundation
import TestSupport
import Testing

/// Whole accounts with real servers: calendars come, are renamed and go on both sides.
///
/// `EPACT_KILLS=all` kills a run at every third request or change of a file, and not only at some.
@Suite(.timeLimit(.minutes(60)), .serialized) struct AccountServerTests {
  private static var step: Int {
    ProcessInfo.processInfo.environment["EPACT_KILLS"] == "all" ? 3 : 47
  }

  private func expect(
    _ scene: AccountScene, _ expected: [String: [String]], _ what: Comment,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    #expect(try scene.here() == expected, what, sourceLocation: sourceLocation)
    #expect(try await scene.there() == expected, what, sourceLocation: sourceLocation)
  }

  @Test(arguments: ServerProcess.Kind.allCases)
  func `Twenty calendars come, are renamed and go on both sides while runs are killed`(
    _ kind: ServerProcess.Kind
  ) async throws {
    let scene = try await AccountScene(kind)
    var expected = try await scene.there()
    for number in 0..<10 {
      for name in ["here", "there"] {
        let titles = ["One \(name) \(number)", "Two \(name) \(number)"]
        expected["\(name)-\(number)"] = titles
        for (index, title) in titles.enumerated() {
          let uid = "\(name)-\(number)-\(index)"
          if name == "here" {
            try scene.write(uid, title, in: "\(name)-\(number)")
          } else {
            try await scene.writeThere(uid, title, in: "\(name)-\(number)")
          }
        }
      }
    }
    #expect(try scene.syncKilled(every: Self.step) > 3)
    let sync = try scene.sandbox.run("epact sync && epact sync")
    #expect(sync.status == 0, "\(sync.errors)")
    try await expect(scene, expected, "created")
    let folder = scene.sandbox.folder.path
    #expect(try scene.sandbox.run("cat cals/there-4/displayname").output == "The there-4")
    try await renameAndRemove(scene, expected)
    try await bringBackAndRemove(scene, expected)
    #expect(try scene.sandbox.run("ls -A cals | grep -c '^\\.'").output == "0\n", "\(folder)")
  }

  /// Renames six calendars and removes four, on both sides.
  private func renameAndRemove(
    _ scene: AccountScene, _ expected: [String: [String]]
  ) async throws {
    let sandbox = scene.sandbox
    for name in ["here-5", "there-5", "there-6"] {
      #expect(try sandbox.run("epact calendars rename home/\(name) 'New \(name)'").status == 0)
    }
    for name in ["here-7", "there-7", "here-8"] {
      try await scene.set(.name, to: "New \(name)", of: name)
      // A server is asked for names twice a day, and when something was changed here.
      #expect(try sandbox.run("epact calendars color home/\(name) '#102030'").status == 0)
    }
    _ = try sandbox.run("rm -r cals/here-0 cals/there-0")
    for name in ["here-1", "there-1"] { try await scene.removeThere(name) }
    #expect(try scene.syncKilled(every: Self.step) > 1)
    let result = try sandbox.run("epact sync")
    #expect(result.status == 2)
    for text in [
      "home/there-1: it is gone from the server",
      "epact calendars recreate home/there-1; to remove it from both: "
        + "epact calendars remove home/there-1",
    ] {
      #expect(result.errors.contains(text), "\(result.errors)")
    }
    var (here, there) = (expected, expected)
    for name in ["here-0", "there-0"] { here[name] = nil }
    for name in ["here-1", "there-1"] { there[name] = nil }
    #expect(try scene.here() == here)
    #expect(try await scene.there() == there)
    let titles = try await scene.titlesThere()
    for name in ["here-5", "there-5", "there-6", "here-7", "there-7", "here-8"] {
      #expect(titles[name] == "New \(name)")
      #expect(try sandbox.run("cat cals/\(name)/displayname").output == "New \(name)")
    }
    #expect(titles["here-2"] == "here-2")
    let discovered = try sandbox.run("epact discover | sed 's/  */ /g'").output
    for line in ["home/there-0 The there-0 - there gone here", "home/here-1 here - gone there"] {
      #expect(discovered.contains(line), "\(discovered)")
    }
  }

  /// Has the gone calendars on both sides again, and removes one for good.
  private func bringBackAndRemove(
    _ scene: AccountScene, _ expected: [String: [String]]
  ) async throws {
    let sandbox = scene.sandbox
    for name in ["here-0", "there-0", "here-1", "there-1"] {
      #expect(try sandbox.run("epact calendars recreate home/\(name)").status == 0)
    }
    #expect(try scene.syncKilled(every: Self.step) > 0)
    #expect(try sandbox.run("epact sync && epact sync").status == 0)
    try await expect(scene, expected, "recreated")
    let refused = try sandbox.run("epact calendars remove home/here-9 --yes")
    #expect(refused.status == 2 && refused.errors.contains("it has 2 items"), "\(refused.errors)")
    try await expect(scene, expected, "not removed")
    let removed = try sandbox.run("epact calendars remove home/here-9 --yes --with-items")
    #expect(removed.status == 0, "\(removed.errors)")
    var rest = expected
    rest["here-9"] = nil
    rest["club"] = []
    let made = try sandbox.run("epact calendars create club --in home --title 'The club'")
    #expect(made.status == 0, "\(made.errors)")
    let sync = try sandbox.run("epact sync")
    #expect(sync.output.contains("home/club: created the calendar \"The club\" on the remote"))
    try await expect(scene, rest, "removed and created")
    #expect(try await scene.titlesThere()["club"] == "The club")
    let again = try sandbox.run("epact sync")
    #expect(again.status == 0)
    #expect(again.output.split(separator: "\n").allSatisfy { $0.hasSuffix(": up to date.") })
  }

  @Test(arguments: ServerProcess.Kind.allCases)
  func `An item that moves to another calendar of an account is there once`(
    _ kind: ServerProcess.Kind
  ) async throws {
    let scene = try await AccountScene(kind)
    for name in ["one", "two"] {
      for number in 1...4 { try scene.write("\(name)\(number)", "\(name) \(number)", in: name) }
    }
    #expect(try scene.sandbox.run("epact sync && epact sync").status == 0)
    // The password is asked for once in a run.
    #expect(try scene.sandbox.run("cat asked | wc -l").output == "2\n")
    // To a calendar that is new, and to one that is known.
    _ = try scene.sandbox.run(
      "mkdir cals/new && mv cals/one/one1.ics cals/new && mv cals/one/one2.ics cals/two")
    let result = try scene.sandbox.run("epact sync && epact sync")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("from home/one to home/two"))
    let here = try scene.here()
    #expect(here["new"] == ["one 1"])
    #expect(here["two"] == ["one 2", "two 1", "two 2", "two 3", "two 4"])
    #expect(try await scene.there() == here)
  }

  @Test func `Created, renamed and gone calendars are in the JSON output`() async throws {
    let scene = try await AccountScene(.radicale)
    func changes(_ options: String = "") throws -> String {
      try scene.sandbox.run(
        "epact sync --json \(options) | sed -n '/^  \"calendars\"/,/^  \"moves\"/p' | grep sync | "
          + "tr -d '\" ' | sed 's/,$//'"
      ).output
    }
    func row(_ name: String, _ change: String, _ rest: String) -> String {
      "{sync:home/\(name),change:\(change),side:\(rest)}\n"
    }
    try scene.write("a", "A", in: "one")
    func created(_ outcome: String) -> String {
      row("cal", "created", "local,title:Private,outcome:\(outcome)")
        + row("one", "created", "remote,title:null,outcome:\(outcome)")
    }
    #expect(try changes("--dry-run") == created("planned"))
    let first = try changes()
    #expect(first.hasPrefix(created("done")), "\(first)")
    #expect(first.contains(row("cal", "renamed", "local,title:Private,outcome:done")), "\(first)")
    #expect(try scene.sandbox.run("epact calendars rename home/one First").status == 0)
    #expect(try changes() == row("one", "renamed", "remote,title:First,outcome:done"))
    try await scene.removeThere("one")
    #expect(try changes() == row("one", "gone", "remote,title:First,outcome:null"))
  }

  @Test func `A calendar of an account is named with the account, without it, or by its title`()
    async throws
  {
    let scene = try await AccountScene(.radicale)
    let sandbox = scene.sandbox
    try scene.write("a", "A", in: "one")
    try scene.write("b", "B", in: "two")
    _ = try sandbox.run("epact sync; epact calendars rename home/two 'Number two'")
    for (number, name) in ["home/one", "one", "'Number two'"].enumerated() {
      let result = try sandbox.run("epact new 'Lunch \(number)' 2030-01-02 12:00 --in \(name)")
      #expect(result.status == 0, "\(result.errors)")
    }
    let views = ["home/one", "one", "~/cals/one"].map {
      "epact agenda \($0) --from 2030-01-02 --days 1 | grep -c Lunch"
    }
    #expect(try sandbox.run(views.joined(separator: "; ")).output == "2\n2\n2\n")
    // A name in two accounts is the name of neither.
    _ = try sandbox.run(
      "sed -n '/sync/,$p' config/epact/config.toml | sed 's/home/copy/; s/cals/copies/' > more; "
        + "cat more >> config/epact/config.toml; mkdir copies; epact sync")
    let refused = try sandbox.run("epact new Tea 2030-01-03 --in one")
    #expect(refused.status == 64)
    #expect(
      refused.errors.contains("\"one\" denotes several calendars: copy/one, home/one"),
      "\(refused.errors)")
  }

  @Test func `Accounts are listed at the same time, and reported in their order`() async throws {
    let scene = try await AccountScene(.radicale)
    let file = scene.sandbox.folder.appending(path: "config/epact/config.toml")
    let text = try String(contentsOf: file, encoding: .utf8)
    let parts = text.components(separatedBy: "[[sync]]")
    // Two syncs of the account, the first of which fetches its password slowly, and one of another.
    let copy =
      "[[sync]]" + parts[1].replacing("home", with: "copy").replacing("cals", with: "copies")
    let other =
      parts[0].replacing("ours", with: "bobs").replacing(
        "\"\(ServerProcess.user)\"", with: "\"\(ServerProcess.otherUser)\"")
      + "[[sync]]"
      + parts[1].replacing("home", with: "bob").replacing("cals", with: "bob")
      .replacing("\"ours", with: "\"bobs")
    try Data((text.replacing("echo >>", with: "sleep 1; echo >>") + copy + other).utf8).write(
      to: file)
    _ = try scene.sandbox.run(
      "mkdir copies bob; epact access bobs --grant full --purpose 'Keeps the calendars of Bob'")
    try scene.write("a", "A", in: "one")
    _ = try scene.sandbox.run("mkdir bob/club copies/two")
    let result = try scene.sandbox.run("epact sync | grep created")
    #expect(
      result.output.split(separator: "\n") == [
        "home/cal: created the calendar \"Private\" here",
        "home/one: created the calendar on the remote",
        "copy/cal: created the calendar \"Private\" here",
        "copy/one: created the calendar \"one\" here",
        "copy/two: created the calendar on the remote",
        "bob/club: created the calendar on the remote",
      ], "\(result.errors)")
  }

  @Test func `Calendars that are gone or stopped are named by status, discover and doctor`()
    async throws
  {
    let scene = try await AccountScene(.radicale)
    for name in ["here", "there", "empty", "fine"] {
      for number in 1...4 { try scene.write("\(name)-\(number)", "Event", in: name) }
    }
    let sandbox = scene.sandbox
    #expect(try sandbox.run("epact sync && epact sync").status == 0)
    #expect(try sandbox.run("epact doctor").status == 0)
    try await scene.removeThere("there")
    _ = try sandbox.run("rm -r cals/here cals/empty/*.ics; epact sync")
    let status = try sandbox.run("epact status")
    #expect(status.output.contains("home: listed, but 3 of its 5 calendars are not in order"))
    #expect(!status.output.contains("not granted yet"))
    let lost = "4 of 4 items would have been deleted on the remote side"
    let discover = try sandbox.run("epact discover").output
    #expect(discover.contains("synced, but the last sync failed: \(lost)"))
    #expect(discover.split(separator: "\n").contains { $0.hasSuffix("synced") })
    let json = try sandbox.run("epact discover --json").output
    #expect(json.contains("\"complaint\": \"\(lost)\""))
    let doctor = try sandbox.run("epact doctor")
    #expect(doctor.status == 2)
    #expect(doctor.output.contains("sync home/empty: the last run failed: \(lost)"))
    #expect(doctor.output.contains("sync home/there: the last run failed: it is gone"))
    #expect(doctor.output.contains("calendar home/here: there is nothing"))
    #expect(doctor.output.contains("3 errors"))
  }

  @Test func `A folder that is empty, or away, deletes nothing and creates nothing`() async throws {
    let scene = try await AccountScene(.radicale)
    try scene.write("a", "A", in: "one")
    try scene.write("b", "B", in: "two")
    #expect(try scene.sandbox.run("epact sync").status == 0)
    let before = try await scene.there()
    for command in ["mv cals away; mkdir cals", "rmdir cals"] {
      _ = try scene.sandbox.run(command)
      let result = try scene.sandbox.run("epact sync")
      #expect(result.status == 2, "\(result.output)")
      #expect(result.errors.contains("error: home: "), "\(result.errors)")
      #expect(try await scene.there() == before)
    }
    _ = try scene.sandbox.run("mv away cals")
    #expect(try scene.sandbox.run("epact sync").status == 0)
    #expect(try scene.here() == before)
  }

  @Test func `Nothing is listed without full access, and other syncs go on`() async throws {
    let scene = try await AccountScene(.radicale)
    let sandbox = scene.sandbox
    _ = try sandbox.run(
      """
      mkdir cal disk; printf '[calendar.mine]\\npath = "~/cal"\\n[remote.disk]\\nkind = "folder"\\n\
      path = "~/disk"\\n[[sync]]\\nname = "disk"\\ncalendar = "mine"\\nremote = "disk"\\n' \
      >> config/epact/config.toml; epact access disk --grant full --purpose 'Keeps a copy on a disk'
      """)
    for (command, message) in [
      ("epact access ours --grant write-only --purpose 'Adds my events'", "cannot be listed"),
      ("epact access ours --grant none", "is denied"),
    ] {
      #expect(try sandbox.run(command).status == 0)
      let requests = try sandbox.run("epact access ours --log").output
      let result = try sandbox.run("epact sync")
      #expect(result.status == 77)
      #expect(result.errors.contains(message), "\(result.errors)")
      #expect(result.output == "disk: up to date.\n")
      #expect(try sandbox.run("epact discover").status == 77)
      #expect(try sandbox.run("epact access ours --log").output == requests)
    }
  }

  @Test("A mirror of an account's calendar never reads a folder of the same relative path")
  func mirrors() async throws {
    let scene = try await AccountScene(.radicale)
    let mirror = """
      [calendar.shared]
      path = "~/shared"
      [[mirror]]
      name = "copies"
      from = ["home/one"]
      to = "shared"
      show = "titles"

      """
    let file = scene.sandbox.folder.appending(path: "config/epact/config.toml")
    let text = mirror + (try String(contentsOf: file, encoding: .utf8))
    try Data(text.utf8).write(to: file)
    try scene.write("a", "True", in: "one")
    _ = try scene.sandbox.run(
      "mkdir -p shared old/home; cp -r cals/one old/home/; sed -i s/True/Foreign/ old/home/one/a.ics"
    )
    // Before the first run nobody knows the calendar.
    let first = try scene.sandbox.run("cd old && epact mirror; ls ../shared")
    #expect(first.errors.contains("no run has found the calendar \"home/one\""))
    #expect(first.output == "")
    #expect(
      try scene.sandbox.run("cd old && epact sync && grep -h SUMMARY ../shared/*").output
        .hasSuffix("SUMMARY:True\r\n"))
    // The server does not list the account, and the mirror has the known folder.
    try Data(text.replacing("echo \(ServerProcess.password)", with: "echo wrong").utf8).write(
      to: file)
    let second = try scene.sandbox.run(
      "sed -i s/True/Newer/ cals/one/a.ics; cd old && epact sync; grep -h SUMMARY ../shared/*")
    #expect(second.output == "copies: 1 copied.\nSUMMARY:Newer\r\n", "\(second.errors)")
    #expect(
      second.errors.contains("The password is the output of \"password-command\""),
      "\(second.errors)")
  }
}
