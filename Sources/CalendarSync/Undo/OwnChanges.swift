// SPDX-License-Identifier: Apache-2.0

/// The user's own changes in the history: what an undo takes back next, and what a redo.
///
/// Own changes are the runs of edits and imports, the choices between the versions of conflicts, and
/// the changes of calendars as a whole, which no undo takes back. A change that could not be taken
/// back counts as undone, so that the next undo goes further back.
/// The other runs of syncs carry changes of both sides, and are undone only by their numbers. The
/// order is that of the runs:
///
/// | run | is the undo of | `done` | `undone` |
/// |---|---|---|---|
/// | 1 | | 1 | |
/// | 2 | | 2, 1 | |
/// | 3 | 2 | 1 | 3 |
/// | 4 | 1 | | 4, 3 |
/// | 5 | 4 | 5 | 3 |
/// | 6 | 3 | 6, 5 | |
/// | 7 | 6 | 5 | 7 |
/// | 8 | | 8, 5 | |
///
/// Run 3 is an undo, run 5 a redo: it undoes an undo, and is a change in effect again. A new change,
/// such as run 8, ends the possibility of a redo.
public struct OwnChanges: Hashable, Sendable {
  /// The changes in effect, the last one first.
  public private(set) var done: [RunID] = []
  /// The undos that a redo can take back, the last one first.
  public private(set) var undone: [RunID] = []

  /// Finds the own changes of a history.
  ///
  /// The undo of a run that the history does not hold any more is left out: whether it was an undo or
  /// a redo is unknown.
  ///
  /// - Parameter runs: The runs that changed something, in any order.
  public init(_ runs: some Sequence<PastRun>) {
    // The last one is at the end while the runs are read.
    for run in runs.sorted(by: { $0.id.rawValue < $1.id.rawValue }) {
      guard let earlier = run.undoes else {
        guard run.isOwn else { continue }
        done.append(run.id)
        undone = []
        continue
      }
      if let index = done.lastIndex(of: earlier) {
        done.remove(at: index)
        undone.append(run.id)
      } else if let index = undone.lastIndex(of: earlier) {
        undone.remove(at: index)
        done.append(run.id)
      }
    }
    done.reverse()
    undone.reverse()
  }
}

extension PastRun {
  /// Whether the run is a change of the user's: an edit, an import, a change of a calendar, or the
  /// choice of a version.
  package var isOwn: Bool { isChoice || binding?.isLocal == true }
}
