// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An import into a folder or a file that is killed, and then undone or repeated.
struct KillImportScene: KillableScene {
  let sandbox: Sandbox
  private let calendar: String
  private let end = ["edited": "New", "one": "New", "two": "New", "still": "Old"]

  /// Creates the calendar, and the file to import.
  init(into calendar: String) throws {
    self.calendar = calendar
    sandbox = try Sandbox()
    let old = ["edited", "still"].map { KillScene.text($0, "Old").replacing("\r\n", with: "\n") }
    if calendar.hasSuffix(".ics") {
      try write(old.joined(), to: calendar)
    } else {
      for (number, text) in old.enumerated() {
        try write(text + "\n", to: "\(calendar)/Item \(number).ics")
      }
    }
    let new = ["edited", "one", "two"].map { uid in
      KillScene.text(uid, "New").replacing("20260101T", with: "20260102T")
    }
    try write(new.joined(), to: "new.ics")
    let path = sandbox.folder.appending(path: calendar).path
    try write("[calendar.mine]\npath = \"\(path)\"\n", to: "config/epact/config.toml")
    _ = try sandbox.run(
      "mkdir -p state template && epact history; cp -a \(calendar) state template/")
  }

  private func write(_ text: String, to path: String) throws {
    let file = sandbox.folder.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  func run(_ prefix: String) throws -> Bool {
    let result = try sandbox.run(
      """
      rm -rf \(calendar) state killed && cp -a template/. . \
      && \(prefix) epact import new.ics --into mine -q; [ $? = 137 ] && echo killed
      """)
    return result.output.hasSuffix("killed\n")
  }

  func problem() throws -> String? {
    let same = "diff -r -x '.*' \(calendar) template/\(calendar)"
    let undone = try sandbox.run(
      "mkdir killed && cp -a \(calendar) state killed/; epact undo -q 2>/dev/null; \(same)")
    guard undone.status == 0 else { return "after an undo: \(undone.output)" }
    let again = try sandbox.run(
      """
      rm -rf \(calendar) state && cp -a killed/. . && rm -rf killed \
      && epact import new.ics --into mine -q && epact export mine -o all.ics
      """)
    guard again.status == 0 else { return "the next import failed: \(again.errors)" }
    let held = KillScene.state(of: try texts())
    guard held == end else { return "the calendar holds \(held)" }
    let both = try sandbox.run("epact undo -q; epact undo -q 2>/dev/null; \(same)")
    return both.status == 0 ? nil : "after both undos: \(both.output)"
  }

  /// The events of the calendar.
  private func texts() throws -> [String] {
    try String(contentsOf: sandbox.folder.appending(path: "all.ics"), encoding: .utf8)
      .components(separatedBy: "BEGIN:VEVENT").dropFirst().map(\.self)
  }
}
