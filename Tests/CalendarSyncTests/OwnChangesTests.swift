// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import CivilTime
import Testing

/// What an undo takes back next, and what a redo, in a table of histories.
struct OwnChangesTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// The runs in order: `e` an edit, `i` an import, `s` a sync, `c` the choice of a conflict; a
    /// number is the undone run.
    let runs: [String]
    let done: [Int64]
    let undone: [Int64]
  }

  private static let cases = [
    Case(testDescription: "nothing", runs: [], done: [], undone: []),
    Case(
      testDescription: "changes, the last one first", runs: ["e", "i", "e"], done: [3, 2, 1],
      undone: []),
    Case(testDescription: "a sync is no own change", runs: ["e", "s"], done: [1], undone: []),
    Case(testDescription: "only syncs", runs: ["s", "s"], done: [], undone: []),
    Case(
      testDescription: "an undone sync is no own change", runs: ["e", "s", "s2"], done: [1],
      undone: []),
    Case(testDescription: "an undo", runs: ["e", "e", "e2"], done: [1], undone: [3]),
    Case(
      testDescription: "a further undo goes further back", runs: ["e", "e", "e2", "e1"], done: [],
      undone: [4, 3]),
    Case(testDescription: "a redo", runs: ["e", "e", "e2", "e1", "e4"], done: [5], undone: [3]),
    Case(
      testDescription: "two redos", runs: ["e", "e", "e2", "e1", "e4", "e3"], done: [6, 5],
      undone: []),
    Case(
      testDescription: "the undo of a redo", runs: ["e", "e1", "e2", "e3"], done: [], undone: [4]),
    Case(
      testDescription: "a redo of that undo", runs: ["e", "e1", "e2", "e3", "e4"], done: [5],
      undone: []),
    Case(
      testDescription: "a new change ends the redo", runs: ["e", "e1", "e"], done: [3], undone: []),
    Case(
      testDescription: "syncs in between end nothing", runs: ["e", "s", "e1", "s"], done: [],
      undone: [3]),
    Case(
      testDescription: "an earlier change by its number", runs: ["e", "e", "e", "e1"],
      done: [3, 2], undone: [4]),
    Case(
      testDescription: "an earlier undo by its number", runs: ["e", "e", "e2", "e1", "e3"],
      done: [5], undone: [4]),
    Case(testDescription: "an import", runs: ["i", "e", "e2", "i1"], done: [], undone: [4, 3]),
    Case(
      testDescription: "a choice is an own change", runs: ["e", "s", "c", "s"], done: [3, 1],
      undone: []),
    Case(
      testDescription: "the undo of a choice", runs: ["e", "s", "c", "s", "s3"], done: [1],
      undone: [5]),
    Case(
      testDescription: "the redo of a choice", runs: ["e", "c", "s2", "s", "s3"], done: [5, 1],
      undone: []),
    Case(
      testDescription: "a choice ends the redo", runs: ["e", "e1", "c"], done: [3], undone: []),
    Case(
      testDescription: "the undo of a forgotten run", runs: ["e", "e99"], done: [1], undone: []),
  ]

  @Test(arguments: cases)
  func changes(in history: Case) {
    let runs = zip(1..., history.runs).map { number, text in
      let binding: SyncBinding =
        switch text.first {
        case "e": .edits
        case "i": .imports(into: "/home/ada/calendar")
        default:
          SyncBinding(
            name: "home", local: "/home/ada/calendar",
            remote: RemoteIdentity(kind: "folder", location: "/disk"))
        }
      var run = PastRun(
        id: RunID(Int64(number)), sync: binding.name, binding: binding,
        startedAt: Instant(secondsSinceEpoch: 0), endedAt: nil, summary: RunSummary(),
        undoes: Int64(text.dropFirst()).map { RunID($0) })
      run.isChoice = text == "c"
      return run
    }
    for runs in [runs, runs.reversed()] {
      let changes = OwnChanges(runs)
      #expect(changes.done == history.done.map { RunID($0) })
      #expect(changes.undone == history.undone.map { RunID($0) })
    }
  }
}
