// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Epact

@Suite("Copies of mirrors that are gone")
struct LeftCopiesTests {
  private static let calendars = """
    [calendar.work]
    path = "~/synced/work"
    [calendar.shared]
    path = "~/calendars/private"
    [calendar.other]
    path = "~/calendars/tasks"

    """

  private let scene: LibraryScene

  init() throws {
    scene = try LibraryScene()
    for uid in ["a", "b"] {
      try scene.write(TestItem.make(uid: uid, summary: "Secret"), to: "synced/work/\(uid).ics")
    }
    try scene.write(TestItem.make(uid: "own", summary: "Own"), to: "calendars/private/own.ics")
    // A copy that the mirror of another person made, and a sync brought.
    try scene.write(
      TestItem.make(uid: "0f\(ProjectionKey.suffix(of: "old"))", summary: "Busy"),
      to: "calendars/tasks/other.ics")
  }

  private func set(_ mirrors: String) throws -> SyncSet {
    try scene.write(Self.calendars + mirrors)
    return try SyncSet(try scene.library.configuration(), machine: scene.machine)
  }

  private static func mirror(_ name: String, to calendar: String = "shared") -> String {
    "[[mirror]]\nname = \"\(name)\"\nfrom = \"work\"\nto = \"\(calendar)\"\n"
  }

  private func found(_ mirrors: String) async throws -> [String] {
    try await set(mirrors).leftCopies().map { "\($0.calendar): \($0.count) of \($0.mirror)" }
  }

  @Test("Copies of a mirror are reported once the configuration does not have it for the calendar")
  func left() async throws {
    #expect(try await found(Self.mirror("busy")) == [])
    _ = try await set(Self.mirror("busy")).run()
    #expect(try await found(Self.mirror("busy")) == [])
    #expect(try await found("") == ["shared: 2 of busy"])
    #expect(try await found(Self.mirror("renamed")) == ["shared: 2 of busy"])
    #expect(try await found(Self.mirror("busy", to: "other")) == ["shared: 2 of busy"])
    _ = try await set(Self.mirror("busy", to: "other")).run()
    #expect(try await found(Self.mirror("busy", to: "other")) == ["shared: 2 of busy"])
    #expect(try await found("") == ["other: 2 of busy", "shared: 2 of busy"])
  }

  @Test("The message says how many there are, and the remedy removes them and nothing else")
  func remedy() async throws {
    _ = try await set(Self.mirror("busy")).run()
    let copies = try #require(try await set("").leftCopies().first)
    #expect(
      copies.message
        == "2 copies of the mirror \"busy\" are left, which the configuration does not have for this "
        + "calendar any more")
    guard case .other(let advice) = copies.remedy,
      let command = advice.dropFirst("To remove them: ".count).firstRange(of: ";")
    else {
      Issue.record("no command in the advice")
      return
    }
    let text = advice[..<command.lowerBound].dropFirst("To remove them: ".count)
    #expect(try TestProgram(["sh", "-c", String(text)]).run() == 0)
    let names = try FileManager.default.contentsOfDirectory(
      atPath: scene.folder.path(of: "calendars/private"))
    #expect(names == ["own.ics"])
    #expect(try await found("") == [])
  }
}
