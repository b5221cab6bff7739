// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import Testing

@testable import Epact

@Suite("Mirrors of a configuration")
struct MirrorConfigurationTests {
  private static let calendars = """
    [calendar.work]
    path = "/c/work"
    [calendar.home]
    path = "/c/home"
    [calendar.shared]
    path = "/c/shared"

    """

  private static func read(_ text: String) throws -> Configuration {
    try ConfigurationTests.read(calendars + text)
  }

  private static func problems(_ text: String) -> [String] {
    do {
      _ = try read(text)
      return []
    } catch let error as ConfigurationError {
      return error.problems.map { "\($0.line.map(String.init) ?? "-"): \($0.message)" }
    } catch {
      return ["\(error)"]
    }
  }

  @Test func readsEveryKey() throws {
    let configuration = try Self.read(
      """
      [[mirror]]
      name = "family"
      from = ["work", "home"]
      to = "shared"
      show = "titles"
      title = "{title} ({calendar})"
      keep = ["location", "X-Room"]
      private = "hide"
      where = "category:family"
      window = { past = "30d", future = "1y" }
      components = ["VEVENT"]
      max-delete = 10
      on-edit = "release"
      """)
    let sync = try #require(configuration.syncs.first)
    #expect(sync.name == "family")
    #expect(sync.calendar == "shared")
    #expect(sync.filter.past == 30)
    #expect(sync.filter.kinds == [.event])
    #expect(sync.maxDelete == .items(10))
    let mirror = try #require(configuration.mirror(of: sync))
    #expect(mirror.sources == ["work", "home"])
    #expect(mirror.projection.detail == .titles)
    #expect(mirror.projection.title?.description == "{title} ({calendar})")
    #expect(mirror.projection.kept == ["LOCATION", "X-ROOM"])
    #expect(mirror.projection.privateItems == .hide)
    #expect(mirror.projection.query == "category:family")
    #expect(mirror.onEdit == .release)
    #expect(sync.direction == .pull)
  }

  @Test func defaultsToBusyTime() throws {
    let configuration = try Self.read(
      "[[mirror]]\nname = \"busy\"\nfrom = \"work\"\nto = \"shared\"\n")
    let mirror = try #require(configuration.mirror(of: configuration.syncs[0]))
    #expect(mirror.sources == ["work"])
    #expect(mirror.projection == ProjectionSettings())
    #expect(mirror.projection.detail == .busy)
    #expect(mirror.onEdit == .restore)
  }

  /// A mirror needs no grant: nothing but local calendars is read.
  @Test func isNoRemoteOfTheUser() throws {
    let configuration = try Self.read(
      "[[mirror]]\nname = \"busy\"\nfrom = \"work\"\nto = \"shared\"\n")
    #expect(configuration.grantNames == [])
    #expect(configuration.grantee("busy") == nil)
  }

  @Test(arguments: [
    ("from = \"work\"\nto = \"shared\"", "7: [[mirror]] has no \"name\""),
    ("name = \"m\"\nto = \"shared\"", "7: [[mirror]] has no \"from\""),
    ("name = \"m\"\nfrom = \"work\"", "7: [[mirror]] has no \"to\""),
    (
      "name = \"m\"\nfrom = \"werk\"\nto = \"shared\"",
      "9: there is no [calendar.werk]; did you mean \"work\"?"
    ),
    (
      "name = \"m\"\nfrom = []\nto = \"shared\"",
      "9: expected \"from\" to be the names of calendars, as [\"work\", \"home\"]; found an array"
    ),
    (
      "name = \"m\"\nfrom = \"work\"\nto = \"shared\"\nshow = \"bussy\"",
      "11: expected \"show\" to be one of \"all\", \"titles\", \"busy\", found \"bussy\""
    ),
    (
      "name = \"m\"\nfrom = \"work\"\nto = \"shared\"\ntitle = \"{who}\"",
      "11: expected {calendar} or {title} in a title, found \"{who}\""
    ),
    (
      "name = \"m\"\nfrom = \"work\"\nto = \"shared\"\ntitle = \"{title}\"",
      "11: {title} would show the titles, which busy time hides; show titles"
    ),
    (
      "name = \"m\"\nfrom = \"work\"\nto = \"shared\"\nkeep = [\"UID\"]",
      "11: \"UID\" cannot be kept: each copy gets its own"
    ),
    (
      "name = \"m\"\nfrom = \"work\"\nto = \"shared\"\nremote = \"x\"",
      "11: unknown key \"remote\" in [[mirror]]"
    ),
    (
      "name = \"m\"\nfrom = [\"work\", \"shared\"]\nto = \"shared\"",
      "10: the calendar \"shared\" would be a copy of itself: the mirror takes its items from it"
    ),
  ])
  func saysWhatIsWrong(text: String, problem: String) {
    #expect(Self.problems("[[mirror]]\n" + text + "\n") == [problem])
  }

  @Test("A query that cannot be read is an error at its line, with the column in the query")
  func queries() throws {
    let scene = try LibraryScene()
    let mirror = "[[mirror]]\nname = \"m\"\nfrom = \"work\"\nto = \"shared\"\n"
    for (query, problem) in [
      ("nofield:x", "11: \"where\", column 1: "), ("title:a and (", "11: \"where\", column 14: "),
      ("start>=nonsense", "11: \"where\", column 8: "),
    ] {
      try scene.write(Self.calendars + mirror + "where = \"\(query)\"\n")
      let error = #expect(throws: ConfigurationError.self) {
        try ConfigurationFile(machine: scene.machine).load()
      }
      let problems = error?.problems.map { "\($0.line ?? 0): \($0.message)" } ?? []
      #expect(problems.count == 1 && problems[0].hasPrefix(problem), "\(problems)")
    }
    for query in ["start>=today", "not category:hidden", "start>=\\\"next monday\\\""] {
      try scene.write(Self.calendars + mirror + "where = \"\(query)\"\n")
      #expect(try ConfigurationFile(machine: scene.machine).load().mirrors.count == 1)
    }
  }

  @Test func mirrorsHaveNoCycle() {
    let first = "[[mirror]]\nname = \"a\"\nfrom = \"work\"\nto = \"home\"\n"
    let second = "[[mirror]]\nname = \"b\"\nfrom = \"home\"\nto = \"shared\"\n"
    let third = "[[mirror]]\nname = \"c\"\nfrom = \"shared\"\nto = \"work\"\n"
    #expect(Self.problems(first + second) == [])
    #expect(Self.problems(first + second + third).count == 1)
    #expect(Self.problems(third + second + first).count == 1)
  }

  @Test func namesAreUnique() {
    let one = "[[mirror]]\nname = \"a\"\nfrom = \"work\"\nto = \"home\"\n"
    #expect(Self.problems(one + one).isEmpty == false)
    let remote = "[remote.a]\nkind = \"folder\"\npath = \"/r\"\n"
    #expect(
      Self.problems(remote + one) == ["11: there is a [remote.a] already"])
  }

  // MARK: Order

  @Test func aSyncBringsTheMirrorsOfItsCalendar() throws {
    let configuration = try Self.read(
      """
      [remote.a]
      kind = "folder"
      path = "/r/a"
      [remote.b]
      kind = "folder"
      path = "/r/b"
      [[sync]]
      name = "send"
      calendar = "shared"
      remote = "a"
      [[sync]]
      name = "work"
      calendar = "work"
      remote = "b"
      [[mirror]]
      name = "busy"
      from = "home"
      to = "shared"
      [[mirror]]
      name = "home"
      from = "work"
      to = "home"
      """)
    let send = try configuration.syncs(named: ["send"])
    #expect(configuration.withMirrors(send).map(\.name).sorted() == ["busy", "home", "send"])
    let work = try configuration.syncs(named: ["work"])
    #expect(configuration.withMirrors(work).map(\.name) == ["work"])
    func precedes(_ first: String, _ second: String) throws -> Bool {
      let syncs = try configuration.syncs(named: [first, second])
      return configuration.precedes(syncs[0], syncs[1])
    }
    #expect(try precedes("work", "home"))
    #expect(try precedes("home", "busy"))
    #expect(try precedes("busy", "send"))
    #expect(try !precedes("send", "busy"))
    #expect(try !precedes("work", "send"))
  }
}
