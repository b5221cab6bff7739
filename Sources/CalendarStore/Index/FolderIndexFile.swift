// SPDX-License-Identifier: Apache-2.0

package import CalendarModel

/// The index of a calendar's folder on disk: a cache, by which a new process need not read all
/// files.
///
/// ```swift
/// let calendar = try FolderCalendar(path: path, for: .reading)
/// let index = FolderIndexFile(of: "home", in: cacheFolder)
/// var table = index.table(of: calendar, form) ?? ItemTable()   // before the files are read
/// index.write(table, of: calendar, form)                       // after they were
/// ```
///
/// - It belongs to one folder on one file system, and to the versions of the code that determines
///   UIDs and spans. Any other index, a damaged one, and one that others could have written, is as
///   good as none.
/// - A row is used only for a file that has the same size, times and number as then. Files that had
///   changed less than two seconds before they were read have no row, because a later change may
///   have left the same status.
/// - Processes that write it at the same time replace each other's file as a whole.
/// - Indexes that were not written for half a year are removed, because their calendars may be
///   gone. The index of a calendar that never changes is then written again.
package struct FolderIndexFile: Sendable {
  /// The version of the format.
  private static let version = 3
  /// The end of the names of indexes.
  private static let ending = ".index"
  /// The age from which on an index is removed, in nanoseconds.
  private static let oldAge: Int64 = 180 * 86_400 * 1_000_000_000

  private let folder: String
  private let name: String

  /// Creates the value; reads nothing.
  ///
  /// - Parameters:
  ///   - calendar: The identifier of the calendar.
  ///   - folder: The user's folder for caches of the program.
  package init(of calendar: String, in folder: String) {
    name = calendar + Self.ending
    self.folder = folder
  }

  /// The files and their items when the index was written.
  ///
  /// - Parameters:
  ///   - calendar: The folder.
  ///   - form: The normal form of the items.
  /// - Returns: The table; nil if there is no valid index.
  package func table(of calendar: FolderCalendar, _ form: NormalForm) -> ItemTable? {
    guard let bytes = try? read() else { return nil }
    return ItemTable(bytes, key: Self.key(of: calendar, form))
  }

  /// Writes the index of the files whose content is certain, which replaces an earlier one.
  ///
  /// - Parameters:
  ///   - table: The files with their items.
  ///   - calendar: The folder.
  ///   - form: The normal form of the items.
  /// - Returns: Whether the index was written; without it the files are read again.
  @discardableResult
  package func write(
    _ table: ItemTable, of calendar: FolderCalendar, _ form: NormalForm
  ) -> Bool {
    guard let bytes = table.bytes(key: Self.key(of: calendar, form)) else { return false }
    do {
      try write(bytes)
      return true
    } catch {
      return false
    }
  }

  private static func key(of calendar: FolderCalendar, _ form: NormalForm) -> [UInt8] {
    let (anchor, code) = (calendar.anchor, "\(CalendarItem.spanVersion) \(form.cacheKey)")
    let place = "\(anchor.identity.text) \(anchor.number) \(anchor.path)"
    return Array("epact index \(version) \(code) \(place)\n".utf8)
  }

  // MARK: The file

  /// Reads the file, unless another user could have written it.
  private func read() throws(StoreError) -> [UInt8] {
    let folder = try OpenFolder(folder)
    guard try folder.status().isPrivate else { throw notPrivate }
    let file = try folder.openFile(name)
    guard try file.status().isPrivate else { throw notPrivate }
    return try file.readAll(limit: ItemTable.sizeLimit)
  }

  /// Replaces the file as a whole.
  ///
  /// Nothing is made durable: after a power failure the file has the old or the new content, or one
  /// that its checksum reveals as damaged.
  private func write(_ bytes: [UInt8]) throws(StoreError) {
    try FolderPath.create(folder, mode: 0o700)
    let folder = try OpenFolder(folder)
    try folder.makePrivate()
    guard try folder.status().isPrivate else { throw notPrivate }
    try folder.removeLeftOvers()
    let file = try TemporaryFile.make(in: folder, permissions: .secret, replacing: name)
    do throws(StoreError) {
      try file.write(bytes)
      try file.commit(in: folder, replacing: name)
    } catch {
      file.discard(in: folder)
      throw error
    }
    try removeOld(in: folder)
  }

  /// Removes indexes that are much older than the one that was just written.
  private func removeOld(in folder: borrowing OpenFolder) throws(StoreError) {
    guard let now = try folder.status(of: name)?.modifiedAt else { return }
    for other in try folder.names().names where other.hasSuffix(Self.ending) {
      guard let status = try folder.status(of: other), status.kind == .file else { continue }
      if now - status.modifiedAt > Self.oldAge { try folder.remove(other) }
    }
  }

  private var notPrivate: StoreError {
    StoreError(code: .noAccess, path: folder, message: "other users have access to the folder")
  }
}

extension FileStatus {
  /// Whether only the user of the process has access.
  fileprivate var isPrivate: Bool { owner == SystemCalls.userID && mode & 0o077 == 0 }
}
