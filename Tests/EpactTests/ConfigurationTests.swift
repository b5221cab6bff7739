// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarRemotes
import CalendarSync
import Epact
import Testing

struct ConfigurationTests {
  static let paths = PathResolver(home: "/home/alice", base: "/etc/epact")

  static func read(_ text: String, isPrivate: Bool = true) throws -> Configuration {
    try Configuration(parsing: text, path: "config.toml", paths: paths, isPrivate: isPrivate)
  }

  @Test func readsEveryKey() throws {
    let configuration = try Self.read(
      """
      default-calendar = "personal"
      default-reminders = "tasks"
      addresses = ["ada@example.org", "https://example.org/ada"]
      [calendar.personal]
      path = "~/calendars/personal"
      [calendar.tasks]
      path = "~/calendars/tasks"
      components = ["vtodo"]
      [remote.work]
      kind = "caldav"
      url = "https://dav.example.org/"
      collection = "personal"
      username = "alice"
      password-command = ["pass", "show", "dav/alice"]
      ca-file = "ca.pem"
      pin = "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
      client-certificate = "me.pem"
      connections = 2
      [remote.token]
      kind = "caldav"
      url = "https://dav.example.org/"
      token-command = ["oama", "access", "ada"]
      [remote.disk]
      kind = "folder"
      path = "/backup//cal/"
      [remote.file]
      kind = "file"
      path = "/backup/cal.ics"
      [remote.feed]
      kind = "webcal"
      url = "webcal://cal.example.org/feed.ics"
      [remote.contacts]
      kind = "birthdays"
      path = "~/contacts"
      title = "Geburtstag von {name}"
      [[sync]]
      name = "work"
      calendar = "personal"
      remote = "work"
      max-delete = 10
      window = { past = "12w", future = "2y" }
      components = ["vevent", "VTODO"]
      direction = "push"
      on-conflict = "newest"
      on-conflict-in = { summary = "remote", VALARM = "local" }
      """)
    #expect(configuration.calendars["personal"]?.path == "/home/alice/calendars/personal")
    #expect(
      configuration.addresses == [
        CalendarAddress("mailto:ada@example.org"), CalendarAddress("https://example.org/ada"),
      ])
    #expect(configuration.calendars["personal"]?.kinds == [.event, .reminder])
    #expect(configuration.calendars["tasks"]?.kinds == [.reminder])
    #expect(configuration.defaultCalendar == "personal")
    #expect(configuration.defaultReminders == "tasks")
    let address = try RemoteURL(parsing: "https://dav.example.org/")
    var server = ServerSettings()
    server.username = "alice"
    server.password = .command(["pass", "show", "dav/alice"])
    server.identity = NetworkIdentity(
      caFile: "/etc/epact/ca.pem",
      pins: try [#require(PublicKeyPin("sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="))],
      client: .init(certificateFile: "/etc/epact/me.pem", keyFile: "/etc/epact/me.pem"))
    server.connections = 2
    #expect(
      configuration.remotes["work"]?.kind
        == .calDAV(CalDAVSettings(address: address, collection: "personal", server: server)))
    var other = ServerSettings()
    other.tokenCommand = ["oama", "access", "ada"]
    #expect(
      configuration.remotes["token"]?.kind
        == .calDAV(CalDAVSettings(address: address, collection: nil, server: other)))
    #expect(configuration.remotes["disk"]?.kind == .folder(path: "/backup/cal"))
    #expect(configuration.remotes["file"]?.kind == .file(path: "/backup/cal.ics"))
    let feed = try RemoteURL(parsingFeed: "http://cal.example.org/feed.ics")
    #expect(
      configuration.remotes["feed"]?.kind
        == .webcal(WebcalSettings(address: feed, server: ServerSettings())))
    var titles = ContactEventTitles()
    titles.birthday = "Geburtstag von {name}"
    #expect(
      configuration.remotes["contacts"]?.kind
        == .birthdays(BirthdaySettings(path: "/home/alice/contacts", titles: titles)))
    var filter = ItemFilter()
    (filter.past, filter.future, filter.kinds) = (84, 732, [.event, .reminder])
    #expect(
      configuration.syncs == [
        SyncSettings(
          name: "work", calendar: "personal", remote: "work", maxDelete: .items(10),
          policies: MergePolicies(.newest, named: ["SUMMARY": .remote, "VALARM": .local]),
          filter: filter, direction: .push)
      ])
  }

  struct Case: CustomTestStringConvertible {
    let text: String
    let problems: [String]
    var testDescription: String { problems.first ?? "" }
  }

  static let cases = [
    Case(
      text: """
        default-calendar = "hom"
        default-reminders = "home"
        [calendar.home]
        path = "x"
        components = ["VEVENT"]
        [calendar.tasks]
        path = "y"
        components = "VTODO"
        """,
      problems: [
        #"config.toml:1: there is no [calendar.hom]; did you mean "home"?"#,
        #"config.toml:2: the "components" of [calendar.home] do not contain "VTODO""#,
        #"config.toml:8: expected "components" to be an array of some of "VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY", "VAVAILABILITY""#,
      ]),
    Case(
      text: "addresses = \"ada@example.org\"\n",
      problems: [
        #"config.toml:1: expected "addresses" to be an array of strings, found a string"#
      ]),
    Case(
      text: "addresses = [\"ada\", 1]\n",
      problems: [
        #"config.toml:1: expected an e-mail address or another URI, found "ada""#,
        #"config.toml:1: expected an e-mail address or another URI, found an integer"#,
      ]),
    Case(
      text: "default-calendar = 1\ndefault-reminder = \"a\"\n",
      problems: [
        #"config.toml:1: expected "default-calendar" to be a string, found an integer"#,
        #"config.toml:2: unknown key "default-reminder"; did you mean "default-reminders"?"#,
      ]),
    Case(
      text: "[calendar.a]\npath = \"a\"\n[remote.b]\nkind = \"folder\"\npath = \"b\"\n[[sync]]\n"
        + "name = \"c\"\ncalendar = \"a\"\nremote = \"b\"\non-conflict = \"mine\"\n"
        + "on-conflict-in = { SUMMARY = 1 }\n",
      problems: [
        #"config.toml:10: expected one of "keep-both", "newest", "local", "remote", found "mine""#,
        #"config.toml:11: expected "SUMMARY" to be a string, found an integer"#,
      ]),
    Case(
      text: "[calendar.a]\npath = \"a\"\n[remote.b]\nkind = \"folder\"\npath = \"b\"\n[[sync]]\n"
        + "name = \"c\"\ncalendar = \"a\"\nremote = \"b\"\ndirection = \"down\"\n"
        + "[[sync]]\nname = \"d\"\ncalendar = \"a\"\nremote = \"b\"\naccess = \"write-only\"\n"
        + "direction = \"pull\"\n",
      problems: [
        #"config.toml:10: expected direction to be one of "both", "pull", "push", found "down""#,
        "config.toml:16: a sync with write-only access reads nothing from the remote, so that it "
          + "cannot pull",
      ]),
    Case(
      text: "[remote.work]\nkind = \"caldav\"\nurl = \"https://x.org/\"\ncolection = \"a\"\n",
      problems: [#"config.toml:4: unknown key "colection"; did you mean "collection"?"#]),
    Case(
      text: "[remote.work]\nkind = \"caldav\"\nurl = \"https://x.org/\"\ninvitations = \"maybe\"\n",
      problems: [
        #"config.toml:4: expected invitations = "hold" or "send", found "maybe""#
      ]),
    Case(
      text: "\n[calender.personal]\npath = \"x\"\n",
      problems: [#"config.toml:2: unknown key "calender"; did you mean "calendar"?"#]),
    Case(
      text: "[calendar.a]\npath = 3\n",
      problems: [#"config.toml:2: expected "path" to be a string, found an integer"#]),
    Case(text: "[calendar.a]\n", problems: [#"config.toml:1: [calendar.a] has no "path""#]),
    Case(
      text: "[remote.a]\nkind = \"imap\"\n",
      problems: [
        #"config.toml:2: expected kind = "caldav", "google", "graph", "webcal", "folder", "file" or "birthdays", found "imap""#
      ]),
    Case(
      text: "[remote.a]\nkind = \"birthdays\"\npath = \"x.ics\"\ntitle = \"Birthday\"\n",
      problems: [
        #"config.toml:3: a remote of the kind "birthdays" is a folder of .vcf files, or a .vcf file"#,
        #"config.toml:4: expected "title" to contain {name}, found "Birthday""#,
      ]),
    Case(
      text: "[remote.a]\nkind = \"folder\"\npath = \"/x\"\nurl = \"https://x.org\"\n",
      problems: [#"config.toml:4: unknown key "url" in [remote.a]"#]),
    Case(
      text: "[remote.a]\nkind = \"caldav\"\nurl = \"http://dav.example.org/\"\n",
      problems: [
        #"config.toml:3: "url" cannot be used: http is for this machine only; use https"#
      ]),
    Case(
      text: "[remote.a]\nkind = \"caldav\"\nurl = \"https://alice:hunter2@dav.example.org/\"\n",
      problems: [
        #"config.toml:3: "url" cannot be used: an address must not contain a user name or a password"#
      ]),
    Case(
      text: """
        [remote.a]
        kind = "caldav"
        url = "https://x.org/"
        username = "u"
        password-command = [
          "pass", # "not a key" = 1
          3,
        ]
        passwrd-file = "x"
        """,
      problems: [
        #"config.toml:5: expected "password-command" to be an array of strings, as ["pass", "show", "dav/alice"]; found an integer in it"#,
        #"config.toml:9: unknown key "passwrd-file"; did you mean "password-file"?"#,
      ]),
    Case(
      text:
        "[calendar.a]\npath = \"x\"\n[[sync]]\nname = \"s\"\ncalendar = \"b\"\nremote = \"r\"\n",
      problems: [
        "config.toml:5: there is no [calendar.b]",
        "config.toml:6: there is no [remote.r]",
      ]),
    Case(
      text: """
        calendar.a.path = "x"
        remote.b = { kind = "folder", path = "y" }
        [[sync]]
        name = "one"
        calendar = "a"
        remote = "b"
        [[sync]]
        name = "one"
        calendar = "a"
        remote = "b"
        max-delete = -1
        [[sync]]
        name = "two"
        calendar = "a"
        remote = "b"
        max-delete = "a few"
        verify-days = -1
        window = { past = "90", futur = "2y" }
        components = ["VEVENT", "VTASK"]
        [[sync]]
        name = "three"
        calendar = "a"
        remote = "b"
        window = "90d"
        components = []
        """,
      problems: [
        #"config.toml:8: there are two syncs with the name "one""#,
        #"config.toml:11: expected "max-delete" to be a number of items, from 0"#,
        #"config.toml:16: expected "max-delete" to be a number of items or a share such as "25%", found "a few""#,
        #"config.toml:17: expected "verify-days" to be a number of days, from 0"#,
        #"config.toml:18: unknown key "futur"; did you mean "future"?"#,
        #"config.toml:18: expected "past" to be days, weeks, months or years, such as "90d", "12w", "6m" or "2y", found "90""#,
        #"config.toml:19: expected one of "VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY", "VAVAILABILITY", found "VTASK""#,
        #"config.toml:24: expected "window" to be a table, as { past = "90d", future = "2y" }, found a string"#,
        #"config.toml:25: expected "components" to be an array of some of "VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY", "VAVAILABILITY""#,
      ]),
    Case(
      text: """
        [calendar.personal]
        path = "x"
        [remote.disk]
        kind = "folder"
        path = "y"
        [[sync]]
        name = "s"
        calendar = "persnal"
        remote = "disk"
        """,
      problems: [
        #"config.toml:8: there is no [calendar.persnal]; did you mean "personal"?"#
      ]),
    Case(
      text: """
        [remote.a]
        kind = "caldav"
        url = "https://x.org/"
        username = "u"
        password-env = "P"
        token-command = ["t"]
        pin = ["AA:BB"]
        client-key = "k"
        connections = 99
        [remote.b]
        kind = "caldav"
        url = "https://x.org/"
        username = "u"
        password-credential = "../x"
        password-netrc = "~/.netrc"
        """,
      problems: [
        #"config.toml:6: [remote.a] has a password and a "token-command"; one is enough"#,
        #"config.toml:7: expected "pin" to be sha256// and the 44 characters of a public key's digest in base64"#,
        #"config.toml:8: [remote.a] has a "client-key" but no "client-certificate""#,
        #"config.toml:9: expected "connections" to be a number from 1 through 16"#,
        #"config.toml:14: expected "password-credential" to be the name of a credential, found a path"#,
        #"config.toml:15: [remote.b] has "password-credential" and "password-netrc"; one is enough"#,
      ]),
    Case(
      text: """
        [remote.a]
        kind = "webcal"
        url = "webcal://x.org/f.ics"
        username = "u"
        password-env = "P"
        [remote.b]
        kind = "file"
        path = "x"
        [remote.c]
        kind = "folder"
        path = "x.ics"
        [remote.d]
        kind = "webcal"
        url = "ftp://x.org/f.ics"
        """,
      problems: [
        "config.toml:3: a password is not sent without encryption; use https or webcals",
        #"config.toml:8: a remote of the kind "file" is a path that ends in .ics"#,
        #"config.toml:11: a remote of the kind "folder" cannot be an .ics file; that is the kind "file""#,
        #"config.toml:14: "url" cannot be used: expected https, found ftp"#,
      ]),
    Case(
      text: "sync = 3\n", problems: ["config.toml:1: expected [[sync]] tables, found an integer"]),
    Case(
      text: "[calendar.\"a/b\"]\npath = \"x\"\n",
      problems: [#"config.toml:1: "a/b" cannot be a name: it is empty or looks like a path"#]),
  ]

  @Test(arguments: cases)
  func namesWhatIsWrongWithItsLine(_ test: Case) throws {
    let error = try #require(throws: ConfigurationError.self) { try Self.read(test.text) }
    #expect(error.lines == test.problems)
  }

  @Test func syntaxErrorsHaveALine() throws {
    let error = try #require(throws: ConfigurationError.self) {
      try Self.read("[calendar.a]\npath = \"x\npath")
    }
    #expect(error.problems.map(\.line) == [2])
  }

  @Test func deepTablesAreRefusedBeforeTheyAreParsed() throws {
    func path(_ count: Int) -> String { Array(repeating: "a", count: count).joined(separator: ".") }
    let deep = "tables or arrays nested deeper than 64"
    let many = 20_000
    let documents = [
      "\(path(many)) = 1", "[\(path(many))]", "[[\(path(many))]]", "x = { \(path(many)) = 1 }",
      "x = \(String(repeating: "[", count: many))", "[x]\ny = [{}, { \(path(many)) = 1 }]",
      String(repeating: "\(path(20)) = {", count: 4),
    ]
    for document in documents {
      let error = #expect(throws: ConfigurationError.self) { try Self.read(document) }
      #expect(error?.problems.map(\.message) == [deep])
    }
    // Dots in strings, comments and numbers of several values are none of a key.
    let dots = String(repeating: ".", count: many)
    let list = Array(repeating: "1.5", count: 1_000).joined(separator: ", ")
    let error = #expect(throws: ConfigurationError.self) {
      try Self.read(
        "# \(dots)\nx = \"\(dots)\" # \(dots)\ny = [\(list)]\n'\(dots)' = 1\n\(path(60)) = 1")
    }
    #expect(error?.problems.count == 4)
    #expect(error?.problems.allSatisfy { $0.message.hasPrefix("unknown key") } ?? false)
  }

  @Test func ofManyErrorsOnlySomeAreDescribed() throws {
    let text = (0..<8_000).map { "[x\($0)]\n" }.joined()
    let error = try #require(throws: ConfigurationError.self) { try Self.read(text) }
    #expect(error.problems.count == 8_000)
    #expect(error.lines.count == 101)
    #expect(error.lines.first == "config.toml:1: unknown key \"x0\" in the configuration")
    #expect(error.lines.last == "config.toml: 7900 more errors")
  }

  @Test func passwordNeedsAPrivateFile() throws {
    let text = """
      [remote.a]
      kind = "caldav"
      url = "https://x.org/"
      username = "u"
      password = "hunter2"
      """
    let kind = try Self.read(text, isPrivate: true).remotes["a"]?.kind
    guard case .calDAV(let settings)? = kind, case .literal(let secret)? = settings.server.password
    else {
      Issue.record("no password was read")
      return
    }
    #expect(secret.revealed == "hunter2")
    let error = try #require(throws: ConfigurationError.self) {
      try Self.read(text, isPrivate: false)
    }
    #expect(error.lines.count == 1 && error.lines[0].hasPrefix("config.toml:5: a password is"))
    #expect(!"\(error)".contains("hunter2"))
  }

  @Test func secretsDoNotShowThemselves() {
    let secret = Secret("hunter2")
    var dumped = ""
    dump(secret, to: &dumped)
    #expect(!"\(secret) \(String(reflecting: secret)) \(dumped)".contains("hunter2"))
  }

  @Test(arguments: [
    ("~/cal", "/home/alice/cal"), ("~", "/home/alice"), ("cal", "/etc/epact/cal"),
    ("/a/./b//c/", "/a/b/c"), ("~bob/cal", "/etc/epact/~bob/cal"), ("../x", "/etc/epact/../x"),
  ])
  func pathsBecomeAbsolute(path: String, absolute: String) {
    #expect(Self.paths.absolute(path) == absolute)
  }
}
