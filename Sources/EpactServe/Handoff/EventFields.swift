// SPDX-License-Identifier: Apache-2.0

import Epact

/// A field of an event's form as a page shows it, with the error of its value.
struct FieldModel: Sendable {
  /// The error beside a field.
  struct Fault: Sendable {
    let lines: [String]
  }

  let name: String
  let label: String
  let value: String
  var hint = ""
  /// The error; nil for a valid value.
  var error: Fault?
  // The kind of the field: templates see stored values only.
  var isLine = false
  var isText = false
  var isBox = false
  var isFixed = false
  var isChecked = false

  fileprivate init(_ name: String, _ label: String, _ value: String = "") {
    (self.name, self.label, self.value) = (name, label, value)
  }
}

/// The form of an event as fields of a page.
struct EventFields: Sendable {
  /// The maximum size of a text in the form, in bytes: a form has 64 KB, and up to three for each byte.
  private static let (lineLimit, noteLimit) = (1000, 8000)
  private static let allDay = "all-day"

  private let form: EventForm

  /// Creates the fields of a form.
  init(_ form: EventForm) {
    self.form = form
  }

  /// The fields with the values of the event, or with those that were typed.
  func models(
    _ values: EventForm.Values? = nil, _ problems: EventForm.Problems = EventForm.Problems()
  ) -> [FieldModel] {
    let values = values ?? form.values
    var models: [FieldModel] = []
    for field in EventForm.Field.allCases {
      var model = FieldModel(field.rawValue, Self.label(of: field), values[field])
      model.hint = Self.hint(of: field)
      model.error = problems.errors[field].map { FieldModel.Fault(lines: Self.lines(of: $0)) }
      (model.isLine, model.isText, model.isFixed) =
        !isOffered(field) ? (false, false, true) : (field != .note, field == .note, false)
      models.append(model)
      if field == .title {
        var box = FieldModel(Self.allDay, "all day")
        (box.isBox, box.isChecked) = (true, values.isAllDay)
        models.append(box)
      }
    }
    return models
  }

  /// The values that a browser sent; a text that was not changed is that of the event.
  func values(of sent: FormValues) -> EventForm.Values {
    var values = form.values
    for field in EventForm.Field.allCases where isOffered(field) {
      let (own, new) = (form.values[field], sent.exact(field.rawValue))
      let typed = new.replacing("\r\n", with: "\n").trimmed
      if typed != HTMLText.shown(own).trimmed { values[field] = typed }
    }
    values.isAllDay = !sent[Self.allDay].isEmpty
    return values
  }

  private func isOffered(_ field: EventForm.Field) -> Bool {
    form.values[field].utf8.count <= (field == .note ? Self.noteLimit : Self.lineLimit)
  }

  /// The lines of an error.
  static func lines(of error: any Error) -> [String] { Site.notice(of: error).lines }

  private static func label(of field: EventForm.Field) -> String {
    field == .zone ? "time zone" : field.rawValue
  }

  private static func hint(of field: EventForm.Field) -> String {
    switch field {
    case .start: "tomorrow 12:30"
    case .end: "13:30"
    case .zone: "Europe/Berlin"
    case .repetition: "every monday"
    case .alarms: "15m, 1d"
    case .title, .place, .note: ""
    }
  }
}

extension String {
  /// The text without the white space around it.
  fileprivate var trimmed: String {
    var text = self[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}

/// A value of an event that a page only shows.
struct RowModel: Sendable {
  let label: String
  let text: String

  /// The maximum number of rows.
  private static let limit = 200

  /// The values of a card that have a text, without some fields.
  static func models(
    of card: ItemCard, without fields: Set<ItemCard.Row.Field>, and labels: Set<String> = []
  ) -> [RowModel] {
    card.rows.filter { row in
      !row.text.isEmpty && !labels.contains(row.label)
        && !(row.field.map { fields.contains($0) } ?? false)
    }.prefix(limit).map {
      RowModel(label: $0.label, text: ShortText($0.text, limit: ShortText.bodyLimit).text)
    }
  }
}
