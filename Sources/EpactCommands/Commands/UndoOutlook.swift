// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import Epact

/// The final states of undone items, and the effect of the next sync on them.
struct UndoOutlook: Sendable {
  /// Whether the run was an import.
  private let isImport: Bool
  private var apart = 0
  private var alone: [MergeSide: Int] = [:]

  /// Creates an outlook without items.
  init(isImport: Bool) {
    self.isImport = isImport
  }

  /// The outlook with one more item.
  func adding(_ ending: PutBack.Ending) -> UndoOutlook {
    var outlook = self
    switch ending {
    case .agreed: break
    case .apart: outlook.apart += 1
    case .alone(let side): outlook.alone[side, default: 0] += 1
    }
    return outlook
  }

  /// The changes as phrases.
  func phrases(_ summary: RunSummary) -> [String] {
    isImport ? summary.phrases(downloaded: "put back here") : summary.phrases
  }

  /// Prints the effect of the next sync.
  func tell(_ console: Console) {
    guard !isImport else { return }
    if apart > 0 {
      let items: ConsoleText =
        apart == 1
        ? "1 item now differs between the sides and waits for a choice"
        : "\(Count(apart, "item")) now differ between the sides and wait for a choice"
      console.note("\(items): \(SuggestedCommand.conflicts())")
    }
    for (side, place, other) in [
      (MergeSide.local, "here", "to the remote"), (.remote, "on the remote", "here"),
    ] {
      guard let count = alone[side] else { continue }
      let (verb, them) = count == 1 ? ("is", "it") : ("are", "them")
      console.note(
        "\(Count(count, "item")) \(verb) still \(place): the next sync adds \(them) \(other) again, unless \(them == "it" ? "it is" : "they are") deleted \(place)"
      )
    }
  }
}
