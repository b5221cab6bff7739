// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarRemotes
import CalendarStore
import CalendarSync

/// The calendars of a configuration, with what a person wants to know about each.
package struct CalendarList: Sendable {
  /// A calendar.
  package struct Entry: Sendable {
    /// The name in the configuration, or that of a calendar of an account.
    package let name: String
    /// The title, or else the name.
    package let title: String
    /// The colour as `#RRGGBB`, or nil.
    package let color: String?
    /// The kinds of new items, as component names in order.
    package let kinds: [String]
    /// Whether items cannot be added or changed, such as by the privileges on the server.
    package let isReadOnly: Bool
    /// The number of items; nil if the folder does not exist, or if the items are in the ledger.
    package let items: Int?
    /// The names of the syncs that use it.
    package let syncs: [String]
    /// The path of the folder or the file.
    package let path: String

    /// Why there is no number of items.
    package var absence: String {
      LocalCalendars.databaseName(at: path) == nil ? "not there" : "in the ledger"
    }
  }

  /// The calendars in order of name.
  package let entries: [Entry]

  /// Reads the calendars of a library.
  ///
  /// - Throws: `LibraryError` if the configuration is invalid or a calendar cannot be read.
  package init(of library: CalendarLibrary, in configuration: Configuration) throws {
    let found = Dictionary(try library.calendars().map { ($0.name, $0) }) { first, _ in first }
    entries = try configuration.calendars.values.sorted { $0.name < $1.name }.map { settings in
      let info = found[settings.name]
      return Entry(
        name: settings.name, title: info?.title ?? settings.name, color: info?.color,
        kinds: settings.kinds.map(\.rawValue).sorted(),
        isReadOnly: info?.isReadOnly ?? settings.isReadOnly,
        items: try info.map { try library.itemCount(of: $0) },
        syncs: configuration.syncs.filter { $0.calendar == settings.name }.map(\.name),
        path: settings.path)
    }
  }

  /// The JSON representation.
  package var json: JSONValue {
    let calendars = entries.map { entry -> JSONValue in
      [
        "name": .string(entry.name), "title": .string(entry.title),
        "color": JSONValue(entry.color), "kinds": .array(entry.kinds.map(JSONValue.string)),
        "readOnly": .bool(entry.isReadOnly), "items": entry.items.map(JSONValue.integer) ?? .null,
        "syncs": .array(entry.syncs.map(JSONValue.string)), "path": .string(entry.path),
      ]
    }
    return ["calendars": .array(calendars)]
  }
}

extension AccountCalendars.Listing {
  /// The JSON representation.
  package var json: JSONValue {
    let calendars = entries.map { entries in
      entries.map { entry -> JSONValue in
        [
          "name": .string(entry.name), "title": JSONValue(entry.title), "here": .bool(entry.isHere),
          "there": .bool(entry.isThere), "readOnly": .bool(entry.isReadOnly),
          "state": .string(entry.state.rawValue), "complaint": JSONValue(entry.complaint),
        ]
      }
    }
    return [
      "sync": .string(sync), "calendars": calendars.map(JSONValue.array) ?? .null,
      "subscriptions": .array(
        subscriptions.map { ["title": .string($0.title), "feed": JSONValue($0.feed)] }),
      "error": JSONValue(error?.text),
    ]
  }
}

extension CalendarLibrary {
  /// Creates a calendar in an account, or on this computer only.
  ///
  /// - Parameters:
  ///   - name: The name of the folder.
  ///   - sync: The sync of the account; nil for none.
  ///   - title: The name for people, or nil.
  ///   - color: The colour as `#RRGGBB`, or nil.
  /// - Returns: The name of the new calendar.
  /// - Throws: `EpactError`, `LibraryError` or `StoreError` if it cannot be created.
  package func createCalendar(
    _ name: String, in sync: String?, title: String?, color: String?
  ) async throws -> String {
    if let color, HexColor(color) == nil {
      throw EpactError(.argument, "expected a colour of the form #RRGGBB, found \"\(color)\"")
    }
    guard let sync else {
      var new = try newCalendar(titled: name)
      try expectFree(new)
      if let title { new.title = title }
      new.color = color
      var edit = LibraryEdit()
      edit.calendars = [.create(new)]
      try commit(edit)
      try note(CalendarChange(.created, of: new.name))
      return new.name
    }
    var properties = CollectionProperties()
    properties[.name] = title
    properties[.color] = color
    let created = try await AccountCalendars(try configuration(), machine: machine)
      .create(name, in: sync, properties)
    try note(CalendarChange(.created, of: created))
    return created
  }

  /// Expects that a new calendar has the name that its title stands for, and no number behind it.
  ///
  /// - Throws: `EpactError` if a calendar or a folder has the name.
  private func expectFree(_ new: LibraryEdit.NewCalendar) throws {
    let name = CalendarInfo.plainName(new.title)
    guard new.name != name else { return }
    guard try configuration().calendars[name] == nil else {
      throw EpactError(
        .argument, "there is a calendar \"\(name)\" already", subject: name,
        remedy: .other("Choose another name."))
    }
    let folder = new.path.split(separator: "/").dropLast().joined(separator: "/")
    let path = machine.paths.written("/\(folder)/\(name)")
    throw EpactError(
      .argument, "there is a folder \(path) already, which is no calendar of the configuration",
      subject: path,
      remedy: .other(
        "To use it, add to the configuration: [calendar.\(name)] with path = \"\(path)\"."))
  }

  /// Changes the title or the colour of a calendar; the next sync sends it.
  ///
  /// - Returns: The name of the calendar.
  /// - Throws: `EpactError` if there is no such calendar; `LibraryError`.
  package func changeCalendar(
    _ name: String, title: String? = nil, color: String? = nil
  ) throws -> String {
    let calendar = try calendar(named: name)
    var edit = LibraryEdit()
    edit.calendars = [.update(id: calendar.id, title: title, color: color, kinds: nil)]
    try commit(edit)
    try note(CalendarChange(title == nil ? .colored : .renamed, of: calendar.name))
    return calendar.name
  }

  /// Removes a calendar that no sync uses, or the copy of a feed with its sync and its remote.
  ///
  /// - Returns: The number of items because of which it was not removed; 0 if it is gone.
  /// - Throws: `EpactError` if there is no such calendar; `LibraryError`.
  package func removeCalendar(_ name: String, withItems isWithItems: Bool) throws -> Int {
    let calendar = try calendar(named: name)
    let catalogue = try catalogue()
    let syncs = catalogue.syncs(of: calendar).map(\.name)
    let count = try itemCount(of: calendar)
    // A calendar that a sync uses is not removed at all, and the items of a feed stay in the feed.
    guard isWithItems || count == 0 || !syncs.isEmpty else { return count }
    var edit = LibraryEdit()
    edit.calendars = [.remove(id: calendar.id)]
    try commit(edit)
    try note(CalendarChange(.removed, of: calendar.name), ending: syncs)
    return 0
  }
}
