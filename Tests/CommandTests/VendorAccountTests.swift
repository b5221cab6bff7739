// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A folder of folders and the account at a vendor, kept in step by the program.
@Suite("Whole accounts at vendors", .timeLimit(.minutes(60)))
struct VendorAccountTests {
  private struct Scene {
    let kind: VendorDouble.Kind
    let double: VendorDouble
    let account = VendorDouble.makeAccount()
    let sandbox: Sandbox

    init(_ kind: VendorDouble.Kind) async throws {
      self.kind = kind
      double = try await VendorDouble.shared(kind)
      sandbox = try Sandbox()
      let path = kind == .google ? "calendar/v3" : "v1.0"
      let text = """
        [account.ours]
        kind = "\(kind.rawValue)"
        url = "http://127.0.0.1:\(double.port)/\(path)/"
        token-command = ["sh", "-c", "echo >> \(sandbox.folder.path)/asked; echo \(account)"]
        [[sync]]
        name = "home"
        account = "ours"
        folder = "~/cals"
        components = ["VEVENT"]

        """
      _ = try sandbox.run("mkdir -p config/epact cals")
      try Data(text.utf8).write(to: sandbox.folder.appending(path: "config/epact/config.toml"))
    }

    func grant(_ tier: String) throws {
      let result = try sandbox.run(
        "epact access ours --grant \(tier) --purpose 'Keeps all my calendars on this laptop'")
      #expect(result.status == 0, "\(result.errors)")
    }

    /// Puts an event into a folder.
    func write(_ uid: String, _ title: String, in folder: String) throws {
      let place = sandbox.folder.appending(path: "cals/\(folder)")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      try Data(KillScene.text(uid, title).utf8).write(to: place.appending(path: "\(uid).ics"))
    }

    private struct List: Decodable {
      struct Item: Decodable {
        var id: String
        var summary: String?
        var summaryOverride: String?
        var backgroundColor: String?
        var name: String?
        var subject: String?
        var hexColor: String?
      }
      var items: [Item]?
      var value: [Item]?
    }

    private func list(_ google: String, _ graph: String) async throws -> [List.Item] {
      let path = kind == .google ? "/calendar/v3/\(google)" : "/v1.0/\(graph)"
      let data = try await double.person(account, "GET", path)
      let list = try JSONDecoder().decode(List.self, from: data)
      return list.items ?? list.value ?? []
    }

    /// The calendars there: ids and colours by names.
    func calendars() async throws -> [String: (id: String, color: String?)] {
      let all = try await list("users/me/calendarList", "me/calendars?$top=100")
      return Dictionary(
        all.map {
          (
            $0.summaryOverride ?? $0.summary ?? $0.name ?? "",
            ($0.id, $0.backgroundColor ?? $0.hexColor)
          )
        }
      ) { first, _ in first }
    }

    /// The titles in a calendar there.
    func titles(_ name: String) async throws -> [String] {
      let id = try #require(try await calendars()[name]).id
      let events = try await list(
        "calendars/\(id)/events", "me/calendars/\(id)/events?$top=100")
      return events.compactMap { $0.summary ?? $0.subject }.sorted()
    }

    func makeThere(_ name: String) async throws {
      switch kind {
      case .google:
        try await double.person(
          account, "POST", "/calendar/v3/calendars", #"{"summary": "\#(name)"}"#)
      case .graph:
        try await double.person(account, "POST", "/v1.0/me/calendars", #"{"name": "\#(name)"}"#)
      }
    }

    func run(_ command: String) throws {
      let result = try sandbox.run(command)
      #expect(result.status == 0, "\(command): \(result.output)\(result.errors)")
    }
  }

  private static let kinds: [VendorDouble.Kind] = [.google, .graph]

  @Test("Calendars are created on both sides, named, colored and removed", arguments: kinds)
  func life(_ kind: VendorDouble.Kind) async throws {
    let scene = try await Scene(kind)
    try scene.grant("full")
    try await scene.makeThere("Theirs")
    try scene.write("one", "One", in: "work")
    try scene.run("epact sync")
    let there = try await scene.calendars()
    #expect(there.count == 3 && there["work"] != nil)
    #expect(try await scene.titles("work") == ["One"])
    let here = try FileManager.default.contentsOfDirectory(
      atPath: scene.sandbox.folder.appending(path: "cals").path)
    #expect(here.count == 3 && here.contains("Theirs"))
    // The name and the colour here become those there, and the folder stays.
    try scene.run("epact calendars rename home/work 'At work'")
    try scene.run("epact calendars color home/work '#a6d1f5'")
    try scene.run("epact sync")
    #expect(try await scene.calendars()["At work"]?.color?.lowercased() == "#a6d1f5")
    try scene.write("two", "Two", in: "work")
    try scene.run("epact sync")
    #expect(try await scene.titles("At work") == ["One", "Two"])
    #expect(try await scene.calendars().count == 3)
    // A second sync right after asks for the list and for the changes of each calendar.
    try await scene.double.control("DELETE", scene.account, "log")
    try scene.run("epact sync")
    #expect(try await scene.double.requests(scene.account).count == 1 + 3)
    try scene.run("epact calendars remove home/work --with-items --yes")
    #expect(try await scene.calendars()["At work"] == nil)
    try scene.run("epact sync")
    #expect(try await scene.calendars().count == 2)
    #expect(try await scene.double.violations(scene.account) == "[]")
  }

  @Test("An account is never listed under write-only access", arguments: kinds)
  func writeOnly(_ kind: VendorDouble.Kind) async throws {
    let scene = try await Scene(kind)
    try scene.grant("write-only")
    try scene.write("one", "One", in: "work")
    let result = try scene.sandbox.run("epact sync")
    #expect(result.status != 0)
    #expect(try await scene.double.requests(scene.account) == [])
  }
}
