// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

extension Sandbox {
  /// Waits until the program `$epact` handles SIGTERM, by a handler (bit 14).
  static let untilItEndsBySignals = """
    for i in $(seq 12000); do
      grep -q '^SigCgt:.*[4-7c-f][0-9a-f]\\{3\\}$' /proc/$epact/status && break; sleep 0.05
    done
    """

  /// Runs the wizard on a terminal that gets these lines, each after its question was shown.
  func talk(
    _ answers: [(question: String, times: Int, line: String)]
  ) throws -> (shown: String, status: Int32) {
    let lines = answers.map { "wait_for '\($0.question)' \($0.times); printf '\($0.line)\\n'\n" }
    let result = try run(
      """
      touch shown
      wait_for() {
        for i in $(seq 12000); do [ "$(grep -c "$1" shown)" -ge "$2" ] && return; sleep 0.05; done
      }
      ( \(lines.joined()) sleep 0.2 ) |
        script -qefc "epact init --path cals --keep-password file --color never" shown > /dev/null
      """)
    return (
      try String(contentsOf: folder.appending(path: "shown"), encoding: .utf8),
      result.status
    )
  }
}
