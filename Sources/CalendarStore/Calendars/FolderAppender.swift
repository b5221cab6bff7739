// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CalendarSync

/// A folder that items are only ever added to: what a write-only sync gets of a folder.
///
/// It lists nothing and reads no file. A name that is taken means that the item was added before.
public struct FolderAppender: LocalAppender {
  /// The path without symbolic links.
  public var location: String { anchor.path }
  private let anchor: FolderAnchor

  /// Opens a folder.
  ///
  /// - Throws: `StoreError`; with the code `.notFound` if there is no folder.
  public init(path: String) throws(StoreError) {
    anchor = try FolderAnchor(try FolderPath.canonical(path))
  }

  /// Makes the file that `ItemName` gives for the item's UID, durably, unless there is one already.
  public func append(_ item: CalendarItem) async throws -> AppendOutcome {
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
