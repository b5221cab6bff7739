// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarRemotes
import CalendarSync
import Foundation
import TestSupport

/// A folder of folders and the account of a real server, kept in step by the program.
struct AccountScene {
  let server: ServerProcess
  let sandbox: Sandbox
  let account: CalDAVAccount

  private static let credentials = Credentials(
    user: ServerProcess.user, password: ServerProcess.password)

  init(_ kind: ServerProcess.Kind, collections: String = "\"all\"") async throws {
    server = try await ServerProcess(kind)
    sandbox = try Sandbox()
    account = CalDAVAccount(
      address: try RemoteURL(parsing: server.root), credentials: Self.credentials,
      transport: try NetworkTransport(userAgent: "epact-tests/1"))
    let text = """
      [account.ours]
      type = "caldav"
      url = "\(server.root)"
      username = "\(ServerProcess.user)"
      password-command = ["sh", "-c", "echo >> \(sandbox.folder.path)/asked; echo \(ServerProcess.password)"]
      [[sync]]
      name = "home"
      account = "ours"
      folder = "~/cals"
      collections = \(collections)

      """
    _ = try sandbox.run("mkdir -p config/epact cals")
    try Data(text.utf8).write(to: sandbox.folder.appending(path: "config/epact/config.toml"))
    _ = try sandbox.run(
      "epact access ours --grant full --purpose 'Keeps all my calendars on this laptop'")
  }

  static func id(_ name: String) throws -> CollectionID {
    guard let id = CollectionID(folder: name) else {
      throw CocoaError(.fileNoSuchFile)
    }
    return id
  }

  // MARK: What people do

  /// Puts an event into a folder, which is created.
  func write(_ uid: String, _ title: String, in folder: String) throws {
    let place = sandbox.folder.appending(path: "cals/\(folder)")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    try Data(KillScene.text(uid, title).utf8).write(to: place.appending(path: "\(uid).ics"))
  }

  /// Puts an event into a calendar on the server, which is created.
  func writeThere(_ uid: String, _ title: String, in name: String) async throws {
    let found = try await account.collections().first { $0.id.folder == name }
    let place: AccountCollection
    if let found {
      place = found
    } else {
      place = try await account.create(try Self.id(name), title: "The \(name)", for: nil)
    }
    let item = try CalendarItem(parsing: Array(KillScene.text(uid, title).utf8))
    _ = try await calendar(at: place).create(item)
  }

  func removeThere(_ name: String) async throws {
    for place in try await account.collections() where place.id.folder == name {
      _ = try await account.remove(place, withItems: true)
    }
  }

  func set(_ property: CollectionProperty, to value: String, of name: String) async throws {
    for place in try await account.collections() where place.id.folder == name {
      _ = try await calendar(at: place).properties?.set(property, to: value)
    }
  }

  private func calendar(at place: AccountCollection) async throws -> any RemoteCalendar {
    try await CalDAVRemote(
      address: try RemoteURL(parsing: place.place), credentials: Self.credentials,
      transport: try NetworkTransport(userAgent: "epact-tests/1")
    ).openCalendar()
  }

  // MARK: What is where

  /// The titles of the items in each folder, and the number of files.
  func here() throws -> [String: [String]] {
    let root = sandbox.folder.appending(path: "cals")
    var found: [String: [String]] = [:]
    for folder in try FileManager.default.contentsOfDirectory(atPath: root.path) {
      let place = root.appending(path: folder)
      found[folder] = try FileManager.default.contentsOfDirectory(atPath: place.path)
        .filter { $0.hasSuffix(".ics") }
        .map { name in
          try CalendarItem(parsing: Array(try Data(contentsOf: place.appending(path: name)))).title
        }.sorted()
    }
    return found
  }

  /// The titles of the items in each calendar on the server.
  func there() async throws -> [String: [String]] {
    var found: [String: [String]] = [:]
    for place in try await account.collections() {
      let calendar = try await calendar(at: place)
      var titles: [String] = []
      for case .item(_, _, let item) in try await calendar.fetch(calendar.list().map(\.href)) {
        titles.append(item.title)
      }
      found[place.id.folder] = titles.sorted()
    }
    return found
  }

  /// The names for people on the server.
  func titlesThere() async throws -> [String: String] {
    var found: [String: String] = [:]
    for place in try await account.collections() { found[place.id.folder] = place.title }
    return found
  }

  /// Runs the sync, and kills it a few requests later each time, until it comes to its end.
  ///
  /// - Returns: How often it was killed.
  func syncKilled(every step: Int) throws -> Int {
    let shim = try KillShim(in: sandbox.folder.path)
    var (call, kills) = (1, 0)
    while true {
      let place = kills.isMultiple(of: 3) ? sandbox.folder.appending(path: "cals").path : "socket"
      let when = kills.isMultiple(of: 2) ? "before" : "after"
      let result = try sandbox.run(
        "\(shim.prefix(at: call, when, below: place)) epact sync -q; [ $? = 137 ] && echo killed")
      guard result.output.hasSuffix("killed\n") || place != "socket" else { return kills }
      kills += 1
      call += step
    }
  }
}
