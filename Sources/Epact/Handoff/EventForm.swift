// SPDX-License-Identifier: Apache-2.0

import CalendarLanguage
package import CalendarModel
import CivilTime

/// The form of an event: its values as texts, and the changes that edited texts make.
///
/// Only a changed value changes the event. An empty value removes a property.
package struct EventForm: Sendable {
  /// A text of the form.
  package enum Field: String, Hashable, Sendable, CaseIterable {
    case title, start, end, zone
    case place = "where"
    case repetition = "repeat"
    case alarms, note

    /// The value of the event's card; nil for the times, which a card has as one text.
    fileprivate var row: ItemCard.Row.Field? {
      switch self {
      case .title: .title
      case .place: .place
      case .repetition: .repeat
      case .alarms: .alarms
      case .note: .note
      case .start, .end, .zone: nil
      }
    }
  }

  /// The values of a form.
  package struct Values: Hashable, Sendable {
    private var texts: [Field: String] = [:]
    /// Whether the event has whole days; the last one is included.
    package var isAllDay = false

    /// The text of a field; empty for none.
    package subscript(field: Field) -> String {
      get { texts[field] ?? "" }
      set { texts[field] = newValue }
    }
  }

  /// The invalid values of a form, each with its error.
  package struct Problems: Error, Sendable {
    /// The errors.
    package fileprivate(set) var errors: [Field: EpactError] = [:]

    /// Creates a value without errors.
    package init() {}
  }

  /// The values of the event.
  package private(set) var values = Values()
  private let editor: LibraryEditor
  private let start: EventTime?

  /// Creates the form of an event, or of a part of a series.
  package init(_ found: FoundItem, _ span: EditSpan, _ editor: LibraryEditor) {
    self.editor = editor
    let occurrence: EventTime? =
      switch span {
      case .occurrence(let time), .future(let time): time
      case .all: nil
      }
    let event = editor.component(of: found.item, at: occurrence).map { Event($0) } ?? Event()
    start = event.start
    let rows = ItemCard(found, span, editor).rows
    for field in Field.allCases {
      guard let row = field.row else { continue }
      values[field] = rows.first { $0.field == row }?.formText ?? ""
    }
    values.isAllDay = event.start?.isAllDay ?? false
    takeTimes(of: event, editor.times(of: found.item, zone: nil))
  }

  private mutating func takeTimes(of event: Event, _ times: TimeWriting) {
    guard let start = event.start else { return }
    let when = WhenText(viewer: editor.viewer)
    values[.start] = when.text(when.moment(start))
    let last = times.time(of: event.end, from: start)
    switch (start, last) {
    case (.date, .date(let end)?):
      values[.end] = when.text(.date(end.adding(days: -1) ?? end))
    case (.date, _): values[.end] = values[.start]
    case (_, let end?) where end != start:
      values[.end] =
        when.foreignEnd(event.end, from: start, times) ?? when.text(when.moment(end))
    default: break
    }
    switch start {
    case .zoned(_, let tzID): values[.zone] = tzID
    case .utc: values[.zone] = editor.viewer.name
    case .floating: values[.zone] = TimeWriting.floating
    case .date: break
    }
  }

  // MARK: Reading

  /// The fields in the order in which they are read; times depend on each other.
  private static let order: [Field] = [.title, .start, .place, .repetition, .alarms, .note]

  /// Reads edited values, and applies the changes.
  ///
  /// - Parameters:
  ///   - new: The values.
  ///   - dates: Reads dates and repetitions.
  ///   - apply: Makes a result of changes, or throws an error of an argument. It is called several
  ///     times, to find the field of an error, and therefore writes nothing.
  /// - Returns: The result of all changes.
  /// - Throws: ``Problems`` with all invalid values; other errors of `apply`.
  package func result<Result>(
    of new: Values, _ dates: DateReading, _ apply: (ItemDetails) throws -> Result
  ) throws -> Result {
    var (details, problems) = (ItemDetails(), Problems())
    for field in Self.order {
      do {
        for step in try steps(field, new, dates, after: details) {
          try Self.naming(step.field) { _ = try apply(step.details) }
          details = step.details
        }
      } catch let error as FieldError {
        problems.errors[error.field] = error.error
      }
    }
    guard problems.errors.isEmpty else { throw problems }
    return try apply(details)
  }

  /// The changes up to a field, whose error is the one of the field.
  private struct Step {
    let field: Field
    let details: ItemDetails
  }

  private struct FieldError: Error {
    let field: Field
    let error: EpactError
  }

  private static func naming<Result>(
    _ field: Field, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as EpactError where error.code == .argument {
      throw FieldError(field: field, error: error)
    }
  }

  private func steps(
    _ field: Field, _ new: Values, _ dates: DateReading, after details: ItemDetails
  ) throws -> [Step] {
    guard let row = field.row else { return try timeSteps(new, dates, after: details) }
    guard new[field] != values[field] else { return [] }
    var details = details
    try Self.naming(field) { try details.set(row, new[field], dates) }
    return [Step(field: field, details: details)]
  }

  private func timeSteps(
    _ new: Values, _ dates: DateReading, after details: ItemDetails
  ) throws -> [Step] {
    guard !new[.start].isEmpty else {
      throw FieldError(field: .start, error: DetailsWriter.missingStart)
    }
    let isSwitched = new.isAllDay != values.isAllDay
    let changed = Set([Field.start, .end, .zone].filter { new[$0] != values[$0] })
    guard isSwitched || !changed.isEmpty else { return [] }
    guard !new.isAllDay else {
      // A whole day has no time zone.
      guard isSwitched || changed != [.zone] else { return [] }
      return [Step(field: .end, details: try days(new, dates, after: details))]
    }
    var (details, steps) = (details, [Step]())
    if changed.contains(.zone) {
      let zone = new[.zone].isEmpty ? editor.viewer.name : new[.zone]
      try Self.naming(.zone) { _ = try editor.times(of: nil, zone: zone).rules(for: nil) }
      details.zone = zone
    }
    if isSwitched || changed.contains(.start) {
      details.start = .phrase(try startPhrase(new[.start], dates))
      // Several whole days become times only with their end.
      if !isSwitched { steps.append(Step(field: .start, details: details)) }
    }
    // The last one of whole days is not the end of times.
    let isEndMeant = changed.contains(.end) || changed.contains(.start) && !isSwitched
    if isEndMeant, !new[.end].isEmpty {
      details.end = .phrase(try Self.naming(.end) { try dates.timePhrase(new[.end]) })
    }
    return steps + [Step(field: .end, details: details)]
  }

  private func startPhrase(_ text: String, _ dates: DateReading) throws -> TimePhrase {
    try Self.naming(.start) {
      let phrase = try dates.timePhrase(text)
      guard phrase.namesTime || start?.isAllDay == false else {
        throw EpactError(
          .argument,
          "expected a date with a time of day, such as \"tomorrow 12:30\", found "
            + "\"\(text)\"")
      }
      return phrase
    }
  }

  /// The changes of the times to whole days.
  private func days(
    _ new: Values, _ dates: DateReading, after details: ItemDetails
  ) throws -> ItemDetails {
    func date(of field: Field) throws -> CivilDate {
      switch try Self.naming(field, { try dates.moment(new[field]) }) {
      case .date(let date): return date
      case .local(let wall): return wall.date
      case .instant(let instant):
        guard let wall = editor.viewer.civil(at: instant) else { break }
        return wall.date
      }
      throw FieldError(
        field: field, error: EpactError(.argument, "expected a date, found \"\(new[field])\""))
    }
    let first = try date(of: .start)
    let last = new[.end].isEmpty ? first : try date(of: .end)
    guard first <= last, let end = last.adding(days: 1) else {
      throw FieldError(
        field: .end,
        error: EpactError(
          .argument, "expected the last day on or after the first one, found \"\(new[.end])\""))
    }
    var details = details
    (details.start, details.end) = (.date(first), .date(end))
    return details
  }
}
