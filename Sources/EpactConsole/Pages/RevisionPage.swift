// SPDX-License-Identifier: Apache-2.0

import CalendarModel
package import Epact

/// The lines of a changed item: what happened to it, and its new values below.
struct RevisionLines {
  private static let indent = "          "

  let lines: [ConsoleText]

  /// Formats a change.
  ///
  /// - Parameters:
  ///   - word: The kind of change, with its style.
  ///   - item: The title and the UID; between them stands the time.
  ///   - suffix: The text after the UID.
  ///   - values: The lines of the new values.
  init(
    _ word: (text: String, style: ConsoleText.Style?),
    _ item: (title: String, when: String, uid: UID), _ suffix: String, _ values: [String] = []
  ) {
    let head = DisplayWidth.padded(word.text, to: Self.indent.count)
    let time: ConsoleText = item.when.isEmpty ? "" : ", \(item.when)"
    lines =
      ["\(head, word.style)\(item.title)\(time) \("(\(item.uid))", .dim)\(suffix)"]
      + values.map { "\(Self.indent)\($0)" }
  }
}

extension LibraryEditor {
  /// The maximum number of items of an undo that are shown.
  private static var itemLimit: Int { 10 }

  /// The lines of the changes of an edit, of found items that do not change, and of a hint.
  package func lines(
    of edit: PreparedEdit, _ found: [FoundItem], _ hint: String?
  ) -> [ConsoleText] {
    let changes = edit.changes.filter { $0.kind != .removed }.flatMap { change in
      RevisionLines(
        change.kind.word, (change.title, when(change), change.uid),
        " in \(change.calendar.name)",
        words(for: change, of: edit).lines + partWords(for: change)
      ).lines
    }
    let unchanged = found.filter { item in
      !edit.changes.contains { $0.uid == item.item.uid }
    }
    return changes + unchanged.map(\.unchangedLine) + (hint.map { ["\($0)"] } ?? [])
  }

  /// The lines of the items of an undo.
  package func lines(of undo: UndoOutcome) -> [ConsoleText] {
    let lines = undo.items.prefix(Self.itemLimit).flatMap { item in
      RevisionLines(
        item.kind.word, (item.title, when(item), item.uid),
        item.calendar.map { " in \($0)" } ?? "",
        words(for: item).lines + partWords(for: item)
      ).lines
    }
    let rest = undo.items.count - Self.itemLimit
    return lines + (rest > 0 ? ["and \(Count(rest, "other item"))"] : [])
  }
}

extension LibraryEditor {
  /// The lines of a stored answer to an invitation.
  package func lines(
    of answer: InvitationAnswer, stored: ImportedItem, in calendar: String
  ) -> [ConsoleText] {
    // The user may have moved the event in the calendar.
    let item = stored.after ?? answer.invitation.item
    let time = when(item).isEmpty ? "" : ", \(when(item))"
    var values: [String] = []
    if let before = stored.before, let after = stored.after {
      values = updateWords(from: before, to: after)
    } else if answer.status != .declined {
      values = words(of: item).lines
    }
    values += [stored.after.flatMap { otherAnswers(in: $0, of: answer) }].compactMap(\.self)
    let status = answer.status.rawValue.lowercased()
    return ["Stored in \(calendar): \(item.title)\(time), \(status)."] + values.map { "  \($0)" }
  }
}

extension FoundItem {
  /// The line about an edit that changes nothing.
  package var unchangedLine: ConsoleText { "Nothing changes in \"\(item.title)\"." }
}

extension ItemRevision.Kind {
  fileprivate var word: (text: String, style: ConsoleText.Style?) {
    switch self {
    case .added, .copied, .completed, .restored: (rawValue, .green)
    case .deleted, .removed, .cancelled: (rawValue, .red)
    case .changed, .moved, .started, .reopened, .advanced: (rawValue, .yellow)
    }
  }
}
