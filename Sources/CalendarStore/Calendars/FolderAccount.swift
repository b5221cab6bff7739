// SPDX-License-Identifier: Apache-2.0

package import CalendarSync

/// A folder of folders, each of which is a calendar.
///
/// Hidden folders and files are no calendars. The folder itself has to exist: a missing one may be
/// on a disk that is not mounted.
package struct FolderAccount: CalendarAccount {
  private let path: String

  /// Takes a folder; reads nothing.
  ///
  /// - Parameter path: The absolute path of the folder.
  package init(path: String) {
    self.path = path
  }

  /// Lists the calendars, in order of their names.
  ///
  /// - Throws: `StoreError`; with the code `.notFound` if the folder does not exist.
  package func collections() throws -> [AccountCollection] {
    let root = try OpenFolder(path)
    return try root.names().names.compactMap { name in
      guard let id = CollectionID(folder: name), try isFolder(name, in: root) else { return nil }
      return AccountCollection(id, at: name, title: try title(of: name))
    }
  }

  /// Whether a name is that of a folder, or of a link to one.
  private func isFolder(_ name: String, in root: borrowing OpenFolder) throws(StoreError) -> Bool {
    switch try root.status(of: name)?.kind {
    case .folder?: true
    case .symbolicLink?: (try? OpenFolder(root.path(of: name))) != nil
    default: false
    }
  }

  private func title(of folder: String) throws -> String? {
    let anchor = try FolderAnchor("\(path)/\(folder)")
    return try FolderProperties(anchor: anchor, isReadOnly: true).collectionProperties()[.name]
  }

  /// Creates a folder; its sync gives it the properties of the calendar on the server.
  package func create(
    _ id: CollectionID, title: String?, for components: Set<String>?
  ) throws -> AccountCollection {
    _ = try OpenFolder(path)
    try FolderPath.create("\(path)/\(id.folder)", mode: 0o700)
    return AccountCollection(id, at: id.folder, title: title, components: components)
  }

  /// Creates a folder with properties in one step.
  ///
  /// - Throws: `StoreError`; with the code `.alreadyExists` if the name is taken.
  package func create(_ id: CollectionID, _ properties: CollectionProperties) throws {
    let root = try OpenFolder(path)
    let draft = ".new-\(id.folder)"
    try FolderPath.create(root.path(of: draft), mode: 0o700)
    let anchor = try FolderAnchor(root.path(of: draft))
    let store = FolderProperties(anchor: anchor, isReadOnly: false)
    for property in CollectionProperty.allCases {
      guard case .refused(let reason) = try store.set(property, to: properties[property]) else {
        continue
      }
      throw StoreError(code: .failed, path: root.path(of: id.folder), message: reason)
    }
    guard try root.rename(draft, toFree: id.folder) else {
      throw StoreError(
        code: .alreadyExists, path: root.path(of: id.folder), message: "the name is taken")
    }
    try root.synchronize()
  }

  /// The names of the items of a calendar.
  ///
  /// - Throws: `StoreError`; with the code `.notRegular` if the folder is a link, or has other
  ///   files than those of a calendar, so that it cannot be removed.
  package func items(of collection: AccountCollection) throws -> [String] {
    try files(of: collection).filter { $0.lowercased().hasSuffix(".ics") }
  }

  private func files(of collection: AccountCollection) throws(StoreError) -> [String] {
    let root = try OpenFolder(path)
    guard try root.status(of: collection.place)?.kind == .folder else {
      throw StoreError(
        code: .notRegular, path: root.path(of: collection.place),
        message: "not a folder in this folder, and is not removed")
    }
    let folder = try OpenFolder(root.path(of: collection.place))
    let (names, undecodable) = try folder.names()
    let own = Set(CollectionProperty.allCases.map(FolderProperties.name))
    for name in names + undecodable {
      let isKnown = own.contains(name) || name.lowercased().hasSuffix(".ics")
      guard isKnown, try folder.status(of: name)?.kind == .file else {
        throw StoreError(
          code: .notRegular, path: folder.path(of: name),
          message: "not a file of the calendar; the folder is not removed")
      }
    }
    return names
  }

  /// Removes the folder of a calendar, with its items and properties.
  ///
  /// It is renamed first, so that no run ever sees a part of it.
  ///
  /// - Throws: `StoreError`; with the code `.notRegular` if it is a link, or has other files.
  package func remove(
    _ collection: AccountCollection, withItems isWithItems: Bool
  ) throws -> Int {
    let files = try files(of: collection)
    let count = files.count { $0.lowercased().hasSuffix(".ics") }
    guard isWithItems || count == 0 else { return count }
    let root = try OpenFolder(path)
    let doomed = ".removed-\(collection.place)"
    guard try root.rename(collection.place, toFree: doomed) else {
      throw StoreError(
        code: .alreadyExists, path: root.path(of: doomed), message: "the name is taken")
    }
    let folder = try OpenFolder(root.path(of: doomed))
    for name in files { try folder.remove(name) }
    try root.removeFolder(doomed)
    try root.synchronize()
    return 0
  }
}
