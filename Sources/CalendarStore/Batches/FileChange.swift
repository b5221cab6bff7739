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

  /// Creates the change that a replacement is going to make.
  ///
  /// - Throws: `BatchError` with the code `.conditionFailed` if the file is not as expected;
  ///   `StoreError` if it cannot be read.
  public init(_ replacement: FileReplacement) throws {
    let before = try Self.contents(at: replacement.path)
    guard before.map({ Revision(of: $0) }) == replacement.expected else {
      throw BatchError.conditionFailed(replacement.path)
    }
    self.init(of: replacement.path, from: before, to: replacement.contents)
  }

  /// The replacement that undoes the change; nil if the file is not as the change left it.
  ///
  /// - Throws: `StoreError` if the file cannot be read.
  public func undo() throws(StoreError) -> FileReplacement? {
    let now = try Self.contents(at: path)
    guard now.map({ Revision(of: $0) }) == after else { return nil }
    guard let before else { return FileReplacement(path: path, expected: after, contents: nil) }
    let bytes = now ?? []
    guard offset + inserted.count <= bytes.count else { return nil }
    let restored = bytes[..<offset] + removed + bytes[(offset + inserted.count)...]
    guard Revision(of: Array(restored)) == before else { return nil }
    return FileReplacement(path: path, expected: after, contents: Array(restored))
  }

  /// The state of a file in relation to a change.
  public enum State: Hashable, Sendable {
    /// The file is as it was before the change.
    case before
    /// The file is as the change left it.
    case after
    /// The file has other contents.
    case other
  }

  /// Compares the file with both versions.
  ///
  /// - Returns: The state; `before` if the versions are equal.
  /// - Throws: `StoreError` if the file cannot be read.
  public func state() throws(StoreError) -> State {
    let now = try Self.contents(at: path).map { Revision(of: $0) }
    return now == before ? .before : now == after ? .after : .other
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
