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

  /// The files that make these changes, without making them: one for each change in a folder, and
  /// one for all in a file.
  ///
  /// - Throws: `StoreError` if the calendar cannot be read or was opened for reading.
  func plan(_ changes: [LocalChange]) throws -> [PlannedFile]
}

/// A file that makes some changes of a calendar, or the reason why they cannot be made.
public struct PlannedFile: Sendable {
  /// The indices of the changes.
  public internal(set) var changes: [Int]
  /// The replacement; a failed condition or an obstacle is an error.
  public internal(set) var replacement: Result<FileReplacement, BatchError>
}

extension EditableCalendar {
  /// The replacements that make all of these changes, without making them.
  ///
  /// The batch checks their conditions again.
  ///
  /// - Throws: `BatchError` with the code `.conditionFailed` if a condition fails already;
  ///   `StoreError` if the calendar cannot be read or was opened for reading.
  public func replacements(for changes: [LocalChange]) throws -> [FileReplacement] {
    try plan(changes).map { try $0.replacement.get() }
  }
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
    if LocalCalendars.databaseName(at: path) != nil {
      throw StoreError(
        code: .failed, path: path,
        message: "the calendar is in the ledger, where only syncs change it")
    }
    guard hasItemEnding(path.utf8) else {
      return try FolderCalendar(path: path, for: purpose, knowing: names)
    }
    return try FileCalendar(path: path, for: purpose)
  }
}

extension FileCalendar: EditableCalendar {
  /// The replacement of the whole file that makes the possible changes, and the other changes.
  public func plan(_ changes: [LocalChange]) throws -> [PlannedFile] {
    guard let (outcomes, before, after) = try outcomes(of: changes) else { return [] }
    var made: [Int] = []
    var files: [PlannedFile] = []
    for (index, outcome) in outcomes.enumerated() {
      switch outcome {
      case .done: made.append(index)
      case .conditionFailed:
        files.append(
          PlannedFile(changes: [index], replacement: .failure(.conditionFailed(location))))
      case .failed(let reason), .unavailable(let reason):
        let error = BatchError(code: .invalid, path: location, message: reason)
        files.append(PlannedFile(changes: [index], replacement: .failure(error)))
      }
    }
    guard !made.isEmpty else { return files }
    let whole = FileReplacement(
      path: location, expected: before.map { Revision(of: $0) }, contents: after)
    return files + [PlannedFile(changes: made, replacement: .success(whole))]
  }
}

extension FolderCalendar: EditableCalendar {
  /// The replacement of a file for each change; a new item is named as by `apply(_:)`.
  ///
  /// The deletion of an item and the creation of one with its name are one replacement.
  public func plan(_ changes: [LocalChange]) throws -> [PlannedFile] {
    guard purpose != .reading else { throw StoreError.readOnly(location) }
    let folder = try anchor.open()
    var naming = BatchNaming()
    for (index, change) in changes.enumerated() {
      guard let (name, revision, contents) = change.replacementOfExisting else { continue }
      naming.add(
        FileReplacement(path: folder.path(of: name), expected: revision, contents: contents),
        name, index)
    }
    for case (let index, .create(let item)) in changes.enumerated() {
      do {
        try create(item, index, naming: &naming, in: folder)
      } catch let error as BatchError {
        naming.files.append(PlannedFile(changes: [index], replacement: .failure(error)))
      }
    }
    try anchor.check()
    return naming.files
  }

  private func create(
    _ item: CalendarItem, _ index: Int, naming: inout BatchNaming, in folder: borrowing OpenFolder
  ) throws {
    let bytes = item.serialized(forStorage: true)
    for name in Self.names(for: item.uid) {
      if naming.fill(name, with: bytes, index) { return }
      guard !naming.isUsed(name) else { continue }
      guard try folder.status(of: name) != nil else {
        let path = folder.path(of: name)
        naming.add(FileReplacement(path: path, expected: nil, contents: bytes), name, index)
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
  var files: [PlannedFile] = []
  private var indices: [String: Int] = [:]

  mutating func add(_ replacement: FileReplacement, _ name: String, _ change: Int) {
    indices[name] = files.count
    files.append(PlannedFile(changes: [change], replacement: .success(replacement)))
  }

  func isUsed(_ name: String) -> Bool { indices[name] != nil }

  /// Gives the name of a file that the batch removes to a new item, or returns false.
  mutating func fill(_ name: String, with bytes: [UInt8], _ change: Int) -> Bool {
    guard let index = indices[name], case .success(var file) = files[index].replacement,
      file.contents == nil
    else { return false }
    file.contents = bytes
    files[index].replacement = .success(file)
    files[index].changes.append(change)
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
