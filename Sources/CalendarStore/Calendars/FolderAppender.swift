// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CalendarSync

/// A folder under write-only access, to which items can only be added.
///
/// It neither lists nor reads files. A taken file name does not show what the file contains.
public struct FolderAppender: Sendable {
  /// The path without symbolic links.
  public var location: String { anchor.path }
  private let anchor: FolderAnchor

  /// Opens a folder.
  ///
  /// - Throws: `StoreError`; with the code `.notFound` if the folder does not exist.
  public init(path: String) throws(StoreError) {
    anchor = try FolderAnchor(try FolderPath.canonical(path))
  }

  /// Creates the file for an item durably, with its name from `ItemName`, unless it exists.
  public func append(_ item: CalendarItem) throws -> AppendOutcome {
    let name = ItemName(of: item.uid).rawValue
    let folder = try anchor.open()
    let bytes = item.serialized(forStorage: true)
    guard try folder.create(name, with: bytes, permissions: .shared) else {
      return .alreadyPresent(href: Href(name))
    }
    try folder.synchronize()
    try anchor.check()
    return .added(href: Href(name), etag: nil)
  }
}
