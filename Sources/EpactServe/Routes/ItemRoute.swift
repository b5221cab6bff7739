// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Epact
import Hummingbird

/// `/item/CALENDAR/UID`: an item, and the forms that change, move and delete it.
struct ItemRoute: Sendable {
  /// The maximum number of values that are shown, such as attendees.
  private static let rowLimit = 200
  /// The maximum size in bytes of a value in the form, and of the note: the form has each value twice.
  private static let (valueLimit, noteLimit) = (1000, 8000)

  let site: Site

  private struct Model: Sendable {
    struct Row: Sendable {
      let label: String
      let text: String
    }

    struct Field: Sendable {
      let label: String
      var value: String
      /// The value that the item had when the form was made.
      var was: String
    }

    struct Choice: Sendable {
      let name: String
      let title: String
    }

    let title: String
    let calendar: String
    let action: String
    let rows: [Row]
    var fields: [Field]
    var note: String
    /// The note that the item had when the form was made.
    var wasNote: String
    /// Whether the note is short enough for the form.
    let hasNote: Bool
    /// Whether the part of the series has to be chosen first.
    let needsChoice: Bool
    /// The chosen part of a series in words; nil for other items.
    let part: String?
    let span: String
    let date: String
    let canChange: Bool
    let targets: [Choice]
    let isReminder: Bool
    /// The sentence about the mirror that made the item; nil for other items.
    let mirror: String?
    /// The reasons why the values of the form were not saved.
    var problems: [String] = []

    /// Shows what the user typed, and why it was not saved.
    mutating func take(_ form: FormValues, _ problems: [String]) {
      for place in fields.indices {
        fields[place].value = form.exact("field-\(fields[place].label)")
        fields[place].was = form.exact("was-\(fields[place].label)")
      }
      (note, wasNote) = (form.exact("note"), form.exact("was-note"))
      self.problems = problems
    }
  }

  func show(_ request: Request, _ context: PageContext) async throws -> Response {
    let (calendar, uid) = try Self.place(of: context)
    let query = request.query
    let model = try await Background.run { try self.model(of: uid, in: calendar, query) }
    return site.pages.page(model.title, "item", model, context)
  }

  /// Changes the item by a form.
  func change(_ request: Request, _ context: PageContext) async throws -> Response {
    let (calendar, uid) = try Self.place(of: context)
    let form = try await site.form(request, context)
    if form["action"] == "change",
      let refusal = try await refusal(of: form, uid, calendar, context)
    {
      return refusal
    }
    let site = site
    return try await site.perform("/", context) { desk in
      try Self.edit(form, of: uid, in: calendar, site, desk)
    }
  }

  /// The form once more, with what the user typed, if its values cannot be saved; nil if they can.
  private func refusal(
    of form: FormValues, _ uid: UID, _ calendar: String, _ context: PageContext
  ) async throws -> Response? {
    let model: Model? = try await Background.run {
      let desk = try Desk(site)
      let found = try Self.found(uid, in: calendar, site)
      let text = Self.text(of: form, ItemCard(found, desk.editor))
      guard !found.calendar.isReadOnly, !text.isEmpty else { return nil }
      do {
        _ = try Self.edit(form, of: uid, in: calendar, site, desk)
        return nil
      } catch let error as Hummingbird.HTTPError {
        throw error
      } catch {
        var model = try self.model(of: uid, in: calendar, form)
        model.take(form, Site.notice(of: error).lines.map { Self.named($0, in: text) })
        return model
      }
    }
    return model.map {
      site.pages.page($0.title, "item", $0, context, status: .unprocessableContent)
    }
  }

  /// A message about a line of the form's text, with the name of the field instead of the line.
  private static func named(_ message: String, in text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let colon = message.firstIndex(of: ":"), message.hasPrefix("line "),
      let number = Int(message[..<colon].dropFirst("line ".count)),
      lines.indices.contains(number - 1)
    else { return message }
    return String(lines[number - 1].prefix { $0 != ":" }) + message[colon...]
  }

  /// The edit of a form.
  private static func edit(
    _ form: FormValues, of uid: UID, in calendar: String, _ site: Site, _ desk: Desk
  ) throws -> PreparedEdit {
    let found = try found(uid, in: calendar, site)
    let span = try span(form, of: found, desk)
    switch form["action"] {
    case "delete": return try desk.editor.deleting(found, span)
    case "move":
      return try desk.editor.moving(
        found, to: try desk.editor.library.calendar(named: form["target"]))
    case "done": return try desk.editor.setting(.completed, of: found)
    default:
      let text = text(of: form, ItemCard(found, desk.editor))
      guard !text.isEmpty else { throw EpactError(.argument, "nothing was changed") }
      let values = try ItemForm(found, span, desk.editor).values(of: Array(text.utf8), desk.dates)
      return try desk.editor.changing(found, values, span)
    }
  }

  private static func span(
    _ form: FormValues, of found: FoundItem, _ desk: Desk
  ) throws -> EditSpan {
    guard found.isSeries else { return .all }
    let date = form["date"]
    switch form["span"] {
    case "this": return try desk.editor.span(desk.dates.this(date), of: found)
    case "future": return try desk.editor.span(desk.dates.future(date), of: found)
    case "all": return .all
    default:
      throw EpactError(
        .argument, "\"\(found.item.title)\" repeats: choose one occurrence, all from one on, or all"
      )
    }
  }

  /// The text of the item's form with the fields that the user changed; empty if there are none.
  ///
  /// The other fields keep what they have now, which may be newer than what the page showed.
  private static func text(of form: FormValues, _ card: ItemCard) -> String {
    func value(_ name: String) -> String {
      form[name].split(whereSeparator: \.isNewline).joined(separator: " ")
    }
    var lines: [String] = []
    for row in card.rows where row.field != nil && row.field != .note && row.field != .calendar {
      let new = value("field-\(row.label)")
      if new != value("was-\(row.label)") { lines.append("\(row.label): \(new)") }
    }
    let note = form["note"].replacing("\r\n", with: "\n")
    if note != form["was-note"].replacing("\r\n", with: "\n") { lines += ["note:", note] }
    return lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n"
  }

  /// The values of a part of an item.
  private static func card(of found: FoundItem, _ span: EditSpan, _ desk: Desk) -> ItemCard {
    switch span {
    case .all: ItemCard(found, desk.editor)
    case .occurrence(let time), .future(let time): ItemCard(found, at: time, desk.editor)
    }
  }

  private static func words(_ query: FormValues) -> String {
    switch query["span"] {
    case "this": "only the occurrence on \(query["date"])"
    case "future": "all occurrences from \(query["date"]) on"
    default: "all occurrences"
    }
  }

  private static func place(of context: PageContext) throws -> (calendar: String, uid: UID) {
    guard let calendar = context.parameters.get("calendar").flatMap(PathText.unescaped),
      let uid = context.parameters.get("uid").flatMap(PathText.unescaped)
    else { throw Hummingbird.HTTPError(.notFound) }
    return (calendar, UID(uid))
  }

  private static func found(_ uid: UID, in name: String, _ site: Site) throws -> FoundItem {
    guard let calendar = try site.library.calendars().first(where: { $0.name == name }),
      let entry = try site.library.entry(uid, of: calendar)
    else {
      throw Hummingbird.HTTPError(
        .notFound, message: "The item is gone. Nothing was changed.")
    }
    return FoundItem(calendar: calendar, entry: entry)
  }

  private func model(of uid: UID, in name: String, _ query: FormValues) throws -> Model {
    let desk = try Desk(site)
    let found = try Self.found(uid, in: name, site)
    let needsChoice = found.isSeries && query["span"].isEmpty
    let span = needsChoice ? .all : try Self.span(query, of: found, desk)
    let card = Self.card(of: found, span, desk)
    let canChange = !found.calendar.isReadOnly
    let fields = card.rows.filter {
      $0.field != nil && $0.field != .note && $0.field != .calendar
        && $0.formText.utf8.count <= Self.valueLimit
    }
    let note = card.rows.first { $0.field == .note }?.text ?? ""
    let hasNote = note.utf8.count <= Self.noteLimit
    let others = try site.library.calendars().filter {
      !$0.isReadOnly && $0.kinds.contains(found.item.kind) && $0.name != name
    }
    return Model(
      title: ShortText(card.title).text, calendar: ShortText(found.calendar.title).text,
      action: "/item/\(PathText.escaped(name))/\(PathText.escaped(uid.rawValue))",
      rows: card.rows.filter { !$0.text.isEmpty && $0.field != .title }.prefix(Self.rowLimit).map {
        Model.Row(label: $0.label, text: ShortText($0.text, limit: ShortText.bodyLimit).text)
      },
      fields: fields.map {
        Model.Field(label: $0.label, value: $0.formText, was: $0.formText)
      },
      note: hasNote ? note : "", wasNote: hasNote ? note : "", hasNote: hasNote,
      needsChoice: needsChoice,
      part: found.isSeries && !needsChoice ? Self.words(query) : nil, span: query["span"],
      date: query["date"], canChange: canChange,
      targets: others.map { Model.Choice(name: $0.name, title: ShortText($0.title).text) },
      isReminder: found.item.kind == .reminder, mirror: mirrorWords(uid, found.calendar))
  }

  /// The origin of a copy that a mirror made, and what becomes of an edit; nil for other items.
  private func mirrorWords(_ uid: UID, _ calendar: CalendarInfo) -> String? {
    guard let sync = site.library.mirror(of: uid, in: calendar),
      let mirror = (try? site.library.file.load())?.mirror(of: sync)
    else { return nil }
    let edit =
      switch mirror.onEdit {
      case .restore: "The next run of the mirror takes an edit of it back."
      case .release: "If it is edited, it no longer follows its original."
      }
    return "This is a copy that the mirror \"\(sync.name)\" made from "
      + "\(mirror.sources.joined(separator: ", ")). \(edit)"
  }
}
