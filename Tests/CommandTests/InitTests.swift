// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The wizard, with a server of one user and two calendars.
@Suite(.timeLimit(.minutes(60))) struct InitTests {
  private static let purpose = "--purpose 'Keeps what is planned here and there in step'"

  private func config(_ sandbox: Sandbox) throws -> String {
    try String(
      contentsOf: sandbox.folder.appending(path: "config/epact/config.toml"), encoding: .utf8)
  }

  private func hasConfig(_ sandbox: Sandbox) -> Bool {
    FileManager.default.fileExists(
      atPath: sandbox.folder.appending(path: "config/epact/config.toml").path)
  }

  @Test func withAllAnswersAsOptionsNothingIsAsked() throws {
    let server = try PretendServer()
    let sandbox = try Sandbox()
    let result = try sandbox.run(
      """
      echo '\(PretendServer.password)' | epact init \(server.address)/ --name club --user ada \
        --password-stdin --all --access full \(Self.purpose) --path '~/cals'
      """)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("club-home: dry run, nothing was changed."))
    let text = try config(sandbox)
    let table = "[remote.club-home]\nkind = \"caldav\"\nurl = \"\(server.address)/ada/home/\""
    #expect(text.contains(table))
    #expect(text.contains("[remote.club-work]"))
    #expect(!text.contains(PretendServer.password))
    #expect(!(result.output + result.errors).contains(PretendServer.password))
    let mode = try sandbox.run("stat -c %a config/epact/club.password config/epact/config.toml")
    #expect(mode.output == "600\n600\n")
    #expect(try sandbox.run("epact access --json").output.contains("\"tier\": \"full\""))
    // What was asked on the way is in the log, and it was nothing but reading.
    #expect(try sandbox.run("epact access --log").output.contains("calendar (PROPFIND"))
    #expect(server.requests.allSatisfy { ["PROPFIND", "REPORT"].contains($0.method) })
    let item =
      "BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nUID:a\nDTSTAMP:20260101T000000Z\n"
      + "DTSTART:20260310T090000Z\nEND:VEVENT\nEND:VCALENDAR\n"
    try Data(item.utf8).write(to: sandbox.folder.appending(path: "cals/club-work/a.ics"))
    #expect(try sandbox.run("epact sync").status == 0)
    #expect(server.items.keys.contains("/ada/work/a.ics"))
  }

  @Test("An account is not added beside its calendars, which would be here twice")
  func anAccountBesideItsCalendars() throws {
    let server = try PretendServer()
    let sandbox = try Sandbox()
    let command = """
      echo '\(PretendServer.password)' | epact init \(server.address)/ --name club --user ada \
        --password-stdin --access full \(Self.purpose) --path '~/cals'
      """
    #expect(try sandbox.run(command + " --all").status == 0)
    let before = try config(sandbox)
    let result = try sandbox.run(command + " --account")
    #expect(result.status == 64)
    #expect(
      result.errors.contains(
        "the configuration has calendars of this account already, such as that of club-home and 1 other remote"
      ), "\(result.errors)")
    #expect(try config(sandbox) == before)
  }

  /// A server with a list of reminders, and a calendar that may only be read.
  private func limitedServer() throws -> PretendServer {
    func components(_ name: String) -> String {
      "<c:supported-calendar-component-set><c:comp name=\"\(name)\"/>"
        + "</c:supported-calendar-component-set>"
    }
    return try PretendServer(properties: [
      "/ada/home/": components("VTODO"),
      "/ada/work/": components("VEVENT") + "<d:current-user-privilege-set><d:privilege><d:read/>"
        + "</d:privilege></d:current-user-privilege-set>",
    ])
  }

  @Test("What a calendar takes is also written for the calendars of vdirsyncer")
  func takenOver() throws {
    let server = try limitedServer()
    let sandbox = try Sandbox()
    var lines = ["[general]", "status_path = \"~/status/\""]
    for name in ["home", "work"] {
      lines += [
        "[pair \(name)]", "a = \"\(name)_local\"", "b = \"\(name)_remote\"", "collections = null",
        "[storage \(name)_local]", "type = \"filesystem\"", "path = \"~/cals/\(name)\"",
        "fileext = \".ics\"", "[storage \(name)_remote]", "type = \"caldav\"",
        "url = \"\(server.address)/ada/\(name)/\"", "username = \"ada\"",
        "password = \"\(PretendServer.password)\"",
      ]
    }
    try Data(lines.map { $0 + "\n" }.joined().utf8)
      .write(to: sandbox.folder.appending(path: "vdirsyncer"))
    let result = try sandbox.run(
      "mkdir -p cals/home cals/work; epact init --from-vdirsyncer vdirsyncer --yes")
    #expect(result.status == 0, "\(result.errors)")
    let text = try config(sandbox)
    #expect(text.contains("/cals/home\"\ncomponents = [\"VTODO\"]\n\n[remote.home]"))
    #expect(
      text.contains("/cals/work\"\ncomponents = [\"VEVENT\"]\nread-only = true\n\n[remote.work]"))
    #expect(try sandbox.run("epact new Lunch 2026-12-10 12:00 --in home").status == 64)
    #expect(try sandbox.run("epact doctor").status == 0)
    // A configuration that says less than the server.
    let limits = "-e '/^components/d' -e '/^read-only/d'"
    let doubtful = try sandbox.run("sed -i \(limits) config/epact/config.toml; epact doctor")
    #expect(doubtful.status == 4)
    #expect(
      doubtful.output.contains(
        "VEVENT can be added here, and the calendar on the server is for VTODO"))
    #expect(doubtful.output.contains("Add components = [\"VTODO\"] to [calendar.home]."))
    #expect(doubtful.output.contains("items can be added here, and the server allows only reading"))
  }

  @Test func whatACalendarTakesIsWritten() throws {
    let server = try limitedServer()
    let sandbox = try Sandbox()
    let result = try sandbox.run(
      "epact init \(server.address)/ --user ada --password-command 'echo \(PretendServer.password)' "
        + "--all --access full \(Self.purpose) --path '~/cals' --no-check")
    #expect(result.status == 0, "\(result.errors)")
    let text = try config(sandbox)
    #expect(text.contains("/cals/home\"\ncomponents = [\"VTODO\"]\n\n[remote.home]"))
    #expect(
      text.contains("/cals/work\"\ncomponents = [\"VEVENT\"]\nread-only = true\n\n[remote.work]"))
    // Neither the list of reminders nor the calendar of another person gets the event.
    #expect(try sandbox.run("epact new Lunch 2026-12-10 12:00").status != 0)
    let refused = try sandbox.run("epact new Lunch 2026-12-10 12:00 --in work")
    #expect(refused.status != 0 && refused.errors.contains("\"work\" is read-only"))
    #expect(try sandbox.run("epact todo add Milk").output.contains("home"))
  }

  @Test("The address of a calendar chooses it, and so does the end of its address")
  func address() throws {
    let server = try PretendServer()
    for words in ["ada/work", "ada/work/", " --collection work", " --collection Work"] {
      let sandbox = try Sandbox()
      let result = try sandbox.run(
        "epact init \(server.address)/\(words) --user ada --password-command "
          + "'echo \(PretendServer.password)' --access full \(Self.purpose) --path '~/cals' --no-check"
      )
      #expect(result.status == 0, "\(words): \(result.errors)")
      let text = try config(sandbox)
      #expect(text.contains("/ada/work/"))
      #expect(!text.contains("/ada/home/"))
    }
  }

  @Test func aFolderOfFoldersOffersItsFolders() throws {
    let sandbox = try Sandbox()
    let setup = try sandbox.run(
      """
      mkdir -p share/home share/work share/empty share/.hidden
      for name in home work .hidden; do cp $FIXTURES/tour/work.ics share/$name/all.ics; done
      """)
    #expect(setup.status == 0)
    let command = "epact init ~/share --access full \(Self.purpose)"
    let asked = try sandbox.run(command)
    #expect(asked.status == 64)
    #expect(asked.errors.contains("of: empty, home, work; or --all"))
    #expect(!hasConfig(sandbox))
    _ = try sandbox.run("\(command) --collection work")
    #expect(
      try config(sandbox).contains(
        "kind = \"folder\"\npath = \"~/share/work\""))
    _ = try sandbox.run("\(command) --all --name disk")
    #expect(try config(sandbox).contains("[remote.disk-home]"))
    // Under write-only access a folder is not listed.
    let other = try Sandbox()
    _ = try other.run("mkdir -p share/home && cp $FIXTURES/tour/work.ics share/home/all.ics")
    _ = try other.run("epact init ~/share --access write-only \(Self.purpose)")
    #expect(try config(other).contains("[remote.share]"))
  }

  @Test func aServerThatTrustsAFewIsReachedWithCertificates() async throws {
    let server = try await ServerProcess(.radicale, isSecure: true, asksWho: true)
    let sandbox = try Sandbox()
    let files =
      "--ca-file \(ServerProcess.certificate) --client-certificate \(ServerProcess.certificate)"
    func command(_ options: String) -> String {
      "epact init https://localhost:\(server.port)/ --name ours --user \(ServerProcess.user) "
        + "--password-command \"printf '%s\\n' '\(ServerProcess.password)'\" --all --access full "
        + "\(Self.purpose) \(options)"
    }
    let pin = "sha256//UvvL1Iws9sSS0zohm/HEhjAqjyEeq8kZXk82g+GKW4Q="
    let known = "--pin \(pin) \(files) --client-key \(ServerProcess.key)"
    let other = "sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
    for refused in ["", known.replacing(pin, with: other)] {
      let result = try sandbox.run(command(refused))
      #expect(result.status == 2)
      #expect(result.errors.contains("--ca-file"))
      #expect(!hasConfig(sandbox))
    }
    let keyless = try sandbox.run(command("--pin \(pin) \(files)"))
    #expect(keyless.status == 2)
    #expect(keyless.errors.contains("private key file"))
    #expect(!hasConfig(sandbox))
    let result = try sandbox.run(command(known))
    #expect(result.status == 0, "\(result.errors)")
    let text = try config(sandbox)
    for line in [
      "ca-file = \"\(ServerProcess.certificate)\"", "pin = [\"\(pin)\"]",
      "client-key = \"\(ServerProcess.key)\"",
    ] {
      #expect(text.contains("\n\(line)\n"))
    }
    #expect(try sandbox.run("epact sync").status == 0)
    let folder = try sandbox.run(
      "mkdir x; epact init ~/x --ca-file a --access full \(Self.purpose)")
    #expect(folder.status == 64)
  }

  @Test func whatIsThereStaysAndIsNotAddedTwice() throws {
    let server = try PretendServer()
    let sandbox = try Sandbox()
    let command =
      "epact init \(server.address)/ --user ada --password-command "
      + "'echo \(PretendServer.password)' --access full \(Self.purpose) --collection Home"
    #expect(try sandbox.run(command).status == 0)
    _ = try sandbox.run("cd config/epact; chmod 644 config.toml; echo '# mine' >> config.toml")
    let before = try config(sandbox)
    let purposes = "epact access --json | grep purpose"
    let granted = try sandbox.run(purposes).output
    let again = try sandbox.run(command.replacing("planned here", with: "planned anew"))
    #expect(again.status == 0, "\(again.errors)")
    #expect(
      again.output.contains(
        "is already in the configuration, and is not changed, nor is its password"))
    #expect(try config(sandbox) == before)
    #expect(try sandbox.run(purposes).output == granted)
    // Of all calendars only the one that is not there yet is added; the name of another thing stays its own.
    _ = try sandbox.run(
      "printf '[calendar.work]\\npath = \"other\"\\n' >> config/epact/config.toml")
    let before2 = try config(sandbox)
    let second = try sandbox.run(command.replacing("--collection Home", with: "--all"))
    #expect(second.status == 0, "\(second.errors)")
    let after = try config(sandbox)
    #expect(after.hasPrefix(before2))
    #expect(after.contains("[remote.work-2]") && !after.contains("[remote.home-2]"))
    #expect(after.dropFirst(before.count).contains("password-command = [\"echo\", "))
    #expect(try sandbox.run("stat -c %a config/epact/config.toml").output == "644\n")
    let missing = try sandbox.run(command.replacing("Home", with: "Hme"))
    #expect(missing.status == 78)
    #expect(missing.errors.contains("there are: Home, Work"))
    #expect(try config(sandbox) == after)
  }

  @Test func anAccountIsAddedOnceWithAllItsCalendars() async throws {
    let server = try await ServerProcess(.radicale)
    let sandbox = try Sandbox()
    let command =
      "epact init \(server.root) --name home --user \(ServerProcess.user) --password-command "
      + "'echo \(ServerProcess.password)' --access full \(Self.purpose) --path '~/cals' --account"
    let result = try sandbox.run(command)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("home/cal: would create the calendar \"Private\" here"))
    let text = try config(sandbox)
    for lines in [
      "[account.home]\nkind = \"caldav\"\nurl = \"\(server.root)\"",
      "account = \"home\"\nfolder = \"~/cals/home\"\ncollections = \"all\"",
    ] {
      #expect(text.contains(lines), "\(text)")
    }
    #expect(!text.contains("[remote."))
    #expect(
      try sandbox.run("epact sync; cat cals/home/cal/displayname").output.hasSuffix("Private"))
    let again = try sandbox.run(command)
    #expect(again.output.contains("is already in the configuration"), "\(again.errors)")
    // Nor is a calendar added that the account has.
    let one = try sandbox.run(command.replacing("--account", with: "--all"))
    #expect(one.output.contains("home/cal: \(server.root)alice/cal/ is already"), "\(one.output)")
    #expect(try config(sandbox) == text)
    #expect(try sandbox.run(command + " --all").status == 64)
    let low = command.replacing("--access full", with: "--access write-only")
    #expect(try sandbox.run(low).status == 64)
  }

  @Test func underWriteOnlyAccessNothingIsLookedUp() throws {
    let server = try PretendServer()
    let sandbox = try Sandbox()
    let options =
      "--user ada --password-command 'echo \(PretendServer.password)' "
      + "--access write-only --purpose 'Tells the club which evenings are taken'"
    let vague = try sandbox.run("epact init \(server.address)/ \(options)")
    #expect(vague.status == 78)
    #expect(vague.errors.contains("the address of the calendar itself"))
    #expect(!hasConfig(sandbox))
    let exact = try sandbox.run("epact init \(server.address)/ada/home/ --name club \(options)")
    #expect(exact.status == 0, "\(exact.errors)")
    #expect(try config(sandbox).contains("access = \"write-only\""))
    #expect(server.requests.isEmpty)
    #expect(try sandbox.run("epact access club").output.hasPrefix("club  write-only"))
  }

  @Test func aRefusedPasswordOrAPolicyLeavesNothingBehind() throws {
    let server = try PretendServer()
    let sandbox = try Sandbox()
    let options = "--user ada --all --access full \(Self.purpose)"
    let refused = try sandbox.run(
      "echo wrong-horse | epact init \(server.address)/ --password-stdin \(options)")
    #expect(refused.status == 77)
    #expect(!refused.errors.contains("wrong-horse"))
    let asked = server.requests.count
    #expect(1...3 ~= asked)
    let policy = try sandbox.run(
      """
      printf 'decided-by = "the club"\\nmax-tier = "write-only"\\n' > policy.toml
      echo x | EPACT_POLICY=policy.toml epact init \(server.address)/ --password-stdin \(options)
      """)
    #expect(policy.status == 77)
    #expect(policy.errors.contains("restricted to write-only by the club"))
    #expect(server.requests.count == asked)
    #expect(!hasConfig(sandbox))
    #expect(try sandbox.run("ls config 2>/dev/null").output.isEmpty)
  }

  @Test func onATerminalItAsksAndDoesNotShowThePassword() throws {
    let server = try PretendServer()
    let sandbox = try Sandbox()
    // The password is typed once it is asked for; what came before would be shown by the terminal.
    let result = try sandbox.run(
      """
      touch shown
      ( printf '\(server.address)/\\nfull\\n\\nada\\n'
        for i in $(seq 12000); do grep -q 'Password of ada' shown && break; sleep 0.05; done
        printf '\(PretendServer.password)\\n2\\n' ) |
        script -qefc "epact init --path cals --keep-password file --color never" shown > /dev/null
      """)
    #expect(result.status == 0)
    let shown = try String(
      contentsOf: sandbox.folder.appending(path: "shown"), encoding: .utf8)
    for question in ["Address", "User name:", "Which access do you grant?", "What for?", "2  Work"]
    {
      #expect(shown.contains(question), "\(question)")
    }
    #expect(!shown.contains(PretendServer.password))
    #expect(try config(sandbox).contains("[remote.work]"))
    #expect(try sandbox.run("epact sync").status == 0)
  }

  @Test func whatIsMistypedIsAskedForAgain() throws {
    let server = try PretendServer()
    let sandbox = try Sandbox()
    let result = try sandbox.run(
      """
      mkdir -p config/epact; echo other > config/epact/club.password; touch shown
      wait_for() {
        for i in $(seq 12000); do [ "$(grep -c "$1" shown)" -ge "$2" ] && return; sleep 0.05; done
      }
      ( printf '\\n?\\n\(server.address)/\\n'
        wait_for 'Which access' 1; printf '\\nall\\nFULL\\n\\n'
        wait_for 'User name' 1; printf '\\nada@home\\n'
        wait_for 'Password of ada@home' 1; printf 'wrong-horse\\n'
        wait_for 'does not accept' 1; printf '\\n'
        wait_for 'Password of ada:' 1; printf '\(PretendServer.password)\\n'
        wait_for 'Which of them' 1; printf '3\\n\\n' ) |
        script -qefc "epact init --name club --path cals --keep-password file --color never" shown > /dev/null
      """)
    #expect(result.status == 0)
    let shown = try String(
      contentsOf: sandbox.folder.appending(path: "shown"), encoding: .utf8)
    for reason in [
      "Please answer, or end with Ctrl-C", "expected write-only or full, found \"all\"",
      "or a folder, found \"?\"",
      "does not accept the user name and password",
      "there is no calendar \"3\" there",
    ] {
      #expect(shown.contains(reason), "\(reason)")
    }
    #expect(!shown.contains("wrong-horse"))
    let text = try config(sandbox)
    #expect(text.contains("[remote.club-home]") && text.contains("[remote.club-work]"))
    // The file of another account stays, and another name is taken.
    #expect(
      try sandbox.run("cd config/epact; cat club.password club-2.password").output
        == "other\n\(PretendServer.password)\n")
  }

  @Test func anInterruptInTheMiddleLeavesNothing() throws {
    let server = try PretendServer()
    let sandbox = try Sandbox()
    let result = try sandbox.run(
      """
      touch shown
      wait_for() { for i in $(seq 12000); do grep -q "$1" shown && return; sleep 0.05; done; }
      ( printf '\(server.address)/\\nfull\\n\\nada\\n'
        wait_for 'Password of ada'; printf '\(PretendServer.password)\\n'
        wait_for 'Which of them'; printf '\\003' ) |
        script -qefc "epact init --path cals --keep-password file" shown > /dev/null
      """)
    #expect(result.status == 130)
    #expect(try sandbox.run("ls -A").output == "shown\n")
  }

  @Test func aWrongAddressCostsNoOtherAnswer() throws {
    let server = try PretendServer()
    let sandbox = try Sandbox()
    let (shown, status) = try sandbox.talk(
      [
        ("Address", 1, "https://nowhere.invalid/"), ("Which access", 1, "full"),
        ("What for", 1, ""), ("Address", 2, "http://127.0.0.1:1/"),
        ("Address", 3, "\(server.address)/"), ("User name", 1, "ada"),
        ("Password of ada", 1, PretendServer.password), ("Which of them", 1, "1"),
      ])
    #expect(status == 0, "\(shown)")
    #expect(shown.matches(of: /Which access/).count == 1)
    #expect(try config(sandbox).contains("[remote.home]"))
  }

  @Test func whatIsTypedAsAPasswordIsNeverShown() throws {
    let server = try PretendServer()
    let sandbox = try Sandbox()
    let (shown, status) = try sandbox.talk(
      [
        ("Address", 1, "\(server.address)/"), ("Which access", 1, "full"), ("What for", 1, ""),
        ("User name", 1, "ada"), ("Password of ada", 1, ""),
        // It is shown as it is typed here, where a program is asked for; the program does not repeat it.
        ("Program that prints", 1, "hunter2"),
        ("no such program", 1, "echo \(PretendServer.password)"),
        ("Which of them", 1, "1"),
      ])
    #expect(status == 0, "\(shown)")
    #expect(shown.matches(of: /hunter2/).count <= 1)
    let refused = try sandbox.run(
      "epact init \(server.address)/ --user ada --all --access full \(Self.purpose) "
        + "--password-command 's3cret-horse'")
    #expect(refused.status == 78)
    #expect(!(refused.output + refused.errors).contains("s3cret-horse"))
    let open = try sandbox.run(
      "epact init \(server.address)/ --user ada --all --access full \(Self.purpose) "
        + "--password-command \"it's-s3cret\"")
    #expect(open.status == 64)
    #expect(!(open.output + open.errors).contains("s3cret"))
  }

  @Test func aServerWithoutTLSIsCalledThat() async throws {
    let server = try await ServerProcess(.radicale)
    let sandbox = try Sandbox()
    let port = server.port
    let result = try sandbox.run(
      "epact init https://127.0.0.1:\(port)/ --user ada --all --access full \(Self.purpose) "
        + "--password-command 'echo x'")
    #expect(result.status == 2)
    #expect(result.errors.contains("the server does not speak TLS on port \(port)"))
    #expect(result.errors.contains("On this machine it needs none: http://127.0.0.1:\(port)/"))
    #expect(!result.errors.contains("wrong version"))
  }

  @Test(arguments: ["?", "@", "a b", "@host", "ada@", "https://", "-", "!!", "ftp://x/", "ada@?"])
  func whatCanBeNoAddressIsRefusedAtOnce(text: String) throws {
    let sandbox = try Sandbox()
    let result = try sandbox.run("epact init -- '\(text)'")
    #expect([64, 78].contains(result.status))
    #expect(!result.errors.contains("--access"))
  }

  @Test func aFeedIsNotAddedTwiceAndASharedGrantStays() throws {
    let server = try PretendServer()
    let sandbox = try Sandbox()
    let feed = "epact init \(server.address)/a.ics --access full --no-check --purpose"
    #expect(try sandbox.run("\(feed) 'Shows what the club plans'").status == 0)
    let before = try config(sandbox)
    let again = try sandbox.run("\(feed) 'Something else'")
    #expect(again.status == 0)
    #expect(try config(sandbox) == before)
    // The sync is gone from the configuration, and its grant is not.
    _ = try sandbox.run("rm config/epact/config.toml")
    let third = try sandbox.run("\(feed) 'Something else'")
    #expect(third.status == 0)
    #expect(third.errors.contains("granted already: full, for: Shows what the club plans"))
    #expect(try sandbox.run("epact access").output.contains("Shows what the club plans"))
  }
}
