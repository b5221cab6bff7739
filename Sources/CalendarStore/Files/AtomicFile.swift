// SPDX-License-Identifier: Apache-2.0

/// A file that is either written completely and durably, or not at all.
///
/// The bytes are written to a hidden temporary file in the same folder, `.epact-….tmp`. Committing
/// makes the bytes durable, renames the file, and makes the name durable. At any time, even after a
/// power failure, the name refers to the old or the new content. Releasing the value without
/// committing removes the temporary file.
///
/// ```swift
/// try AtomicFile.write(bytes, to: path, permissions: .shared)
///
/// let file = try AtomicFile(replacing: path, permissions: .secret)
/// try file.write(header)
/// try file.write(contents)
/// try file.commit()
/// ```
///
/// It cannot be copied, because two copies would both rename the temporary file.
public struct AtomicFile: ~Copyable {
  /// The permissions of a file.
  public enum Permissions: Hashable, Sendable {
    /// The permissions of the umask; a replaced file keeps its permissions.
    case shared
    /// Access for the owner only, for passwords and the ledger.
    case secret
  }

  private let folder: OpenFolder
  private let name: String
  private let file: TemporaryFile
  private var isCommitted = false

  /// Begins a file in an existing folder; a file with its name is not changed before `commit()`.
  ///
  /// - Throws: `StoreError`; with the code `.notRegular` if the path is a symbolic link, which is
  ///   neither replaced nor followed.
  public init(replacing path: String, permissions: Permissions) throws(StoreError) {
    let place = FilePlace(path)
    let folder = try OpenFolder(place.folder)
    if let status = try folder.status(of: place.name), status.kind != .file {
      throw StoreError(
        code: .notRegular, path: path, message: "not a regular file, which is not replaced")
    }
    file = try .make(in: folder, permissions: permissions, replacing: place.name)
    name = place.name
    self.folder = folder
  }

  deinit {
    if !isCommitted { file.discard(in: folder) }
  }

  /// Writes the next bytes.
  ///
  /// - Throws: `StoreError`.
  public func write(_ bytes: [UInt8]) throws(StoreError) {
    try file.write(bytes)
  }

  /// Makes the file durable under its name, replacing an existing file.
  ///
  /// - Throws: `StoreError`. The name then still refers to the old content, unless only making the
  ///   folder durable failed.
  public consuming func commit() throws(StoreError) {
    try file.synchronize()
    try file.commit(in: folder, replacing: name)
    isCommitted = true
    try folder.synchronize()
  }

  /// Writes a whole file durably, replacing an existing one.
  ///
  /// - Throws: `StoreError`.
  public static func write(
    _ bytes: [UInt8], to path: String, permissions: Permissions
  ) throws(StoreError) {
    let file = try AtomicFile(replacing: path, permissions: permissions)
    try file.write(bytes)
    try file.commit()
  }

  /// Writes a whole file durably if the name is free.
  ///
  /// - Returns: Whether the file was written; false if the name is taken.
  /// - Throws: `StoreError`.
  public static func create(
    _ bytes: [UInt8], at path: String, permissions: Permissions
  ) throws(StoreError) -> Bool {
    let place = FilePlace(path)
    let folder = try OpenFolder(place.folder)
    guard try folder.create(place.name, with: bytes, permissions: permissions) else { return false }
    try folder.synchronize()
    return true
  }
}
