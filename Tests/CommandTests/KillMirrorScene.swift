// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A mirror of two calendars with something of each kind to do, which can be put back to where it began.
struct KillMirrorScene: KillableScene {
  let sandbox: Sandbox
  /// The titles of all items of the calendar once the mirror came to its end.
  private let end = ["Deleted there", "Edited", "Edited there", "Moved", "New", "Own", "Still"]

  /// Makes the calendars, mirrors them, and lets people do something in all of them.
  init() throws {
    sandbox = try Sandbox()
    _ = try sandbox.run("mkdir -p work home shared config/epact")
    let configuration = """
      [calendar.work]
      path = "\(sandbox.folder.path)/work"
      [calendar.home]
      path = "\(sandbox.folder.path)/home"
      [calendar.shared]
      path = "\(sandbox.folder.path)/shared"
      [[mirror]]
      name = "family"
      from = ["work", "home"]
      to = "shared"
      show = "titles"

      """
    try Data(configuration.utf8).write(
      to: sandbox.folder.appending(path: "config/epact/config.toml"))
    let titles = [
      "edit": "Edit", "moved": "Moved", "gone": "Gone", "still": "Still", "there": "Edited there",
      "deleted": "Deleted there",
    ]
    for (uid, title) in titles { try write("secret-\(uid)", title, location: "Secret", to: "work") }
    try write("own", "Own", to: "shared")
    _ = try sandbox.run("epact mirror && epact mirror")
    try write("secret-edit", "Edited", location: "Secret", to: "work")
    try write("secret-new", "New", location: "Secret", to: "home")
    _ = try sandbox.run(
      """
      mv work/secret-moved.ics home/; rm work/secret-gone.ics
      sed -i 's/SUMMARY:Edited there/SUMMARY:Mine/' shared/*; rm "$(grep -l 'SUMMARY:Deleted there' shared/*)"
      mkdir template && cp -a work home shared state template/
      """)
  }

  func run(_ prefix: String) throws -> Bool {
    let restored = "rm -rf work home shared state && cp -a template/. . "
    let result = try sandbox.run(
      "\(restored) && \(prefix) epact mirror -q; [ $? = 137 ] && echo killed")
    return result.output.hasSuffix("killed\n")
  }

  func problem() throws -> String? {
    let finished = try sandbox.run("epact mirror")
    guard finished.status == 0 else { return "the next run failed: \(finished.errors)" }
    let texts = try KillScene.texts(in: sandbox.folder.appending(path: "shared"))
    let titles = KillScene.state(of: texts).values.sorted()
    guard titles == end, texts.count == end.count else { return "there are \(titles)" }
    guard !texts.joined().lowercased().contains("secret") else { return "a hidden text is shown" }
    let untouched = try sandbox.run(
      "diff -r work template/work && diff -r home template/home && cmp shared/own.ics template/shared/own.ics"
    )
    guard untouched.status == 0 else { return "changed: \(untouched.output)" }
    let listing = "find work home shared -printf '%p %i %T@\\n' | sort"
    let again = try sandbox.run("\(listing) > a; epact mirror; \(listing) > b; cmp a b; rm a b")
    guard again.output == "family: up to date.\n" else { return "then: \(again.output)" }
    return nil
  }
}
