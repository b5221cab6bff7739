// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
import CalendarStore
public import CalendarSync

extension CalendarLibrary {
  /// Adds an item to a calendar without reading or listing the items in it.
  ///
  /// In a folder, the place of the item is taken if a file has the name that `ItemName` derives from
  /// the UID. In a calendar of one file, it is if an item has the UID.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - calendar: The calendar.
  /// - Returns: Whether the item was added, or its place was taken.
  /// - Throws: `LibraryError`; with the code `readOnly` for the copy of a feed.
  @discardableResult
  public func append(
    _ item: CalendarItem, to calendar: CalendarInfo
  ) throws -> AppendOutcome {
    try check([item.kind], for: calendar)
    return try LibraryError.describing(calendar.id) {
      guard calendar.location.isFile else {
        return try FolderAppender(path: calendar.location.path).append(item)
      }
      let file = try FileCalendar(path: calendar.location.path, for: .writing)
      let href = Href(item.uid.rawValue)
      switch try file.apply([.create(item)]).first {
      case .done?: return .added(href: href, etag: nil)
      case .failed(let reason)?, .unavailable(let reason)?:
        throw LibraryError(.failed, subject: item.uid.rawValue, reason)
      case .conditionFailed?, nil: return .alreadyPresent(href: href)
      }
    }
  }

  /// Adds items to calendars, all of them or none, without reading or listing the items in them.
  ///
  /// In a folder, each item gets the name that `ItemName` derives from its UID. A calendar of one
  /// file is read and written as a whole.
  ///
  /// - Parameter items: The items by their calendars.
  /// - Throws: `LibraryError`; with the code `changedMeanwhile` if an item is there already, and
  ///   with the code `readOnly` for the copy of a feed.
  public func append(_ items: [CalendarInfo: [CalendarItem]]) throws {
    var replacements: [FileReplacement] = []
    for (calendar, items) in items {
      try check(Set(items.map(\.kind)), for: calendar)
      let path = calendar.location.path
      replacements += try LibraryError.describing(calendar.id) {
        try calendar.location.isFile
          ? FileCalendar(path: path, for: .writing).replacements(for: items.map { .create($0) })
          : FolderAppender(path: path).replacements(for: items)
      }
    }
    try LibraryError.describing { [replacements] in try batch.commit(replacements) }
  }

  /// Makes all changes of an edit, or none of them.
  ///
  /// Each change is conditional on the entry that it names. When the call returns, the changes
  /// survive a loss of power. A crash leaves all changes or none, as soon as any process of the
  /// library or a sync has started again.
  ///
  /// - Parameter edit: The changes.
  /// - Throws: `LibraryError`; with the code `changedMeanwhile` if a condition fails.
  public func commit(_ edit: LibraryEdit) throws {
    try LibraryCommit(edit, of: self).run()
  }

  /// Makes all changes of an edit, or none of them, as a run in the history that can be undone.
  ///
  /// - Parameter edit: The changes, of items only.
  /// - Returns: The number of the run.
  /// - Throws: `LibraryError` as for ``commit(_:)``; with the code `unsupported` if the edit
  ///   changes calendars.
  @discardableResult
  public func commitRun(_ edit: LibraryEdit) throws -> RunID {
    guard edit.calendars.isEmpty, !edit.items.isEmpty else {
      throw LibraryError(.unsupported, "a run in the history changes items, and only items")
    }
    let recorder = ChangeRecorder(
      machine: machine, historyDays: try configuration().historyDays)
    let run = try LibraryError.describing { try LibraryCommit(edit, of: self).run(recorder) }
    guard let run else { throw LibraryError(.failed, "the run was not recorded") }
    return run
  }

  /// Proposes a new calendar: a free name, and a folder beside the other calendars of the source.
  ///
  /// Nothing is created before ``commit(_:)``.
  ///
  /// - Parameters:
  ///   - title: The name for people, from which the name and the path are derived.
  ///   - source: The source; only this computer can have new calendars.
  ///   - edit: The edit that contains other new calendars.
  /// - Returns: The calendar, with the identifier that it is going to have.
  /// - Throws: `LibraryError`; with the code `unsupported` for other sources.
  public func newCalendar(
    titled title: String, in source: CalendarSource = .local,
    beside edit: LibraryEdit = LibraryEdit()
  ) throws -> LibraryEdit.NewCalendar {
    guard source.kind == .local else {
      throw LibraryError(
        .unsupported, subject: source.id,
        "a calendar cannot be created in \(source.title); create it on the server, and sync it")
    }
    let catalogue = try catalogue()
    let folder = PathResolver.canonical(parent(of: catalogue))
    let others = edit.calendars.compactMap { change in
      if case .create(let new) = change { new.name } else { String?.none }
    }
    let taken = Set(others).union(catalogue.configuration.calendars.keys)
    let plain = CalendarInfo.plainName(title)
    var (name, number) = (plain, 1)
    while taken.contains(name) || FileMode("\(folder)/\(name)") != nil {
      number += 1
      name = "\(plain)-\(number)"
    }
    return LibraryEdit.NewCalendar(
      name: name, path: "\(folder)/\(name)", source: source, title: title)
  }

  /// The folder for new calendars: the common one of the local calendars, or else `~/calendars`.
  private func parent(of catalogue: LibraryCatalogue) -> String {
    let folders = catalogue.calendars.filter { $0.source.kind == .local && !$0.location.isFile }
      .map(\.location.folder)
    if let first = folders.first, folders.allSatisfy({ $0 == first }) { return first }
    return machine.homeFolder + "/calendars"
  }

  /// The kinds of items that can be added to the calendar at a place; nil if the configuration does not
  /// have it.
  ///
  /// A calendar with a feed may have another remote, too, which gets the items.
  ///
  /// - Throws: `LibraryError` if the calendar is read-only.
  package func addableKinds(at location: CalendarLocation) throws -> Set<ItemKind>? {
    let path = PathResolver.canonical(location.path)
    let catalogue = try catalogue()
    if let calendar = catalogue.calendars.first(where: { $0.location.path == path }),
      !calendar.isSubscribed
    {
      try check([], for: calendar)
    }
    // The folder may be missing until items are added.
    return catalogue.configuration.calendars.values
      .first { PathResolver.canonical($0.path) == path }?.kinds
  }

  /// Checks that items of some kinds can be added to a calendar.
  func check(_ kinds: Set<ItemKind>, for calendar: CalendarInfo) throws(LibraryError) {
    guard !calendar.isReadOnly else {
      let reason =
        calendar.isSubscribed
        ? "is the copy of a read-only remote, which the next sync would restore" : "is read-only"
      throw LibraryError(
        .readOnly, subject: calendar.id, "the calendar \"\(calendar.title)\" \(reason)")
    }
    guard let kind = kinds.filter({ !$0.isAddable(to: calendar.kinds) }).min() else { return }
    throw LibraryError(
      .wrongKind, subject: calendar.id,
      "the calendar \"\(calendar.title)\" is not for \(kind.rawValue)")
  }
}
