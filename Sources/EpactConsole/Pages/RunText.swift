// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
package import CalendarSync
package import Epact

/// A past run as text.
package struct RunText: Sendable {
  private let run: PastRun
  /// Whether a run may be in progress.
  private let isBusy: Bool

  /// The name of the sync; "import" for an import and "edit" for an edit.
  package var sync: String {
    run.isEdit
      ? "edit" : change != nil ? "calendar" : place == nil ? SafeText.escaped(run.sync) : "import"
  }

  /// The change of a calendar as a whole, otherwise nil.
  private var change: CalendarChange? { run.binding?.calendarChange }

  /// The calendar of an import, otherwise nil.
  private var place: String? { run.importedCalendar }

  /// The title of the only item; nil if there are several, or if it is unknown.
  private let title: String?

  package init(_ run: PastRun, title: String? = nil, isBusy: Bool = false) {
    self.run = run
    self.title = title
    self.isBusy = isBusy
  }

  /// The lines of runs, with the titles of edits of one item.
  package static func lines(
    of runs: [PastRun], _ titles: [RunID: String], isBusy: Bool
  ) -> [ConsoleText] {
    let texts = runs.map { RunText($0, title: titles[$0.id], isBusy: isBusy) }
    let width = texts.map { DisplayWidth.of($0.sync) }.max() ?? 0
    return texts.map { $0.line(syncWidth: width) }
  }

  /// The lines of a run with all its changes.
  package static func lines(
    of changes: History.Changes, isBusy: Bool, _ form: NormalForm
  ) -> [ConsoleText] {
    [RunText(changes.run, isBusy: isBusy).line()]
      + changes.items.flatMap { [line($0)] + details(of: $0, form) }
      + changes.properties.map(line)
  }

  /// The number, the start time, the sync and the changes on one line.
  private func line(syncWidth: Int = 0) -> ConsoleText {
    let number = String(run.id.rawValue)
    let margin = String(repeating: " ", count: max(0, 4 - number.count))
    let name = DisplayWidth.padded(sync, to: syncWidth)
    return
      "\("\(margin)\(number)", .bold)  \(local: run.startedAt)  \(name)  "
      + "\(words.joined(separator: ", "))"
  }

  private var words: [String] {
    // An undo that was rejected changed nothing, and the undo of a choice writes nothing.
    let verb =
      run.summary.failed > 0 && !run.summary.hasChanges ? "could not take back" : "takes back"
    var words = run.undoes.map { ["\(verb) run \($0.rawValue)"] } ?? []
    if let change { words.append(SafeText.escaped(change.words)) }
    if run.isChoice { words.append("choice of a conflict") }
    words += run.summary.phrases(downloaded: run.written)
    if let title { words.append("\"\(SafeText.escaped(title))\"") }
    if let place { words.append("in \(SafeText.escaped(place))") }
    if run.endedAt == nil { words.append(isBusy ? "not finished" : "interrupted") }
    return words.isEmpty ? ["nothing to do"] : words
  }

  // MARK: What it did to an item

  /// The change of an item on one line.
  private static func line(_ line: JournalLine) -> ConsoleText {
    let move: ConsoleText = line.moved.map { ": moved, see \($0)" } ?? ""
    return
      "      \(line.action.pastPhrase) \(.item(line.title, line.uid))\(suffix(line.state) ?? move)"
  }

  /// The maximum number of lines of differences.
  private static let detailLimit = 40

  /// The differences made by a change, including values that lost by a conflict policy.
  private static func details(of line: JournalLine, _ form: NormalForm) -> [ConsoleText] {
    guard line.state != .givenUp, let before = line.before, let after = line.after else {
      return []
    }
    let versions = [before, after].map { try? CalendarItem(parsing: $0, normalForm: form) }
    return DifferencePage.lines(of: ItemComparison(versions, normalForm: form).rows)
      .map { "    \($0)" }.limited(to: detailLimit) { _ in "          …" }
  }

  /// The suffix for a change that is not known to be made.
  private static func suffix(_ state: JournalLine.State) -> ConsoleText? {
    switch state {
    case .done: nil
    case .givenUp: ": not made"
    case .pending: ": interrupted"
    }
  }
}

// MARK: What it did to a property of the calendar

extension RunText {
  /// The change of a property on one line.
  private static func line(_ line: PropertyLine) -> ConsoleText {
    let place = line.side == .local ? "here" : "on the remote"
    let before: ConsoleText = line.before.map { "from \"\($0)\" " } ?? ""
    let name = line.property.rawValue
    let words: ConsoleText =
      line.after.map { "set the \(name) of the calendar \(place) \(before)to \"\($0)\"" }
      ?? "removed the \(name) of the calendar \(place)\(line.before.map { ", \"\($0)\"" } ?? "")"
    return "      \(words)\(suffix(line.state) ?? "")"
  }
}
