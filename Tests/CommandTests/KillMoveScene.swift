// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// Two folders and two calendars of an account that has each UID once, kept in step by two syncs, between
/// which items are moved; all can be put back to where it began.
///
/// After a run that was killed people go on, before the next one: what was moved is edited, moved back, or
/// edited on the server, and is told from that by the ledgers of the two syncs.
struct KillMoveScene: KillableScene {
  private static let folders = ["home", "work"]

  let sandbox: Sandbox
  private let server: PretendServer
  private let template: PretendServer.Content
  /// What the calendars hold in the end, on either side, but for what was moved back.
  private let end = [
    ["still": "Still", "moved-there": "Moved-There"],
    ["quiet": "Quiet", "moved": "Moved again", "edited": "Edited by hand", "seen": "Seen there"],
  ]

  /// Fills both calendars, syncs them, and lets people move something on both sides.
  init() throws {
    server = try PretendServer(hasUIDsOnce: true)
    sandbox = try Sandbox()
    for name in Self.folders {
      try sandbox.add(
        "sync-\(name)", of: name, in: name, with: "\(name)-there",
        at: "\(server.address)/ada/\(name)/")
      _ = try sandbox.run(
        "epact access \(name)-there --grant full --purpose 'Keeps a copy on a server'")
    }
    for (name, uids) in [
      "home": ["still", "moved", "edited", "seen", "back"], "work": ["quiet", "moved-there"],
    ] {
      for uid in uids { try Self.write(uid, uid.capitalized, to: name, of: sandbox) }
    }
    _ = try sandbox.run("epact sync && epact sync")
    _ = try sandbox.run("mv home/moved.ics home/seen.ics home/back.ics work && rm home/edited.ics")
    try Self.write("edited", "Edited by hand", to: "work", of: sandbox)
    server.remove("/ada/work/moved-there.ics")
    server.write(
      KillScene.text("moved-there", "Moved-There"), at: "/ada/home/moved-there.ics")
    _ = try sandbox.run("mkdir template && cp -a home work state template/")
    template = server.everything
  }

  func run(_ prefix: String) throws -> Bool {
    server.everything = template
    let restored = "rm -rf home work state && cp -a template/. . "
    let result = try sandbox.run(
      "\(restored) && \(prefix) epact sync -q; [ $? = 137 ] && echo killed")
    server.waitUntilIdle()
    return result.output.hasSuffix("killed\n")
  }

  func problem() throws -> String? {
    try write("moved", "Moved again", to: "work")
    _ = try sandbox.run("mv work/back.ics home")
    for place in server.items.keys where place.hasSuffix("/seen.ics") {
      server.write(KillScene.text("seen", "Seen there"), at: place)
    }
    // What was edited on the server since its last listing is left for the run after.
    let finished = try sandbox.run("epact sync -q; epact sync -q; epact sync")
    guard finished.status == 0 else {
      return "the next syncs failed: \(finished.output)\(finished.errors)"
    }
    guard server.requests.contains(where: { $0.method == "MOVE" }) else {
      return "the server was not asked to move anything"
    }
    let items = server.items
    let here = try Self.folders.map { try state(ofFolder: $0) }
    let there = Self.folders.map { state(ofCalendar: $0, in: items) }
    // What the server had moved already, and no ledger knew of, may be taken for its doing.
    let ends = end.indices.map { index in
      end.indices.map { $0 == index ? end[$0].merging(["back": "Back"]) { $1 } : end[$0] }
    }
    guard ends.contains(here), there == here, items.count == there.map(\.count).reduce(0, +) else {
      return "here is \(here), there \(there)"
    }
    let again = try sandbox.run("epact sync | sort")
    guard again.output == "sync-home: up to date.\nsync-work: up to date.\n" else {
      return "then: \(again.output)"
    }
    return server.items == items ? nil : "then the server holds \(server.items)"
  }

  private func state(ofFolder name: String) throws -> [String: String] {
    KillScene.state(of: try KillScene.texts(in: sandbox.folder.appending(path: name)))
  }

  private func state(ofCalendar name: String, in items: [String: String]) -> [String: String] {
    KillScene.state(of: items.filter { $0.key.hasPrefix("/ada/\(name)/") }.map(\.value))
  }
}
