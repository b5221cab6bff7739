// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Epact
import Hummingbird

/// `/item/CALENDAR/UID`: an item, and the forms that change, move and delete it.
struct ItemRoute: Sendable {
  let site: Site

  private struct Model: Sendable {
    struct Row: Sendable {
      let label: String
      let text: String
    }

    struct Field: Sendable {
      let label: String
      let name: String
      let value: String
    }

    struct Choice: Sendable {
      let name: String
      let title: String
    }

    let title: String
    let calendar: String
    let action: String
    let rows: [Row]
    let fields: [Field]
    let note: String
    let isSeries: Bool
    let canChange: Bool
    let targets: [Choice]
    let isReminder: Bool
  }

  func show(_ request: Request, _ context: PageContext) async throws -> Response {
    let (calendar, uid) = try Self.place(of: context)
    let model = try await Background.run { try self.model(of: uid, in: calendar) }
    return site.pages.page(model.title, "item", model, context)
  }

  /// Changes the item by a form.
  func change(_ request: Request, _ context: PageContext) async throws -> Response {
    let (calendar, uid) = try Self.place(of: context)
    let form = try await site.form(request, context)
    let site = site
    return try await site.perform("/", context) { desk in
      let found = try Self.found(uid, in: calendar, site)
      let span = try Self.span(form, of: found, desk)
      switch form["action"] {
      case "delete": return try desk.editor.deleting(found, span)
      case "move":
        return try desk.editor.moving(
          found, to: try desk.editor.library.calendar(named: form["target"]))
      case "done": return try desk.editor.setting(.completed, of: found)
      default:
        let text = Self.text(of: form, ItemCard(found, desk.editor))
        let values = try ItemForm(found, span, desk.editor).values(
          of: Array(text.utf8), desk.dates)
        return try desk.editor.changing(found, values, span)
      }
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
        .argument, "\"\(found.item.title)\" repeats: choose one occurrence, all from one on, or all")
    }
  }

  /// The text of the item's form, as an editor would return it.
  private static func text(of form: FormValues, _ card: ItemCard) -> String {
    var lines: [String] = []
    for row in card.rows where row.field != nil && row.field != .note && row.field != .calendar {
      let value = form["field-\(row.label)"].split(whereSeparator: \.isNewline)
        .joined(separator: " ")
      lines.append("\(row.label): \(value)")
    }
    return (lines + ["note:", form["note"]]).joined(separator: "\n") + "\n"
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
    else { throw Hummingbird.HTTPError(.notFound) }
    return FoundItem(calendar: calendar, entry: entry)
  }

  private func model(of uid: UID, in name: String) throws -> Model {
    let desk = try Desk(site)
    let found = try Self.found(uid, in: name, site)
    let card = ItemCard(found, desk.editor)
    let canChange = !found.calendar.isReadOnly
    let fields = card.rows.filter {
      $0.field != nil && $0.field != .note && $0.field != .calendar
    }
    let others = try site.library.calendars().filter {
      !$0.isReadOnly && $0.kinds.contains(found.item.kind) && $0.name != name
    }
    return Model(
      title: ShortText(card.title).text, calendar: ShortText(found.calendar.title).text,
      action: "/item/\(PathText.escaped(name))/\(PathText.escaped(uid.rawValue))",
      rows: card.rows.filter { !$0.text.isEmpty && $0.field != .title }.map {
        Model.Row(label: $0.label, text: ShortText($0.text, limit: ShortText.bodyLimit).text)
      },
      fields: fields.map {
        Model.Field(label: $0.label, name: "field-\($0.label)", value: $0.formText)
      },
      note: card.rows.first { $0.field == .note }?.text ?? "", isSeries: found.isSeries,
      canChange: canChange,
      targets: others.map { Model.Choice(name: $0.name, title: ShortText($0.title).text) },
      isReminder: found.item.kind == .reminder)
  }
}
