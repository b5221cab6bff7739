// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Commands with the ledger in a database, which several machines share.
@Suite(.timeLimit(.minutes(60))) struct DatabaseLedgerTests {
  private let server: PostgreSQLServer
  private let database: String
  private let sandbox: Sandbox

  init() throws {
    server = try PostgreSQLServer.shared()
    database = try server.makeDatabase()
    sandbox = try Sandbox()
    try configure()
  }

  /// Writes a configuration with a sync of a calendar with a folder.
  private func configure(address: String? = nil) throws {
    let text = """
      ledger = "\(address ?? server.address(of: database))"
      ledger-account = "ana"
      [calendar.mine]
      path = "~/cal"
      [remote.disk]
      kind = "folder"
      path = "~/disk"
      [[sync]]
      name = "disk"
      calendar = "mine"
      remote = "disk"

      """
    for folder in ["config/epact", "cal", "disk"] {
      try FileManager.default.createDirectory(
        at: sandbox.folder.appending(path: folder), withIntermediateDirectories: true)
    }
    try Data(text.utf8).write(to: sandbox.folder.appending(path: "config/epact/config.toml"))
  }

  @discardableResult
  private func run(_ command: String, status: Int32 = 0) throws -> String {
    let result = try sandbox.run(command)
    #expect(result.status == status, "\(command): \(result.output)\(result.errors)")
    return result.output + result.errors
  }

  @Test("Grants, runs, edits, feeds and conflicts are in the database, and no file is made")
  func everything() throws {
    #expect(try run("epact sync", status: 77).contains("no access to disk was granted yet"))
    try run("epact access disk --grant full --purpose 'Keeps a copy on a disk'")
    #expect(try run("epact access").hasPrefix("disk  full  folder"))
    try run("epact new Dentist 2031-12-05 9:00")
    #expect(try run("epact sync") == "disk: 1 uploaded.\n")
    #expect(try run("epact sync") == "disk: up to date.\n")
    #expect(try run("epact access disk --log").contains("Keeps a copy"))
    #expect(try run("epact status").contains("disk: in order"))
    try run("epact edit Dentist --note here -q")
    try run("sed -i 's/SUMMARY:Dentist/SUMMARY:Doctor/' disk/*.ics")
    try run("sed -i 's/SUMMARY:Dentist/SUMMARY:Surgeon/' cal/*.ics")
    try run("epact sync", status: 3)
    #expect(try run("epact conflicts", status: 3).contains("Surgeon"))
    try run("epact conflicts --all --take local")
    #expect(try run("epact sync") == "disk: 1 uploaded.\n")
    #expect(try run("epact feed make mine --name shown --comment 'for Ben'").contains("shown"))
    #expect(try run("epact feed list").contains("for Ben"))
    let history = try run("epact history")
    #expect(history.contains("disk") && history.contains("edit"), "\(history)")
    try run("epact new Lunch 2031-12-06 12:00 -q && epact undo && epact redo")
    #expect(try run("epact search Lunch").contains("Lunch"))
    let doctor = try run("epact doctor --offline")
    #expect(doctor.contains("ledger: ana in postgresql://epact@/\(database)"), "\(doctor)")
    #expect(doctor.contains("is whole"), "\(doctor)")
    #expect(try run("find . -name 'ledger.sqlite*'") == "")
    // Another account in the same database has a ledger of its own.
    try run("sed -i 's/\"ana\"/\"ben\"/' config/epact/config.toml")
    let none = try run("epact history")
    #expect(!none.contains("disk") && !none.contains("edit"), "\(none)")
    #expect(try run("epact sync", status: 77).contains("no access"))
    // The configuration of an option names the place, too.
    try run(
      "sed 's/\"ben\"/\"ana\"/' config/epact/config.toml > other.toml && chmod 600 other.toml")
    #expect(try run("epact history --config other.toml").contains("disk"))
  }

  @Test("Without the database nothing is done, and no other ledger takes its place")
  func unreachable() throws {
    try configure(address: "postgresql://epact@127.0.0.1:1/none")
    for command in [
      "epact sync", "epact new Dentist 2031-12-05 9:00", "epact history", "epact undo",
      "epact access disk --grant full --purpose 'Keeps a copy on a disk'", "epact feed list",
      "epact status",
    ] {
      let result = try sandbox.run(command)
      #expect(result.status == 75, "\(command): \(result.status) \(result.output)\(result.errors)")
      #expect(
        result.errors.contains("postgresql://epact@127.0.0.1:1/none"),
        "\(command): \(result.errors)")
    }
    #expect(try !run("epact sync", status: 75).contains("\\t"))
    #expect(try run("ls cal; find . -name 'ledger.sqlite*'") == "")
    // The address can have no password, and a part of the settings alone is an error.
    try configure(address: "postgresql://epact:secret@127.0.0.1/none")
    let password = try run("epact history", status: 78)
    #expect(password.contains("config.toml:1: \"ledger\" cannot be used"))
    #expect(!password.contains("secret"))
    try configure()
    try run("sed -i '/^ledger =/d' config/epact/config.toml")
    #expect(
      try run("epact sync", status: 78).contains(
        "config.toml:1: \"ledger-account\" is about a database, and there is no \"ledger\""))
  }

  @Test("The ledger of a file goes on in the database, and back in a file")
  func copies() throws {
    try run("sed -i '/^ledger/d' config/epact/config.toml")
    try run("epact access disk --grant full --purpose 'Keeps a copy on a disk'")
    try run(
      "epact new Dentist 2031-12-05 9:00 -q && epact sync -q && epact feed make mine --name shown -q"
    )
    #expect(try run("epact ledger copy", status: 78).contains("\"ledger\" is missing"))
    let history = try run("epact history")
    try configure()
    let doctor = try run("epact doctor --offline", status: 4)
    #expect(doctor.contains("To copy it into the database: epact ledger copy"), "\(doctor)")
    #expect(
      try run("epact ledger copy").contains("copied to ana in postgresql://epact@/\(database)"))
    #expect(try run("epact history") == history)
    #expect(try run("epact sync") == "disk: up to date.\n")
    #expect(try run("epact feed list").contains("shown"))
    #expect(try run("epact ledger copy", status: 2).contains("it has rows already"))
    try run("epact new Lunch 2031-12-06 12:00 -q && epact sync -q")
    let later = try run("epact history")
    #expect(try run("epact ledger copy --to-file", status: 2).contains("it has rows already"))
    try run("mv state/epact/ledger.sqlite old.sqlite && epact ledger copy --to-file")
    try run("sed -i '/^ledger/d' config/epact/config.toml")
    #expect(try run("epact history") == later)
    #expect(try run("epact sync") == "disk: up to date.\n")
  }

  @Test("A sync whose lease was taken by another machine sends nothing more")
  func zombie() async throws {
    let remote = try await ServerProcess(.radicale)
    let password = sandbox.folder.appending(path: "password")
    // The first sync hangs when it asks for the password of the server.
    try Data(
      """
      #!/bin/sh
      if mkdir "$DIR/first" 2>/dev/null; then while [ ! -e "$DIR/go" ]; do sleep 0.05; done; fi
      echo \(ServerProcess.password)
      """.utf8
    ).write(to: password)
    try run(
      """
      chmod +x password; cat >> config/epact/config.toml <<END
      [calendar.work]
      path = "~/work"
      [remote.dav]
      kind = "caldav"
      url = "\(remote.calendar)"
      username = "\(ServerProcess.user)"
      password-command = ["\(password.path)"]
      [[sync]]
      name = "dav"
      calendar = "work"
      remote = "dav"
      END
      mkdir work
      for n in 1 2 3; do epact new "Item $n" 2031-12-0$n 9:00 --in work -q; done
      epact access dav --grant full --purpose 'Keeps the work calendar on a server'
      (epact sync dav >out 2>err; echo $? >status) >/dev/null 2>&1 &
      while [ ! -e first ]; do sleep 0.05; done
      """)
    // A lease that is not over keeps the other machine away.
    let other = "XDG_STATE_HOME=$DIR/other epact sync dav"
    #expect(try run(other, status: 75).contains("is using the ledger"))
    // As a minute later, if the first one had hung: it cannot renew the lease either.
    try server.execute(
      "UPDATE epact.lease SET fence = fence + 1, token = '', until = clock_timestamp()",
      in: database)
    let second = try run(other)
    #expect(second == "dav: 3 uploaded, 1 property set.\n", "\(second)")
    try run("touch go; while [ ! -e status ]; do sleep 0.05; done")
    #expect(try run("cat status out") == "75\n")
    #expect(try run("cat err").contains("was taken over by process"))
    #expect(try run("epact sync dav") == "dav: up to date.\n")
  }

  @Test("A sync that is killed is finished by another machine")
  func killed() throws {
    try run("epact access disk --grant full --purpose 'Keeps a copy on a disk'")
    for number in 1...40 {
      try Data(
        """
        BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Example//EN\r\nBEGIN:VEVENT\r\nUID:\(number)\r
        DTSTAMP:20260101T000000Z\r\nDTSTART:20311201T090000Z\r\nSUMMARY:Item\r\nEND:VEVENT\r
        END:VCALENDAR\r\n
        """.utf8
      ).write(to: sandbox.folder.appending(path: "cal/\(number).ics"))
    }
    try run(
      """
      epact sync & process=$!
      while [ -z "$(ls disk)" ]; do sleep 0.01; done; kill -9 $process; wait $process; true
      """)
    try server.execute("UPDATE epact.lease SET until = clock_timestamp()", in: database)
    try run("XDG_STATE_HOME=$DIR/other epact sync")
    #expect(try run("ls disk | wc -l").trimmingCharacters(in: .whitespacesAndNewlines) == "40")
    #expect(try run("epact sync") == "disk: up to date.\n")
  }

  @Test("A role that only syncs grants nothing")
  func workers() throws {
    try run("epact access disk --grant full --purpose 'Keeps a copy on a disk'")
    try run("epact new Dentist 2031-12-05 9:00 -q")
    let role = "worker_\(database)"
    try server.execute(
      """
      CREATE ROLE \(role) LOGIN;
      GRANT USAGE ON SCHEMA epact TO \(role);
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA epact TO \(role);
      GRANT USAGE ON ALL SEQUENCES IN SCHEMA epact TO \(role);
      REVOKE INSERT, UPDATE, DELETE
        ON epact."grant", epact.decision, epact.program, epact.migration FROM \(role);
      """, in: database)
    try configure(address: server.address(of: database, as: role))
    #expect(try run("epact sync") == "disk: 1 uploaded.\n")
    #expect(try run("epact access disk --log").contains("Keeps a copy"))
    let refused = try run("epact access disk --revoke", status: 2)
    #expect(refused.contains("permission denied"), "\(refused)")
    try run("epact access disk --grant write-only --purpose 'Keeps a copy on a disk'", status: 2)
    try configure()
    #expect(try run("epact access").hasPrefix("disk  full  folder"))
  }
}
