// SPDX-License-Identifier: Apache-2.0

import Testing
import EpactConsole

@Suite struct ProgressLineTests {
  private func text(_ done: Int, _ total: Int, columns: Int, title: String = "home") -> String {
    ProgressLine(title: title, activity: "fetching", done: done, total: total)
      .text(columns: columns)
  }

  @Test(
    arguments: [
      (0, 10, 60, "home: fetching [------------------------------] 0/10"),
      (5, 10, 60, "home: fetching [###############---------------] 5/10"),
      (10_000, 10_000, 60, "home: fetching [############################] 10,000/10,000"),
      (12, 10, 60, "home: fetching [##############################] 10/10"),
      (0, 0, 60, "home: fetching"), (0, 0, 10, ""),
      (5, 10, 30, "fetching 5/10"), (5, 10, 10, ""),
    ])
  func aBarIsAsWideAsThereIsRoom(done: Int, total: Int, columns: Int, expected: String) {
    let line = text(done, total, columns: columns)
    #expect(line == expected)
    #expect(line.count < columns)
  }

  @Test func aNameCannotControlTheTerminal() {
    #expect(!text(1, 2, columns: 80, title: "a\u{1B}[2J").contains("\u{1B}"))
  }
}
