// SPDX-License-Identifier: Apache-2.0

import CalendarModel
package import Epact
import ICalSyntax

/// The items of an import with their outcomes, and the totals.
package struct ImportReport: Report {
  /// The calendar as given on the command line; nil if there is none.
  private let label: String?
  private let isDryRun: Bool
  /// Whether items are collected for JSON instead of returned as lines.
  package let asJSON: Bool
  /// Describes the new values of updated items.
  private let editor: LibraryEditor
  /// The numbers of items.
  package var summary = ImportSummary()
  /// Whether a message was rejected that the user can confirm.
  package private(set) var hasUnconfirmed = false
  private var items: [JSONValue] = []
  private var diagnostics: [JSONValue] = []
  /// The number of updated items whose new values may still be described.
  private var descriptions = 10

  /// Creates an empty report.
  package init(into label: String?, isDryRun: Bool, asJSON: Bool, _ editor: LibraryEditor) {
    (self.label, self.isDryRun) = (label, isDryRun)
    (self.asJSON, self.editor) = (asJSON, editor)
  }

  /// Adds an event, and returns the lines about it; unchanged items are only counted.
  package mutating func take(_ event: ImportEvent, _ remedies: any Remedies) -> [Message] {
    switch event {
    case .unreadableEntry(let name, let reason):
      return [.warn("\(label ?? "")/\(name): \(reason)")]
    case .file(.diagnostic(let path, let diagnostic)) where asJSON:
      diagnostics.append(JSONValue(diagnostic, path: path))
      return []
    case .file(let event): return [event.message(remedies)]
    case .rejected(let path, let position):
      return asJSON ? [] : [.say("\("rejected  ", .red)\("\(path):\(position)")")]
    case .item(let item) where item.outcome == .unchanged: return []
    case .item(let item): return take(item).map { .say($0) }
    }
  }

  private mutating func take(_ item: ImportedItem) -> [ConsoleText] {
    if !item.concerns.isEmpty { hasUnconfirmed = true }
    guard !asJSON else {
      items.append(item.json)
      return []
    }
    var values: [String] = []
    if descriptions > 0, let before = item.before, let after = item.after {
      descriptions -= 1
      values = editor.updateWords(from: before, to: after)
    }
    return RevisionLines(
      (item.outcome.rawValue, item.outcome.style), (item.title, "", item.uid),
      item.reason.map { ": \($0)" } ?? "", values
    ).lines
  }

  package var status: ExitStatus { summary.outcome.status }

  package var json: JSONValue {
    .object(
      [.init("calendar", JSONValue(label)), .init("dryRun", .bool(isDryRun))] + summary.members + [
        .init("items", .array(items)), .init("diagnostics", .array(diagnostics)),
        .init("exit", status.json),
      ])
  }

  /// The totals.
  package var messages: [Message] {
    guard summary.calendarCount > 0 else { return [] }
    let numbers = ImportOutcome.allCases
      .filter { summary[$0] > 0 || $0 != .older && $0 != .noted }
      .map { "\(Count.grouped(summary[$0])) \($0.rawValue)" }
    let place = label.map { " into \($0)" } ?? ""
    let end = isDryRun ? "; nothing was written, because of --dry-run." : "."
    return [.say("\(numbers.joined(separator: ", "))\(place)\(end)")]
  }
}

extension ImportOutcome {
  fileprivate var style: ConsoleText.Style? {
    switch self {
    case .added: .green
    case .updated, .noted: .yellow
    case .unchanged, .older: .dim
    case .rejected: .red
    }
  }
}
