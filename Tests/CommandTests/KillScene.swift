// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Two folders that a sync keeps in step, with something of each kind to do, which can be put back to
/// where it began.
struct KillScene: KillableScene {
  let sandbox: Sandbox
  /// Whether the sync is run by a watch, which ends once the sync came to its end.
  private let isWatched: Bool
  /// What each side holds once the sync came to its end: the lines of each UID that tell its state.
  let end = [
    "edit-here": "Edited here", "edit-there": "Edited there", "new-here": "New here",
    "new-there": "New there", "merge": "Merged/Somewhere", "still": "Still", "quiet": "Quiet",
  ]

  /// Makes the folders, syncs them, and lets people do something on both sides.
  init(isWatched: Bool = false) throws {
    self.isWatched = isWatched
    sandbox = try Sandbox()
    for name in ["local", "remote"] {
      try FileManager.default.createDirectory(
        at: sandbox.folder.appending(path: name), withIntermediateDirectories: true)
    }
    try configure()
    for uid in ["edit-here", "edit-there", "gone-here", "gone-there", "merge", "still", "quiet"] {
      try write(uid, uid.capitalized, to: "local")
    }
    try write("quiet", "Quiet", to: "remote")
    _ = try sandbox.run("epact sync && epact sync")
    try write("edit-here", "Edited here", to: "local")
    try write("edit-there", "Edited there", to: "remote")
    try write("new-here", "New here", to: "local")
    try write("new-there", "New there", to: "remote")
    try write("merge", "Merged", to: "local")
    try write("merge", "Merge", location: "Somewhere", to: "remote")
    _ = try sandbox.run("rm local/gone-here.ics remote/gone-there.ics")
    _ = try sandbox.run("mkdir template && cp -a local remote state template/")
  }

  func run(_ prefix: String) throws -> Bool {
    let restored = "rm -rf local remote state epact.prom && cp -a template/. . "
    // A killed process may be a zombie until the shell waits for it.
    let command =
      isWatched
      ? """
      { \(prefix) epact watch -q & watch=$!
      until [ -e epact.prom ] || ! grep -q '^State:.[RSD]' /proc/$watch/status; do sleep 0.05
      done 2>/dev/null
      kill $watch 2>/dev/null; wait $watch; }
      """ : "\(prefix) epact sync -q"
    let result = try sandbox.run("\(restored) && \(command); [ $? = 137 ] && echo killed")
    return result.output.hasSuffix("killed\n")
  }

  func problem() throws -> String? {
    let finished = try sandbox.run("epact sync")
    guard finished.status == 0 else { return "the next sync failed: \(finished.errors)" }
    for side in ["local", "remote"] {
      let held = try state(of: side)
      guard held == end else { return "\(side) holds \(held)" }
      let names = try FileManager.default.contentsOfDirectory(
        atPath: sandbox.folder.appending(path: side).path)
      guard names.count == end.count else { return "left over in \(side): \(names)" }
    }
    let listing = "find local remote -printf '%p %i %T@\\n' | sort"
    let again = try sandbox.run("\(listing) > a; epact sync; \(listing) > b; cmp a b; rm a b")
    guard again.output == "nightly: up to date.\n" else { return "then: \(again.output)" }
    return nil
  }

  private func configure() throws {
    let configuration = """
      metrics = "\(sandbox.folder.path)/epact.prom"
      [calendar.mine]
      path = "\(sandbox.folder.path)/local"
      [remote.disk]
      kind = "folder"
      path = "\(sandbox.folder.path)/remote"
      [[sync]]
      name = "nightly"
      calendar = "mine"
      remote = "disk"

      """
    let place = sandbox.folder.appending(path: "config/epact")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    try Data(configuration.utf8).write(to: place.appending(path: "config.toml"))
    _ = try sandbox.run(
      "epact access disk --grant full --purpose 'Keeps a copy of my calendar on a disk'")
  }

  /// A file that holds one event.
  static func text(_ uid: String, _ summary: String, location: String? = nil) -> String {
    let lines =
      [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//EN", "BEGIN:VEVENT", "UID:\(uid)",
        "DTSTAMP:20260101T000000Z", "DTSTART:20260310T090000Z", "SUMMARY:\(summary)",
      ] + (location.map { ["LOCATION:\($0)"] } ?? []) + ["END:VEVENT", "END:VCALENDAR", ""]
    return lines.joined(separator: "\r\n")
  }

  private func state(of side: String) throws -> [String: String] {
    Self.state(of: try Self.texts(in: sandbox.folder.appending(path: side)))
  }

  /// What the calendar files of a folder hold.
  static func texts(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".ics") }
      .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
  }

  /// The summary of each UID, and the location behind it; a UID that is there twice has both.
  static func state(of texts: [String]) -> [String: String] {
    var result: [String: String] = [:]
    for text in texts {
      func value(_ property: String) -> String? {
        text.split(separator: "\r\n").first { $0.hasPrefix(property + ":") }
          .map { String($0.dropFirst(property.count + 1)) }
      }
      result[value("UID") ?? text, default: ""] +=
        (value("SUMMARY") ?? "") + (value("LOCATION").map { "/" + $0 } ?? "")
    }
    return result
  }
}
