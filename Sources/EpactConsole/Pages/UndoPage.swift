// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
package import Epact

extension UndoOutcome {
  /// The maximum number of passed runs that are shown.
  private static var runLimit: Int { 10 }

  /// The changes as phrases, without zero counts.
  func phrases(_ summary: RunSummary) -> [String] {
    summary.phrases(downloaded: "put back here")
  }

  /// The lines about runs that the undo passes over.
  package var passedLines: [ConsoleText] {
    passed.prefix(Self.runLimit).map { run in
      let reason =
        !run.isChoice
        ? "nothing of it is left here"
        : run.summary.downloaded == 0
          ? "the choice of a conflict, which wrote nothing here"
          : "the choice of a conflict; the copy of the other version stays"
      return "passes over run \(run.id.rawValue) (\(RunText(run).sync)): \(reason)"
    }
  }

  /// The lines about items that differ afterwards, or that only one side has.
  package func effectLines(_ remedies: any Remedies) -> [ConsoleText] {
    let command = remedies.conflicts(of: nil)
    let differing: [ConsoleText] =
      switch apart {
      case ...0: []
      case 1: ["1 item now differs between the sides and waits for a choice: \(command)"]
      default:
        ["\(Count(apart, "item")) now differ between the sides and wait for a choice: \(command)"]
      }
    let source = direction == .pull ? "of the remote" : "of the local calendar"
    let replaced: [ConsoleText] =
      overruled == 0
      ? []
      : [
        "\(Count(overruled, "item")) now \(overruled == 1 ? "differs" : "differ") between the sides: "
          + "the next sync takes the version \(source) again"
      ]
    let sides: [(MergeSide, String, String)] = [
      (.local, "here", "to the remote"), (.remote, "on the remote", "here"),
    ]
    return differing + replaced
      + sides.compactMap { side, place, other in
        alone[side].map { count in
          let (verb, them, they) =
            count == 1 ? ("is", "it", "it is") : ("are", "them", "they are")
          return "\(Count(count, "item")) \(verb) still \(place): the next sync adds \(them) "
            + "\(other) again, unless \(they) deleted \(place)"
        }
      }
  }
}
