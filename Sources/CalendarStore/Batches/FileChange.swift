// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CalendarSync

/// The change of a file in the history, from which the file before it can be restored exactly.
///
/// Only the bytes between the common beginning and the common end of both versions are stored, so
/// that the change of one item in a large file is small.
public struct FileChange: Hashable, Sendable {
  /// The path of the file.
  public let path: String
  /// The item of the file; nil if it has several, or none.
  public let uid: UID?
  /// The revision before the change; nil if the file did not exist.
  public let before: Revision?
  /// The revision after the change; nil if the file was removed.
  public let after: Revision?
  /// The number of bytes at the beginning that both versions share.
  public let offset: Int
  /// The bytes that follow in the earlier version.
  public let removed: [UInt8]
  /// The bytes that follow in the later version.
  public let inserted: [UInt8]

  init(
    path: String, uid: UID?, before: Revision?, after: Revision?, offset: Int,
    contents: (removed: [UInt8], inserted: [UInt8])
  ) {
    self.path = path
    self.uid = uid
    self.before = before
    self.after = after
    self.offset = offset
    (removed, inserted) = contents
  }

  /// Creates the change between two versions of a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - before: The bytes before the change; nil if the file did not exist.
  ///   - after: The bytes after the change; nil if the file is removed.
  public init(of path: String, from before: [UInt8]?, to after: [UInt8]?) {
    let (old, new) = (before ?? [], after ?? [])
    let head = zip(old, new).prefix { $0 == $1 }.count
    let limit = min(old.count, new.count) - head
    let tail = zip(old.reversed(), new.reversed()).prefix(limit).prefix { $0 == $1 }.count
    let item = (after ?? before).flatMap { try? CalendarItem(parsing: $0) }
    self.init(
      path: path, uid: item?.uid, before: before.map { Revision(of: $0) },
      after: after.map { Revision(of: $0) }, offset: head,
      contents: (Array(old[head..<(old.count - tail)]), Array(new[head..<(new.count - tail)])))
  }

  /// The replacement that undoes the change; nil if the file is not as the change left it.
  ///
  /// - Throws: `StoreError` if the file cannot be read.
  public func undo() throws(StoreError) -> FileReplacement? { try Self.undo([self]) }

  /// The replacement that undoes the changes of a file by the parts of a run.
  ///
  /// - Parameter changes: The changes, in order; those that were recorded and not made may be among
  ///   them.
  /// - Returns: The replacement; nil without changes, if the file is not as they left it, or if
  ///   another program changed it between them.
  /// - Throws: `StoreError` if the file cannot be read.
  public static func undo(_ changes: [FileChange]) throws(StoreError) -> FileReplacement? {
    guard let path = changes.last?.path else { return nil }
    var bytes = try contents(at: path)
    let now = bytes.map { Revision(of: $0) }
    guard let last = changes.lastIndex(where: { $0.after == now }) else { return nil }
    var revision = now
    for change in changes[...last].reversed() {
      if change.after == revision {
        guard change.restore(&bytes) else { return nil }
        revision = change.before
      } else if change.before != revision {
        return nil
      }
    }
    return FileReplacement(path: path, expected: now, contents: bytes)
  }

  /// Gives the bytes after the change their earlier contents, or returns false.
  private func restore(_ bytes: inout [UInt8]?) -> Bool {
    guard let before else {
      bytes = nil
      return true
    }
    let now = bytes ?? []
    guard offset + inserted.count <= now.count else { return false }
    let restored = now[..<offset] + removed + now[(offset + inserted.count)...]
    bytes = Array(restored)
    return Revision(of: Array(restored)) == before
  }

  /// The bytes of a file; nil if it or its folder does not exist.
  ///
  /// - Throws: `StoreError` if the file cannot be read.
  package static func contents(at path: String) throws(StoreError) -> [UInt8]? {
    let place = FilePlace(path)
    do throws(StoreError) {
      return try OpenFolder(place.folder).contents(of: place.name)
    } catch {
      guard error.code == .notFound else { throw error }
      return nil
    }
  }
}

extension FileReplacement {
  /// The bytes of the file, which it must have before the replacement; nil if it must not exist.
  ///
  /// - Throws: `BatchError` with the code `.conditionFailed` if the file is not as expected.
  package func expectedContents() throws(BatchError) -> [UInt8]? {
    let before = try BatchError.converting { () throws(StoreError) in
      try FileChange.contents(at: path)
    }
    guard before.map({ Revision(of: $0) }) == expected else { throw .conditionFailed(path) }
    return before
  }
}
