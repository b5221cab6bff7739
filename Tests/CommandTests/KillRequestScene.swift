// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder and a calendar on a server that a sync keeps in step, with something of each kind to do, which
/// can be put back to where they began.
///
/// After a run that was killed people go on, before the next one: what was about to be sent is then told
/// from what they do by the intents in the ledger alone.
struct KillRequestScene: KillableScene {
  let sandbox: Sandbox
  private let server: PretendServer
  private let template: PretendServer.Content
  /// What each side holds in the end: the lines of each UID that tell its state.
  private let end = [
    "edit-here": "Edited here again", "edit-there": "Edited there", "new-there": "New there",
    "merge": "Merged/Somewhere", "still": "Still",
  ]

  /// Fills both sides, syncs them, and lets people do something on both.
  init() throws {
    server = try PretendServer()
    sandbox = try Sandbox(syncingWith: server)
    for uid in ["edit-here", "edit-there", "gone-here", "gone-there", "merge", "still"] {
      try Self.write(uid, uid.capitalized, to: "cal", of: sandbox)
    }
    _ = try sandbox.run(
      "epact access club --grant full --purpose 'Keeps a copy of my calendar on a server'")
    _ = try sandbox.run("epact sync && epact sync")
    try Self.write("edit-here", "Edited here", to: "cal", of: sandbox)
    try Self.write("new-here", "New here", to: "cal", of: sandbox)
    try Self.write("merge", "Merged", to: "cal", of: sandbox)
    _ = try sandbox.run("rm cal/gone-here.ics")
    for (uid, summary, location) in [
      ("edit-there", "Edited there", nil), ("new-there", "New there", nil),
      ("merge", "Merge", "Somewhere"),
    ] {
      server.write(
        KillScene.text(uid, summary, location: location), at: "/ada/home/\(uid).ics")
    }
    server.remove("/ada/home/gone-there.ics")
    _ = try sandbox.run("mkdir template && cp -a cal state template/")
    template = server.everything
  }

  func run(_ prefix: String) throws -> Bool {
    server.everything = template
    let restored = "rm -rf cal state && cp -a template/. . "
    let result = try sandbox.run(
      "\(restored) && \(prefix) epact sync -q; [ $? = 137 ] && echo killed")
    // What was sent before the end is still dealt with.
    server.waitUntilIdle()
    return result.output.hasSuffix("killed\n")
  }

  func problem() throws -> String? {
    try write("edit-here", "Edited here again", to: "cal")
    _ = try sandbox.run("rm cal/new-here.ics")
    let finished = try sandbox.run("epact sync && epact sync")
    guard finished.status == 0 else {
      return "the next syncs failed: \(finished.output)\(finished.errors)"
    }
    let here = KillScene.state(
      of: try KillScene.texts(in: sandbox.folder.appending(path: "cal")))
    guard here == end else { return "here is \(here)" }
    let items = server.items
    let there = KillScene.state(of: Array(items.values))
    guard there == end, items.count == end.count else { return "there is \(there)" }
    let again = try sandbox.run("epact sync")
    guard again.output == "to-club: up to date.\n" else { return "then: \(again.output)" }
    return server.items == items ? nil : "then the server holds \(server.items)"
  }
}
