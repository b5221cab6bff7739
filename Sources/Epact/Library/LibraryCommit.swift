// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
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
    let feeds = catalogue.feeds(of: calendar)
    if feeds.isEmpty, let sync = catalogue.syncs(of: calendar).first {
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
    guard !calendar.isReadOnly || !feeds.isEmpty else {
      throw LibraryError(
        .readOnly, subject: calendar.id, "the calendar \"\(calendar.title)\" is read-only")
    }
    try configuration?.removeFeeds(feeds)
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
    guard !isNew || !library.hasItem(item.uid, in: calendar) else {
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

  /// Writes all files, and records the changes of items if there is a recorder.
  ///
  /// - Returns: The number of the run; nil without a recorder.
  /// - Throws: `LibraryError`.
  @discardableResult
  func run(_ recorder: ChangeRecorder? = nil) throws -> RunID? {
    for folder in newFolders { try LibraryError.describing { try make(folder) } }
    let run: RunID?
    do {
      run = try write(recorder)
    } catch {
      for folder in newFolders.reversed() { _ = unsafe rmdir(folder) }
      throw LibraryError(describing: error)
    }
    // Files that are not items stay in the folder.
    for change in changes.values where change.isRemoved {
      _ = unsafe rmdir(change.location.path)
    }
    return run
  }

  private func make(_ folder: String) throws {
    _ = try FolderCalendar(path: folder, for: .creating)
  }

  private func write(_ recorder: ChangeRecorder?) throws -> RunID? {
    var replacements: [FileReplacement] = []
    for id in changes.keys.sorted() {
      guard let change = changes[id] else { continue }
      if !change.items.isEmpty {
        let calendar = try LocalCalendars.openEditable(
          path: change.location.path, for: .writing, knowing: library.machine.knownNames)
        replacements += try calendar.replacements(for: change.items)
      }
      replacements += try properties(of: change)
    }
    if let configuration, !configuration.isEmpty {
      replacements.append(
        FileReplacement(
          path: configuration.path, expected: configuration.before.map { Revision(of: $0) },
          contents: configuration.text.bytes))
      try PrivateFolder.make(CalendarLocation(path: configuration.path).folder)
    }
    do {
      if let recorder { return try recorder.make(ChangeSet(intents, replacements)) }
      try library.batch.commit(replacements)
      return nil
    } catch let error as BatchError {
      throw LibraryError(describing: error, subject: subject(of: error.path))
    }
  }

  /// The changes of items, for the history.
  private var intents: [Intent] {
    edit.items.compactMap { item in
      guard item.base != nil || item.item != nil else { return nil }
      let action: Intent.Action =
        item.base == nil ? .createLocal : item.item == nil ? .deleteLocal : .updateLocal
      return Intent(
        uid: item.uid, action: action, content: item.item?.serialized(forStorage: true),
        fingerprint: item.item?.fingerprint, before: item.base?.item.serialized(),
        href: changes[item.calendar].map { Href($0.location.path) }, etag: nil)
    }
  }

  /// The files with the name and the color of a calendar that change.
  private func properties(of change: Changes) throws -> [FileReplacement] {
    guard !change.location.isFile else { return [] }
    return try CollectionProperty.allCases.compactMap { property in
      let value = change.properties[property].map { Array($0.utf8) }
      guard change.isRemoved || value != nil else { return nil }
      let path = change.location.path + "/" + FolderProperties.name(of: property)
      let before = try bytes(at: path)
      guard before != value else { return nil }
      return FileReplacement(
        path: path, expected: before.map { Revision(of: $0) }, contents: value)
    }
  }

  private func bytes(at path: String) throws -> [UInt8]? {
    do {
      var stream = try InputStream(path: path)
      return try stream.readAll(limit: 2 * CollectionProperty.sizeLimit)
    } catch let error as SystemError where error.code == ENOENT {
      return nil
    }
  }

  /// The UID of the item in a file, or else the path.
  private func subject(of path: String) -> String {
    let item = edit.items.first { item in
      let name = item.base?.name ?? ItemName(of: item.uid).rawValue
      return changes[item.calendar].map { "\($0.location.path)/\(name)" } == path
    }
    return item?.uid.rawValue ?? path
  }
}
