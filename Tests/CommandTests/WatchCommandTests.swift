// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The program as a watcher: started, edited under, and ended by a signal.
@Suite(.timeLimit(.minutes(60))) struct WatchCommandTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    _ = try sandbox.run("mkdir -p config/epact mine disk")
    let text = """
      on-change = ["\(sandbox.folder.path)/changed"]
      metrics = "\(sandbox.folder.path)/epact.prom"
      [calendar.mine]
      path = "\(sandbox.folder.path)/mine"
      [remote.disk]
      kind = "folder"
      path = "\(sandbox.folder.path)/disk"
      [[sync]]
      name = "both"
      calendar = "mine"
      remote = "disk"

      """
    try Data(text.utf8).write(to: sandbox.folder.appending(path: "config/epact/config.toml"))
    try Data("#!/bin/sh\ncat >> $HOME/changes\n".utf8)
      .write(to: sandbox.folder.appending(path: "changed"))
    _ = try sandbox.run(
      "chmod 755 changed; epact access disk --grant full --purpose 'Keeps a copy on a disk'")
    try write("there", to: "disk")
  }

  private func write(_ uid: String, to folder: String) throws {
    try Data(KillScene.text(uid, uid.capitalized).utf8).write(
      to: sandbox.folder.appending(path: "\(folder)/\(uid).ics"))
  }

  /// Waits in a shell until a condition holds.
  private static func until(_ condition: String) -> String {
    "until \(condition); do sleep 0.1; done"
  }

  @Test(arguments: ["TERM", "INT"])
  func editsAreSentAndASignalEndsTheWatch(signal: String) throws {
    try write("here", to: "mine")
    let event = KillScene.text("later", "Later").replacing("\r\n", with: "\\r\\n")
    // A job of a shell without job control ignores SIGINT, unless it is reset.
    let result = try sandbox.run(
      """
      env --default-signal=INT epact watch > out 2> err & watch=$!
      \(Self.until("[ -e disk/here.ics ] && [ -e mine/there.ics ] && [ -e epact.prom ]"))
      printf '\(event)' > mine/later.ics
      \(Self.until("[ -e disk/later.ics ]"))
      \(Self.until("[ $(wc -l < out) = 2 ]"))
      kill -\(signal) $watch; wait $watch; status=$?; cat out; cat err >&2; exit $status
      """)
    #expect(result.status == 0)
    #expect(result.output == "both: 1 uploaded, 1 downloaded.\nboth: 1 uploaded.\n")
    #expect(
      result.errors == """
        Watching 1 calendar; the syncs also run every 15m.
        The watch has ended.

        """)
    let changes = try sandbox.run("cat changes").output
    #expect(changes.contains("\"sync\": \"both\""))
    #expect(changes.contains("\"change\": \"added\", \"side\": \"local\", \"uid\": \"there\""))
    // The second run changed no local file.
    #expect(!changes.contains("later"))
  }

  @Test func anIdleWatchUsesNoProcessorTime() throws {
    // A thread that runs is switched in and out; a timer of the runtime is switched once a second.
    let result = try sandbox.run(
      """
      switches() { cat /proc/$watch/task/*/status | awk '/ctxt_switches/ { n += $2 } END { print n }'; }
      epact watch -q & watch=$!
      \(Self.until("[ -e epact.prom ]"))
      for attempt in $(seq 20); do
        before=$(switches); sleep 2
        [ $(($(switches) - before)) -lt 12 ] && { echo idle; break; }
      done
      kill $watch; wait $watch
      """)
    #expect(result.output == "idle\n", "\(result.errors)")
  }

  @Test func aSecondWatchIsRefused() throws {
    let result = try sandbox.run(
      """
      epact watch -q & watch=$!
      \(Self.until("[ -e epact.prom ]"))
      epact watch; status=$?
      kill $watch; wait $watch; exit $status
      """)
    #expect(result.status == 75)
    #expect(result.errors.contains("error: watch is already running (pid "))
  }

  @Test func aFailedRunIsTriedAgain() throws {
    let result = try sandbox.run(
      """
      rm -r disk; epact watch > out 2> err & watch=$!
      \(Self.until("grep -q 'next attempt' err"))
      kill $watch; wait $watch; cat err
      """)
    #expect(result.status == 0)
    #expect(result.output.contains("The next attempt is in 3"))
  }
}
