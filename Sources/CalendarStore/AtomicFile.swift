// SPDX-License-Identifier: Apache-2.0

/// A file that appears complete and durable, or not at all.
///
/// The bytes go to a hidden temporary file in the same folder, `.epact-….tmp`. Committing makes them
/// durable, gives the file its name, and makes the name durable: at any instant, also after a loss of
/// power, the name stands for the old content or for the new. Letting go of it without committing
/// removes the temporary file.
///
/// ```swift
/// try AtomicFile.write(bytes, to: path, permissions: .shared)
///
/// var file = try AtomicFile(replacing: path, permissions: .secret)
/// try file.write(first)
/// try file.write(second)
/// try file.commit()
/// ```
///
/// It cannot be copied, because two copies would each want to give the file its name.
public struct AtomicFile: ~Copyable {
  /// Who may read a file.
  public enum Permissions: Hashable, Sendable {
    /// Whoever the umask allows; a file that is replaced keeps the permissions it had.
    case shared
    /// The owner alone, for passwords and for what the ledger keeps.
    case secret
  }

  private let folder: OpenFolder
  private let name: String
  private let file: TemporaryFile
  private var isCommitted = false

  /// Begins a file in a folder that exists; nothing of its name changes before `commit()`.
  ///
  /// - Throws: `StoreError`; with the code `.notRegular` if the path is a symbolic link, which would
  ///   be replaced and not followed.
  public init(replacing path: String, permissions: Permissions) throws(StoreError) {
    let place = FilePlace(path)
    let folder = try OpenFolder(place.folder)
    if let status = try folder.status(of: place.name), status.kind != .file {
      throw StoreError(
        code: .notRegular, path: path, message: "not a plain file, and so not replaced")
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

  /// Makes the file durable under its name, in place of what had it.
  ///
  /// - Throws: `StoreError`; the name then stands for what it stood for before, unless it is the
  ///   folder that could not be made durable.
  public consuming func commit() throws(StoreError) {
    try file.synchronize()
    try file.commit(in: folder, replacing: name)
    isCommitted = true
    try folder.synchronize()
  }

  /// Writes a whole file durably, in place of what had its name.
  ///
  /// - Throws: `StoreError`.
  public static func write(
    _ bytes: [UInt8], to path: String, permissions: Permissions
  ) throws(StoreError) {
    let file = try AtomicFile(replacing: path, permissions: permissions)
    try file.write(bytes)
    try file.commit()
  }

  /// Writes a whole file durably under a name that nothing has.
  ///
  /// - Returns: Whether it was done; false if there is something of that name, which stays as it is.
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

/// A path as a folder and a name in it.
struct FilePlace: Hashable, Sendable {
  let folder: String
  let name: String

  init(_ path: String) {
    guard let slash = path.utf8.lastIndex(of: 0x2F) else {
      folder = "."
      name = path
      return
    }
    folder = slash == path.utf8.startIndex ? "/" : String(path[..<slash])
    name = String(path[path.utf8.index(after: slash)...])
  }
}
