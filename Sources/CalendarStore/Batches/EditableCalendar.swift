// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CalendarSync
public import CivilTime

/// A local calendar with synchronous operations, whose changes can be part of a `FileBatch`.
///
/// ```swift
/// let calendar = try LocalCalendars.openEditable(path: path, for: .writing)
/// let replacements = try calendar.replacements(for: [.create(item)])
/// try batch.commit(replacements)
/// ```
public protocol EditableCalendar: LocalCalendar {
  /// Reads all items.
  func scan() throws -> LocalListing

  /// Returns the contents, and reads only the files whose status has changed.
  func survey(
    since snapshot: LocalSnapshot?, in form: NormalForm, at now: Instant
  ) throws -> LocalSurvey

  /// Reads the items with these names; missing ones are skipped.
  func read(_ names: [String], in form: NormalForm) throws -> LocalListing

  /// Applies the changes, each on its own condition.
  func apply(_ changes: [LocalChange]) throws -> [LocalOutcome]

  /// The replacements that make these changes, without making them.
  ///
  /// A folder has one for each change, and a file has one for all. The batch checks their
  /// conditions again.
  ///
  /// - Throws: `BatchError` with the code `.conditionFailed` if a condition fails already;
  ///   `StoreError` if the calendar cannot be read or was opened for reading.
  func replacements(for changes: [LocalChange]) throws -> [FileReplacement]
}

extension LocalCalendars {
  /// Opens a calendar for synchronous use.
  ///
  /// - Parameters:
  ///   - path: The path of the file or folder.
  ///   - purpose: The purpose for which it is opened.
  ///   - names: The names by which syncs know items, for files with the same UID.
  /// - Returns: A `FileCalendar` or a `FolderCalendar`.
  /// - Throws: `StoreError`; a missing file is an empty calendar instead of an error.
  public static func openEditable(
    path: String, for purpose: Purpose, knowing names: KnownNames = .none
  ) throws(StoreError) -> any EditableCalendar {
    if hasItemEnding(path.utf8) {
      try FileCalendar(path: path, for: purpose)
    } else {
      try FolderCalendar(path: path, for: purpose, knowing: names)
    }
  }
}

extension FileCalendar: EditableCalendar {
  /// The replacement of the whole file that makes these changes, or nothing without changes.
  public func replacements(for changes: [LocalChange]) throws -> [FileReplacement] {
    guard let (outcomes, before, after) = try outcomes(of: changes) else { return [] }
    for outcome in outcomes {
      switch outcome {
      case .done: continue
      case .conditionFailed: throw BatchError.conditionFailed(location)
      case .failed(let reason), .unavailable(let reason):
        throw BatchError(code: .invalid, path: location, message: reason)
      }
    }
    return [
      FileReplacement(
        path: location, expected: before.map { Revision(of: $0) }, contents: after)
    ]
  }
}

extension FolderCalendar: EditableCalendar {
  /// The replacement of a file for each change; a new item is named as by `apply(_:)`.
  ///
  /// The deletion of an item and the creation of one with its name are one replacement.
  public func replacements(for changes: [LocalChange]) throws -> [FileReplacement] {
    guard purpose != .reading else { throw StoreError.readOnly(location) }
    let folder = try anchor.open()
    var naming = BatchNaming()
    for change in changes {
      guard let (name, revision, contents) = change.replacementOfExisting else { continue }
      naming.add(
        FileReplacement(path: folder.path(of: name), expected: revision, contents: contents),
        name)
    }
    for case .create(let item) in changes {
      try create(item, naming: &naming, in: folder)
    }
    try anchor.check()
    return naming.replacements
  }

  private func create(
    _ item: CalendarItem, naming: inout BatchNaming, in folder: borrowing OpenFolder
  ) throws {
    let bytes = item.serialized(forStorage: true)
    for name in Self.names(for: item.uid) {
      if naming.fill(name, with: bytes) { return }
      guard !naming.isUsed(name) else { continue }
      guard try folder.status(of: name) != nil else {
        let path = folder.path(of: name)
        naming.add(FileReplacement(path: path, expected: nil, contents: bytes), name)
        return
      }
      if case .taken(let reason) = occupation(of: name, by: item.uid, in: folder) {
        guard let reason else { throw BatchError.conditionFailed(folder.path(of: name)) }
        throw BatchError(code: .invalid, path: folder.path(of: name), message: reason)
      }
    }
    throw BatchError(
      code: .invalid, path: location, message: Self.reasonWithoutName(for: item.uid))
  }
}

/// The names that the changes of a batch use in a folder.
private struct BatchNaming {
  private(set) var replacements: [FileReplacement] = []
  private var indices: [String: Int] = [:]

  mutating func add(_ replacement: FileReplacement, _ name: String) {
    indices[name] = replacements.count
    replacements.append(replacement)
  }

  func isUsed(_ name: String) -> Bool { indices[name] != nil }

  /// Gives the name of a file that the batch removes to a new item, or returns false.
  mutating func fill(_ name: String, with bytes: [UInt8]) -> Bool {
    guard let index = indices[name], replacements[index].contents == nil else { return false }
    replacements[index].contents = bytes
    return true
  }
}

extension LocalChange {
  /// The file, condition and new bytes of a change to an existing item.
  fileprivate var replacementOfExisting: (name: String, from: Revision, contents: [UInt8]?)? {
    switch self {
    case .create: nil
    case .update(let name, let revision, let item):
      (name, revision, item.serialized(forStorage: true))
    case .putBack(let name, let revision, let bytes): (name, revision, bytes)
    case .delete(let name, let revision): (name, revision, nil)
    }
  }
}

extension FolderAppender {
  /// The replacements that create the files of items, all of which must not exist yet.
  ///
  /// A `FileBatch` makes all of them, or none, and reads no file.
  public func replacements(for items: [CalendarItem]) -> [FileReplacement] {
    items.map { item in
      FileReplacement(
        path: "\(location)/\(ItemName(of: item.uid).rawValue)", expected: nil,
        contents: item.serialized(forStorage: true))
    }
  }
}
