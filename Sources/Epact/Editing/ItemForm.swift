// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
import CivilTime

/// The text of an item for an editor: one value a line, and the note at the end.
///
/// ```
/// title: Lunch with Ana
/// when: Fri 2026-11-27 12:30-13:30
/// zone: Europe/Berlin
/// where: Café
/// repeat: weekly
/// alarms: 15m
/// note:
/// Bring the photos.
/// ```
///
/// Only changed lines change the item. An empty value removes a property, and a removed line keeps
/// it.
package struct ItemForm: Sendable {
  /// The maximum size of an edited text, in bytes.
  private static let sizeLimit = 1 << 20
  private static let noteMark = "note:"
  private static let mark: Character = "#"
  private static let errorMark = "# error: "

  private let card: ItemCard
  private let kind: ItemKind

  /// Creates the form of an item, or of a part of a series.
  package init(_ found: FoundItem, _ span: EditSpan, _ editor: LibraryEditor) {
    card = ItemCard(found, span, editor)
    kind = found.item.kind
  }

  /// The values of an edited form.
  package struct Values: Sendable {
    /// The changed values.
    package var details = ItemDetails()
    /// The name of another calendar; nil if it is unchanged.
    package var calendar: String?
  }

  private var fields: [ItemCard.Row] { card.rows.filter { $0.field != nil && $0.field != .note } }

  private var note: String { card.rows.first { $0.field == .note }?.text ?? "" }

  /// The text.
  package func text() -> String {
    var lines = [
      "# An empty value removes the property; a removed line keeps it.",
      "# Lines that begin with # before the note are ignored.",
    ]
    for row in fields {
      lines.append(row.formText.isEmpty ? "\(row.label):" : "\(row.label): \(row.formText)")
    }
    lines.append(Self.noteMark)
    if !note.isEmpty { lines.append(note) }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The lines that show an error before the text.
  package static func comment(_ error: EpactError) -> String {
    ([error.message] + error.details).map { errorMark + SafeText.escaped($0) + "\n" }.joined()
  }

  /// The edited text without the errors of an earlier attempt.
  package static func withoutErrors(_ bytes: [UInt8]) -> [UInt8] {
    var rest = bytes[...]
    while rest.starts(with: errorMark.utf8) {
      rest = (rest.firstIndex(of: 10)).map { rest[($0 + 1)...] } ?? []
    }
    return Array(rest)
  }

  /// The values that an edited text changes.
  ///
  /// - Throws: `EpactError` with the line of an invalid value.
  package func values(of bytes: [UInt8], _ dates: DateReading) throws(EpactError) -> Values {
    guard bytes.count <= Self.sizeLimit, let text = String(validating: bytes, as: UTF8.self) else {
      throw EpactError(.argument, "the edited text is too large or not UTF-8")
    }
    var values = Values()
    let lines = text.replacing("\r\n", with: "\n").split(
      separator: "\n", omittingEmptySubsequences: false)
    var rest = lines[...]
    while let line = rest.popFirst() {
      guard line.first != Self.mark, !line.allSatisfy(\.isWhitespace) else { continue }
      if line.hasPrefix(Self.noteMark) {
        takeNote([line.dropFirst(Self.noteMark.count)] + rest, &values)
        break
      }
      do throws(EpactError) {
        try take(line, &values, dates)
      } catch {
        let number = lines.count - rest.count
        throw EpactError(
          error.code, "line \(number): \(error.message)", details: error.details,
          remedy: error.remedy)
      }
    }
    return values
  }

  /// The maximum number of times that an invalid text is opened again.
  private static let attempts = 20

  /// Lets the user edit the text until it can be read and its values are accepted.
  ///
  /// - Parameters:
  ///   - edit: Opens a text in the user's editor, and returns the edited one.
  ///   - dates: Reads dates and times.
  ///   - accept: Makes the edit; for an error of an argument, the text is opened again.
  /// - Returns: The result of `accept`; nil if the text is not changed.
  /// - Throws: `EpactError` if the text is not corrected; the errors of `edit` and `accept`.
  package func edited<Result>(
    by edit: ([UInt8]) throws -> [UInt8], _ dates: DateReading, _ accept: (Values) throws -> Result
  ) throws -> Result? {
    let original = Array(text().utf8)
    var (text, problem): ([UInt8], [UInt8]?) = (original, nil)
    for _ in 0..<Self.attempts {
      let shown = (problem ?? []) + text
      let edited = try edit(shown)
      guard problem == nil || edited != shown else {
        throw EpactError(.argument, "the text was not corrected, and nothing was changed")
      }
      guard edited != original else { return nil }
      do {
        return try accept(try values(of: edited, dates))
      } catch let error as EpactError where error.code == .argument {
        problem = Array(Self.comment(error).utf8)
        text = Self.withoutErrors(edited)
      }
    }
    throw EpactError(.argument, "the text cannot be read, and nothing was changed")
  }

  private func takeNote(_ lines: [Substring], _ values: inout Values) {
    var text = lines.joined(separator: "\n")
    while text.first?.isNewline == true || text.first == " " { text.removeFirst() }
    while text.last?.isNewline == true { text.removeLast() }
    var before = note
    while before.last?.isNewline == true { before.removeLast() }
    if text != before { values.details.note = text }
  }

  private func take(
    _ line: Substring, _ values: inout Values, _ dates: DateReading
  ) throws(EpactError) {
    let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts[0].trimmed
    guard parts.count == 2, let row = fields.first(where: { $0.label == name }),
      let field = row.field
    else {
      let known = (fields.map(\.label) + ["note"]).joined(separator: ", ")
      throw EpactError(.argument, "expected one of \(known), found \"\(name)\"")
    }
    let text = parts[1].trimmed
    guard text != row.formText else { return }
    guard field != .calendar else {
      values.calendar = text
      return
    }
    try values.details.set(field, text, dates, anchor: anchor)
  }

  /// The anchor of alarms in the form: the due time of a reminder, if it has one.
  private var anchor: AlarmTrigger.Anchor {
    let due = fields.first { $0.field == .due }?.text ?? ""
    return kind == .reminder && !due.isEmpty ? .end : .start
  }
}

extension ItemDetails {
  /// Sets the value of a field in the form of an item.
  ///
  /// - Parameters:
  ///   - field: The field.
  ///   - text: The text; empty to remove the value.
  ///   - dates: Reads dates and repetitions.
  ///   - anchor: The anchor of alarms without one.
  /// - Throws: `EpactError` if the text is invalid.
  mutating func set(
    _ field: ItemCard.Row.Field, _ text: String, _ dates: DateReading,
    anchor: AlarmTrigger.Anchor = .start
  ) throws(EpactError) {
    switch field {
    case .title: title = text
    case .when, .start: start = try dates.newTime(text)
    case .due: end = try dates.newTime(text)
    case .zone: zone = text
    case .place: location = text
    case .repeat: repetition = try dates.repetition(text)
    case .alarms:
      let words = text.split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }
      var alarms: [AlarmTime] = []
      for word in words { alarms.append(try AlarmTime(parsing: word, anchor: anchor)) }
      self.alarms = alarms
    case .priority:
      guard let number = Priority.number(text) else {
        throw EpactError(
          .argument, "expected high, medium, low or a number from 0 through 9, found \"\(text)\"")
      }
      priority = number
    case .status:
      guard let status = ReminderStatus(word: text) else {
        throw EpactError(
          .argument, "expected open, started, done or cancelled, found \"\(text)\"")
      }
      self.status = status
    case .categories: categories = ItemDetails.categories(text)
    case .classification: classification = try Classification(word: text)
    case .url: url = text
    case .note: note = text
    case .calendar: break
    }
  }
}

extension ItemDetails {
  /// The categories of a text, which separates them by commas.
  package static func categories(_ text: String) -> [String] {
    text.split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }
  }
}

extension Substring {
  fileprivate var trimmed: String {
    var text = self
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}

extension LibraryEditor {
  /// The edit of an item by the values of its form, or its move to another calendar.
  ///
  /// - Throws: `EpactError` if both differ, or a value is invalid; `LibraryError`.
  package func changing(
    _ found: FoundItem, _ values: ItemForm.Values, _ part: EditSpan
  ) throws -> PreparedEdit {
    let edit = try changing(found, values.details, part)
    guard let name = values.calendar else { return edit }
    let calendar = try library.calendar(named: name)
    guard edit.isEmpty else {
      throw EpactError(
        .argument, "the calendar and other values cannot be changed at once; move the item first")
    }
    return try moving(found, to: calendar)
  }
}
