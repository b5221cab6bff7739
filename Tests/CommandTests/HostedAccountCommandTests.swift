// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Many accounts on one host, by the commands that an engine runs.
@Suite(.timeLimit(.minutes(60))) struct HostedAccountCommandTests {
  /// The place of the ledgers.
  enum Place: String, CaseIterable, CustomTestStringConvertible {
    case files, database
    var testDescription: String { rawValue }
  }

  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
  }

  /// Writes the configuration of the host, and those of some accounts with two folders and a calendar
  /// between them.
  ///
  /// - Returns: The database; nil for files.
  @discardableResult
  private func prepare(_ place: Place, accounts: [String]) throws -> String? {
    var text = "accounts-folder = \"~/accounts\"\n"
    var database: String?
    if place == .database {
      let server = try PostgreSQLServer.shared()
      let name = try server.makeDatabase()
      text += "ledger = \"\(server.address(of: name))\"\nledger-account = \"host\"\n"
      database = name
    }
    try write(text, to: "config/epact/config.toml")
    for account in accounts {
      try write(Self.configuration, to: "new/\(account).toml")
      for side in ["here", "there"] {
        try FileManager.default.createDirectory(
          at: sandbox.folder.appending(path: "accounts/\(account)/\(side)"),
          withIntermediateDirectories: true)
      }
    }
    return database
  }

  private static let configuration = """
    [calendar.hub]
    kind = "database"
    [remote.here]
    kind = "folder"
    path = "~/here"
    [remote.there]
    kind = "folder"
    path = "~/there"
    [[sync]]
    name = "one"
    calendar = "hub"
    remote = "here"
    [[sync]]
    name = "two"
    calendar = "hub"
    remote = "there"

    """

  private func write(_ text: String, to path: String) throws {
    let file = sandbox.folder.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  private func addItem(_ uid: String, of account: String) throws {
    try write(
      """
      BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Example//EN\r\nBEGIN:VEVENT\r\nUID:\(uid)\r
      DTSTAMP:20260101T000000Z\r\nDTSTART:20311201T090000Z\r\nSUMMARY:Item\r\nX-A:1\r
      END:VEVENT\r\nEND:VCALENDAR\r\n
      """, to: "accounts/\(account)/here/\(uid).ics")
  }

  @discardableResult
  private func run(_ command: String, status: Int32 = 0) throws -> String {
    let result = try sandbox.run(command)
    #expect(result.status == status, "\(command): \(result.output)\(result.errors)")
    return result.output + result.errors
  }

  /// The answers of a run, by account.
  private func answers(_ lines: String) throws -> [String: [String: Any]] {
    var answers: [String: [String: Any]] = [:]
    for line in lines.split(separator: "\n") {
      let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
      let answer = try #require(value as? [String: Any], "\(line)")
      answers[try #require(answer["account"] as? String)] = answer
    }
    return answers
  }

  @Test(
    "Accounts are imported, synced, paused, seen one by one, and removed", arguments: Place.allCases
  )
  func oneDay(place: Place) throws {
    try prepare(place, accounts: ["ana", "ben"])
    #expect(try run("epact accounts").contains("There is no account."))
    #expect(
      try run("epact accounts import new --dry-run")
        == "2 added, 0 changed, 0 unchanged (dry run, nothing was stored).\n")
    #expect(try run("epact accounts import new") == "2 added, 0 changed, 0 unchanged.\n")
    // Nothing is synced without a grant.
    var all = try answers(run("epact accounts list --due --names | epact sync --accounts -"))
    #expect(all.mapValues { $0["exit"] as? Int } == ["ana": 77, "ben": 77])
    #expect(
      try run("epact accounts import new --grant-for 'Keeps both folders in step'")
        == "0 added, 0 changed, 2 unchanged, 4 grants.\n")
    #expect(try run("epact access --hosted ana").contains("full"))
    try addItem("a", of: "ana")
    all = try answers(run("printf 'ana\\nben\\nnobody\\n' | epact sync --accounts -"))
    #expect(all.mapValues { $0["exit"] as? Int } == ["ana": 0, "ben": 0, "nobody": 64])
    #expect(all["ana"]?["changes"] as? [String: Int] == ["downloaded": 1, "uploaded": 1])
    try run("cmp accounts/ana/here/a.ics accounts/ana/there/a.ics")
    // The calendar has no file, and its items are those of this account alone.
    #expect(try run("epact export hub --hosted ana").contains("UID:a\r\n"))
    #expect(try !run("epact export hub --hosted ben").contains("UID"))
    #expect(try run("epact history --hosted ana").contains("one"))
    #expect(try !run("epact history").contains("one"))
    #expect(try run("epact agenda --hosted ana", status: 64).contains("is in the ledger"))
    let list = try run("epact accounts list ana ben")
    #expect(list.contains("ana  due ") && list.contains(": done"), "\(list)")
    #expect(try run("epact accounts list --due --names") == "")
    #expect(try run("epact accounts status").hasPrefix("2 accounts, 0 due, 0 paused\n  2: done\n"))
    try run("epact accounts pause ana")
    try addItem("b", of: "ana")
    all = try answers(run("echo ana | epact sync --accounts -"))
    #expect(all["ana"]?["paused"] as? Bool == true)
    #expect(try run("ls accounts/ana/there") == "a.ics\n")
    try run("epact accounts resume ana && echo ana | epact sync --accounts - >out")
    #expect(try run("ls accounts/ana/there") == "a.ics\nb.ics\n")
    try run("epact accounts export old && diff -r new old && epact accounts remove ben")
    #expect(try run("epact accounts list --names") == "ana\n")
    #expect(try run("epact status --hosted ben", status: 64).contains("no account \"ben\""))
    // An account that comes back goes on where it was.
    #expect(try run("epact accounts import new") == "1 added, 0 changed, 1 unchanged.\n")
    all = try answers(run("echo ben | epact sync --accounts -"))
    #expect(all["ben"]?["exit"] as? Int == 0)
  }

  @Test("What cannot be imported changes nothing")
  func badImports() throws {
    try prepare(.files, accounts: ["ana", "ben"])
    try write("[calendar.x]\npath = \"/etc\"\n[[sync]]\nname = 1\n", to: "new/carl.toml")
    let error = try run("epact accounts import new", status: 78)
    #expect(error.contains("new/carl.toml:4"), "\(error)")
    try write("[calendar.x]\npath = \"~/x\"\n", to: "new/carl.toml")
    #expect(try run("epact accounts import new", status: 78).contains("carl.toml has no [[sync]]"))
    try run("mv new/carl.toml 'new/a b.toml'")
    #expect(try run("epact accounts import new", status: 64).contains("cannot be the name"))
    #expect(try run("epact accounts list --names") == "")
    #expect(try run("epact accounts import none", status: 2).contains("cannot read"))
    #expect(try run("epact accounts pause nobody", status: 64).contains("no account \"nobody\""))
    try run("rm 'new/a b.toml'")
    #expect(
      try run("epact accounts import new/ana.toml new", status: 64).contains("of one account"))
    try run("epact accounts import new")
    // The configuration of an account is not edited in place, and it has no timer of its own.
    #expect(
      try run(
        "mkdir x && epact init ./x --access full --purpose 'Keeps a copy' --hosted ana", status: 78
      ).contains("by importing it again"))
    #expect(try run("epact schedule install --hosted ana", status: 64).contains("by the host"))
    try run("rm config/epact/config.toml")
    #expect(try run("epact accounts", status: 78).contains("accounts-folder"))
    #expect(try run("echo ana | epact sync --accounts -", status: 78).contains("accounts-folder"))
  }

  @Test("An answer comes as soon as its account is synced, before the next name")
  func oneByOne() throws {
    try prepare(.files, accounts: ["ana", "ben"])
    try run("epact accounts import new --grant-for 'Keeps both folders in step' && mkfifo names")
    let output = try run(
      """
      epact sync --accounts - <names >answers & exec 3>names
      echo ana >&3; while [ ! -s answers ]; do sleep 0.05; done; wc -l <answers
      echo ben >&3; exec 3>&-; wait; wc -l <answers
      """)
    #expect(output.split(whereSeparator: \.isWhitespace) == ["1", "2"])
  }

  @Test(
    "Two processes with the same names, one of them killed, do everything once",
    arguments: Place.allCases)
  func twice(place: Place) throws {
    let names = (1...12).map { "a\($0)" }
    let database = try prepare(place, accounts: names)
    try run("epact accounts import new --grant-for 'Keeps both folders in step'")
    for name in names { for number in 1...4 { try addItem("\(name)-\(number)", of: name) } }
    try run(
      """
      epact accounts list --names >names
      epact sync --accounts names --jobs 4 >first & one=$!
      epact sync --accounts names --jobs 4 >second & two=$!
      while [ ! -s first ]; do sleep 0.01; done
      kill -9 $one; wait $two; wait $one; true
      """)
    // Accounts that the killed process had begun are answered with 75 until its lease is over.
    if let database {
      try PostgreSQLServer.shared().execute(
        "UPDATE epact.lease SET until = clock_timestamp()", in: database)
    }
    let all = try answers(run("epact sync --accounts names"))
    #expect(
      all.mapValues { $0["exit"] as? Int }
        == Dictionary(
          uniqueKeysWithValues: names.map { ($0, 0) }))
    try run("for n in $(cat names); do diff -r accounts/$n/here accounts/$n/there || exit 1; done")
    let again = try answers(run("epact sync --accounts names"))
    #expect(again.values.allSatisfy { ($0["changes"] as? [String: Int])?.isEmpty == true })
  }
}
