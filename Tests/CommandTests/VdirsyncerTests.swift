// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A migration from vdirsyncer, with the program itself and a server of two users.
@Suite(.timeLimit(.minutes(60))) struct VdirsyncerTests {
  private static let program = Sandbox.fixtures.deletingLastPathComponent()
    .appending(path: ".build/servers/bin/vdirsyncer").path
  private static let users = [ServerProcess.user, ServerProcess.otherUser]
  private static let collections = ["home", "work", "club"]

  private let server: ServerProcess
  private let sandbox: Sandbox

  init() async throws {
    try #require(
      FileManager.default.isExecutableFile(atPath: Self.program),
      "vdirsyncer is missing: run .ci/setup")
    server = try await ServerProcess(.radicale)
    sandbox = try Sandbox()
    for user in Self.users {
      for collection in Self.collections {
        for number in 1...4 { try write("Event \(number)", number, to: collection, of: user) }
      }
    }
    try write(Self.configuration(of: server), to: "config/vdirsyncer/config")
    // Two syncs: the first sends, the second sees the tags of the server.
    _ = try run("yes | \(Self.program) discover alice bob; \(Self.program) sync alice bob")
    _ = try run("\(Self.program) sync alice bob")
  }

  private static func configuration(of server: ServerProcess) -> String {
    """
    # Two accounts, one of which has the server as its side a.
    [general]
    status_path = "~/status/"

    [pair alice]
    a = "alice_local"
    b = "alice_remote"
    collections = ["home", "work",
        "club"]
    conflict_resolution = "b wins"
    [storage alice_local]
    type = "filesystem"
    path = "~/cal/alice"
    fileext = ".ics"
    [storage alice_remote]
    type = "caldav"
    url = "\(server.root)"
    username = "alice"
    password = "\(ServerProcess.password)"

    [pair bob]
    a = "bob_remote"
    b = "bob_local"
    collections = ["from a", "from b"]
    [storage bob_local]
    type = "filesystem"
    path = "~/cal/bob"
    fileext = ".ics"
    post_hook = "true"
    [storage bob_remote]
    type = "caldav"
    url = "\(server.root)"
    username = "bob"
    password.fetch = ["command", "echo", "\(ServerProcess.password)"]

    [pair people]
    a = "people_local"
    b = "people_remote"
    collections = null
    [storage people_local]
    type = "filesystem"
    path = "~/people"
    fileext = ".vcf"
    [storage people_remote]
    type = "carddav"
    url = "\(server.root)"

    """
  }

  private func write(_ text: String, to name: String) throws {
    let file = sandbox.folder.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  private func write(_ title: String, _ number: Int, to collection: String, of user: String) throws
  {
    try write(
      """
      BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Example//EN\r\nBEGIN:VEVENT\r
      UID:\(user)-\(collection)-\(number)@example.org\r\nDTSTAMP:20261101T000000Z\r
      DTSTART:20261124T090000Z\r\nSUMMARY:\(title)\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n
      """, to: "cal/\(user)/\(collection)/\(number).ics")
  }

  private func run(_ command: String) throws -> String {
    let result = try sandbox.run(command)
    try #require(result.status == 0, "\(command): \(result.output) \(result.errors)")
    return result.output + result.errors
  }

  /// The writes that the server received from this program, with their paths.
  private func writes() -> [String] {
    server.log.split(separator: "\n").filter {
      ($0.contains("PUT request for") || $0.contains("DELETE request for"))
        && !$0.contains("vdirsyncer/")
    }.map(String.init)
  }

  /// Sends a request with curl, as another program.
  private func ask(_ method: String, _ path: Substring, _ options: String = "") throws {
    _ = try run(
      "curl -sSf -A vdirsyncer/0 -u alice:\(ServerProcess.password) -X \(method) \(options) "
        + "'\(server.root)\(path.drop { $0 == "/" })'")
  }

  /// The path on the server of an item of alice.
  private func path(of number: Int, in collection: String) throws -> Substring {
    let listing = try run(
      "curl -sSf -A vdirsyncer/0 -u alice:\(ServerProcess.password) -X REPORT -H 'Depth: 1' "
        + "-H 'Content-Type: application/xml' -d '<C:calendar-query "
        + "xmlns:C=\"urn:ietf:params:xml:ns:caldav\" xmlns:D=\"DAV:\"><D:prop><C:calendar-data/>"
        + "</D:prop><C:filter><C:comp-filter name=\"VCALENDAR\"/></C:filter></C:calendar-query>' "
        + "'\(server.root)alice/\(collection)/'")
    for response in listing.components(separatedBy: "<response>")
    where response.contains("UID:alice-\(collection)-\(number)@") {
      let rest = try #require(response.components(separatedBy: "<href>").dropFirst().first)
      return rest.prefix { $0 != "<" }
    }
    throw TestFailure()
  }

  private struct TestFailure: Error {}

  @Test func twoAccountsAreTakenOverAndNothingIsSentAgain() throws {
    let output = try run("epact init --from-vdirsyncer --yes")
    #expect(output.contains("pair people"))
    #expect(output.contains("post_hook is not taken over"))
    #expect(!output.contains(ServerProcess.password))
    let settings = try run("cat config/epact/config.toml")
    for name in ["alice-home", "alice-work", "alice-club", "bob-home", "bob-work", "bob-club"] {
      #expect(settings.contains("[remote.\(name)]"))
      #expect(output.contains("\(name): 4 unchanged here since vdirsyncer's last run"))
    }
    #expect(settings.components(separatedBy: "on-conflict = \"remote\"").count == 4)
    #expect(!settings.contains("password = "))
    #expect(try run("stat -c %a config/epact/*.password") == "600\n")
    let synced = try run("epact sync")
    // The calendars on the server have no names; Radicale's paths do not count.
    #expect(!synced.contains("property set"), "\(synced)")
    #expect(writes() == [])
    // Nothing is fetched either: no request names an item.
    #expect(!server.log.contains("epact") || !server.log.contains("GET request for '/alice/home/"))
    #expect(try run("epact init --from-vdirsyncer --yes").contains("There is nothing to add."))
  }

  @Test func editsAndDeletionsSinceTheLastRunAreKnown() throws {
    try write("Edited here", 1, to: "home", of: "alice")
    try FileManager.default.removeItem(at: sandbox.folder.appending(path: "cal/alice/home/2.ics"))
    let edited = try path(of: 3, in: "home")
    try ask("DELETE", path(of: 4, in: "home"))
    try write(
      """
      BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Example//EN\r\nBEGIN:VEVENT\r
      UID:alice-home-3@example.org\r\nDTSTAMP:20261101T000000Z\r
      DTSTART:20261124T090000Z\r\nSUMMARY:Edited there\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n
      """, to: "there.ics")
    try ask("PUT", edited, "-H 'Content-Type: text/calendar' --data-binary @there.ics")
    // Edited here and deleted there; deleted here and edited there: the edit survives.
    try write("Edited here", 1, to: "work", of: "alice")
    try ask("DELETE", path(of: 1, in: "work"))
    try FileManager.default.removeItem(at: sandbox.folder.appending(path: "cal/alice/work/2.ics"))
    let other = try path(of: 2, in: "work")
    _ = try run("sed -i 's/alice-home-3/alice-work-2/' there.ics")
    try ask("PUT", other, "-H 'Content-Type: text/calendar' --data-binary @there.ics")

    let output = try run("epact init --from-vdirsyncer --yes")
    #expect(
      output.contains(
        "alice-home: 2 unchanged here since vdirsyncer's last run, 1 edited, 1 deleted"))
    #expect(
      output.contains("alice-work: 2 unchanged here since vdirsyncer's last run, 2 to be compared"))
    let synced = try run("epact sync")
    #expect(
      synced.contains(
        "alice-home: 1 uploaded, 1 downloaded, 1 deleted on the remote, 1 deleted here"),
      "\(synced)")
    #expect(synced.contains("alice-work: 1 uploaded, 1 downloaded"), "\(synced)")
    #expect(writes().count == 3)
    #expect(
      try run("grep -h SUMMARY cal/alice/home/*.ics | sort | tr -d '\\r'")
        == "SUMMARY:Edited here\nSUMMARY:Edited there\n")
    #expect(try run("ls cal/alice/work/*.ics").split(separator: "\n").count == 4)
    #expect(try run("epact sync").components(separatedBy: "up to date").count == 7)
    #expect(writes().count == 3)
  }

  @Test("What vdirsyncer updated here is as unchanged as what it added")
  func updated() throws {
    let changed = """
      BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Example//EN\r\nBEGIN:VEVENT\r
      UID:alice-home-3@example.org\r\nDTSTAMP:20261101T000000Z\r
      DTSTART:20261124T090000Z\r\nSUMMARY:Edited there\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n
      """
    let put = "-H 'Content-Type: text/calendar' --data-binary @there.ics"
    for number in [3, 4] {
      try write(changed.replacing("home-3", with: "home-\(number)"), to: "there.ics")
      try ask("PUT", path(of: number, in: "home"), put)
    }
    _ = try run("\(Self.program) sync alice")
    #expect(try run("grep -c 'Edited there' cal/alice/home/3.ics").hasPrefix("1"))
    // Then one is edited again there, and the other one deleted.
    try write(changed.replacing("Edited there", with: "Edited again"), to: "there.ics")
    try ask("PUT", path(of: 3, in: "home"), put)
    try ask("DELETE", path(of: 4, in: "home"))
    let output = try run("epact init --from-vdirsyncer --yes")
    #expect(output.contains("alice-home: 4 unchanged here since"), "\(output)")
    let synced = try run("epact sync")
    #expect(synced.contains("alice-home: 1 downloaded, 1 deleted here"), "\(synced)")
  }

  @Test func anEmptyFolderIsNoDeletion() throws {
    _ = try run("rm cal/alice/home/*")
    #expect(try run("epact init --from-vdirsyncer --yes").contains("alice-home: 4 to be compared"))
    #expect(try run("epact sync").contains("alice-home: 4 downloaded"))
    #expect(writes() == [])
  }

  @Test("A pair whose password is not to be had is left out as a whole, and taken over later")
  func laterPassword() throws {
    _ = try run(
      "printf %s '\(ServerProcess.password)' > secret; "
        + "sed -i 's|^password = .*|password.fetch = [\"command\", \"cat\", \"~/secret\"]|' "
        + "config/vdirsyncer/config")
    _ = try run("rm cal/alice/home/1.ics; mv secret locked")
    try ask("DELETE", path(of: 2, in: "home"))
    try write("Edited here", 3, to: "home", of: "alice")
    let first = try sandbox.run("epact init --from-vdirsyncer --yes")
    #expect(first.status == 77)
    #expect(first.errors.contains("error: pair alice:"), "\(first.errors)")
    #expect(first.errors.contains("nothing of it is taken over"))
    #expect(first.errors.contains("epact init --from-vdirsyncer"))
    let settings = try run("cat config/epact/config.toml")
    #expect(!settings.contains("alice") && settings.contains("[remote.bob-home]"))

    _ = try run("mv locked secret")
    let second = try run("epact init --from-vdirsyncer --yes")
    #expect(
      second.contains(
        "alice-home: 2 unchanged here since vdirsyncer's last run, 1 edited, 1 deleted"),
      "\(second)")
    let synced = try run("epact sync")
    #expect(
      synced.contains("alice-home: 1 uploaded, 1 deleted on the remote, 1 deleted here"),
      "\(synced)")
    #expect(
      try run("grep -h SUMMARY cal/alice/home/*.ics | sort | tr -d '\\r'")
        == "SUMMARY:Edited here\nSUMMARY:Event 4\n")
  }

  @Test("A status that was not taken over is taken over until the first sync")
  func laterStatus() throws {
    _ = try run("epact init --from-vdirsyncer --yes; rm -r state/epact; rm cal/alice/home/1.ics")
    _ = try run(
      "for u in alice bob; do for c in home work club; do epact access $u-$c --grant full --purpose "
        + "'Keeps the calendars the same.'; done; done")
    let again = try run("epact init --from-vdirsyncer --yes")
    #expect(
      again.contains("alice-home: 3 unchanged here since vdirsyncer's last run, 1 deleted"),
      "\(again)")
    #expect(try run("epact sync alice-home").contains("1 deleted on the remote"))
    #expect(!(try run("epact init --from-vdirsyncer --yes").contains("alice-home: 3 unchanged")))
  }
}
