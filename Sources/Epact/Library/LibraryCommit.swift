// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import Glibc

/// One commit: checks an edit, and writes all files of it.
struct LibraryCommit {
  /// The changes in the folder or the file of a calendar.
  private struct Changes {
    let calendar: String
    let location: CalendarLocation
    var items: [LocalChange] = []
    var properties: [CollectionProperty: String] = [:]
    /// Whether the properties and the folder are removed.
    var isRemoved = false
  }

  private let edit: LibraryEdit
  private let library: CalendarLibrary
  private let catalogue: LibraryCatalogue
  /// The changes by the identifier of the calendar.
  private var changes: [String: Changes] = [:]
  private var configuration: ConfigurationEdit?
  private var newFolders: [String] = []

  /// Checks an edit.
  ///
  /// - Throws: `LibraryError`.
  init(_ edit: LibraryEdit, of library: CalendarLibrary) throws {
    self.edit = edit
    self.library = library
    catalogue = try library.catalogue()
    let isConfigured = edit.calendars.contains { change in
      if case .update(_, _, _, nil) = change { false } else { true }
    }
    if isConfigured {
      configuration = try LibraryError.describing {
        try ConfigurationEdit(
          of: library.file, catalogue.configuration, machine: library.machine)
      }
    }
    for change in edit.calendars { try add(change) }
    try addItems()
    try configuration?.validate()
  }

  // MARK: Checks

  private mutating func add(_ change: LibraryEdit.Calendar) throws {
    switch change {
    case .create(let new):
      guard FileMode(new.path) == nil else {
        throw LibraryError(
          .changedMeanwhile, subject: new.id, "there is a folder \(new.path) by now")
      }
      try configuration?.add(new)
      newFolders.append(new.path)
      changes[new.id] = Changes(
        calendar: new.id, location: CalendarLocation(path: new.path, name: new.name))
      try set(title: new.title, color: new.color, of: new.id)
    case .update(let id, let title, let color, let kinds):
      let calendar = try catalogue.calendar(id)
      if title != nil || color != nil {
        guard !calendar.isImmutable else {
          throw LibraryError(
            .unsupported, subject: id,
            "the calendar \"\(calendar.title)\" is one file, which has no place for a title or a "
              + "color")
        }
        note(calendar)
        try set(title: title, color: color, of: id)
      }
      if let kinds { try configuration?.set(kinds, of: calendar.name) }
    case .remove(let id): try remove(try catalogue.calendar(id))
    }
  }

  private mutating func note(_ calendar: CalendarInfo) {
    guard changes[calendar.id] == nil else { return }
    changes[calendar.id] = Changes(calendar: calendar.id, location: calendar.location)
  }

  private mutating func set(title: String?, color: String?, of id: String) throws(LibraryError) {
    if let title {
      guard let text = CollectionProperty.name.canonical(title), !text.utf8.contains(0),
        text.utf8.count <= CollectionProperty.sizeLimit
      else {
        throw LibraryError(.invalid, subject: id, "a calendar needs a title of at most 4096 bytes")
      }
      changes[id]?.properties[.name] = text
    }
    if let color {
      guard let color = HexColor(color) else {
        throw LibraryError(
          .invalid, subject: id, "expected a color of the form #RRGGBB, found \"\(color)\"")
      }
      changes[id]?.properties[.color] = color.text
    }
  }

  private mutating func remove(_ calendar: CalendarInfo) throws {
    if let sync = catalogue.syncs(of: calendar).first {
      throw LibraryError(
        .unsupported, subject: calendar.id,
        "the calendar \"\(calendar.title)\" is used by the sync \"\(sync.name)\"; remove that from "
          + "the configuration first")
    }
    guard !calendar.isImmutable else {
      throw LibraryError(
        .unsupported, subject: calendar.id,
        "the calendar \"\(calendar.title)\" is one file; delete it, and its table in the "
          + "configuration")
    }
    guard !calendar.isReadOnly else {
      throw LibraryError(
        .readOnly, subject: calendar.id, "the calendar \"\(calendar.title)\" is read-only")
    }
    try configuration?.remove(calendar.name)
    note(calendar)
    changes[calendar.id]?.isRemoved = true
  }

  private mutating func addItems() throws {
    var bases: [String: [UID: LocalEntry]] = [:]
    var seen: Set<String> = []
    for item in edit.items {
      guard let change = item.change else { continue }
      guard seen.insert("\(item.calendar)\0\(item.uid)").inserted else {
        throw LibraryError(
          .invalid, subject: item.uid.rawValue, "two changes of the item \(item.uid)")
      }
      guard item.item.map({ $0.uid == item.uid }) ?? true,
        item.base.map({ $0.item.uid == item.uid }) ?? true
      else {
        throw LibraryError(
          .invalid, subject: item.uid.rawValue, "the UID of the item \(item.uid) cannot change")
      }
      if changes[item.calendar]?.isRemoved == true {
        guard item.item == nil else {
          throw LibraryError(
            .invalid, subject: item.uid.rawValue, "the calendar of \(item.uid) is removed")
        }
        bases[item.calendar, default: [:]][item.uid] = item.base
        continue
      }
      if changes[item.calendar].map({ newFolders.contains($0.location.path) }) != true {
        try check(item)
      }
      changes[item.calendar]?.items.append(change)
    }
    for id in changes.keys.sorted() where changes[id]?.isRemoved == true {
      try addDeletions(in: id, bases[id] ?? [:])
    }
  }

  /// Checks the change of an item in an existing calendar.
  private mutating func check(_ item: LibraryEdit.Item) throws {
    let calendar = try catalogue.calendar(item.calendar)
    let isNew = item.base == nil
    try library.check(isNew ? item.item.map { [$0.kind] } ?? [] : [], for: calendar)
    // The file of the item may have another name than that of a new one.
    guard !isNew || library.lastEntry(item.uid, in: calendar) == nil else {
      throw LibraryError(
        .changedMeanwhile, subject: item.uid.rawValue,
        "the calendar \"\(calendar.title)\" has an item \(item.uid) by now")
    }
    note(calendar)
  }

  /// Removes all items of a calendar; those of the edit must be unchanged.
  private mutating func addDeletions(in id: String, _ bases: [UID: LocalEntry]) throws {
    let contents = try library.contents(of: try catalogue.calendar(id))
    guard bases.keys.allSatisfy({ contents.entries[$0] != nil }) else {
      throw LibraryError(.changedMeanwhile, subject: id, "an item was removed meanwhile")
    }
    changes[id]?.items = contents.entries.values.sorted { $0.name < $1.name }.map { entry in
      let entry = bases[entry.item.uid] ?? entry
      return .delete(name: entry.name, from: entry.revision)
    }
  }

  // MARK: Writing

  /// Writes all files.
  ///
  /// - Throws: `LibraryError`.
  func run() throws {
    for folder in newFolders { try LibraryError.describing { try make(folder) } }
    do {
      try write()
    } catch {
      for folder in newFolders.reversed() { _ = unsafe rmdir(folder) }
      throw LibraryError(describing: error)
    }
    // Files that are not items stay in the folder.
    for change in changes.values where change.isRemoved {
      _ = unsafe rmdir(change.location.path)
    }
  }

  private func make(_ folder: String) throws {
    _ = try FolderCalendar(path: folder, for: .creating)
  }

  private func write() throws {
    for id in changes.keys.sorted() {
      guard let change = changes[id] else { continue }
      let outcomes: [LocalOutcome] =
        if change.location.isFile {
          try FileCalendar(path: change.location.path, for: .writing).apply(change.items)
        } else {
          try FolderCalendar(path: change.location.path, for: .writing).apply(change.items)
        }
      for outcome in outcomes {
        switch outcome {
        case .done: break
        case .conditionFailed:
          throw LibraryError(.changedMeanwhile, subject: id, "an item was changed meanwhile")
        case .failed(let reason): throw LibraryError(.failed, subject: id, reason)
        case .unavailable(let reason): throw LibraryError(.unavailable, subject: id, reason)
        }
      }
      guard !change.location.isFile else { continue }
      let folder = try FolderCalendar(path: change.location.path, for: .writing)
      let properties = change.isRemoved ? CollectionProperty.allCases : [.name, .color]
      for property in properties where change.isRemoved || change.properties[property] != nil {
        _ = try folder.folderProperties.set(property, to: change.properties[property])
      }
    }
    guard let configuration, !configuration.isEmpty else { return }
    try AtomicFile.write(
      configuration.text.bytes, to: configuration.path,
      permissions: configuration.before == nil ? .secret : .shared)
  }
}
