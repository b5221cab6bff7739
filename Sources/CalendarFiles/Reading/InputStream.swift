// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A file, standard input, an entry of an archive or bytes in memory, read in chunks.
///
/// It cannot be copied, because two copies would each read half of the file.
package struct InputStream: ~Copyable {
  /// The maximum size of a chunk, in bytes.
  package static let chunkSize = 64 * 1024
  /// The maximum wait for a terminal or a pipe between checks for cancellation, in milliseconds.
  private static let patience: Int32 = 200

  /// The properties of an open file.
  package struct Facts: Sendable {
    package let isRegular: Bool
    package let isFolder: Bool
    package let size: Int
    package let owner: UInt32
    /// Whether users other than the owner have any permission.
    package let isOpenToOthers: Bool
    /// The identity of the file; nil for bytes in memory.
    package let identity: FileIdentity?
  }

  private let descriptor: Int32
  private let isOwned: Bool
  /// The contents if they are in memory, until they are read.
  private var memory: [UInt8]?
  /// The entry of an archive; nil for other sources.
  private var entry: ZipEntryStream?
  /// Whether the time limit has passed; reads then fail with `ETIMEDOUT`.
  private let isLate: () -> Bool

  /// Opens a file.
  ///
  /// The writer of a named pipe may come later: only `nextChunk()` waits for it, so that the run can
  /// be interrupted.
  package init(path: String) throws(SystemError) {
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    isOwned = true
    isLate = { false }
    guard descriptor >= 0 else { throw SystemError() }
  }

  /// Reads from a descriptor owned by the caller, such as standard input.
  package init(descriptor: Int32, isLate: @escaping () -> Bool = { false }) {
    self.descriptor = descriptor
    isOwned = false
    self.isLate = isLate
  }

  /// Reads from bytes in memory.
  package init(bytes: [UInt8]) {
    descriptor = -1
    isOwned = false
    memory = bytes
    isLate = { false }
  }

  /// Reads an entry of an archive.
  init(_ entry: consuming ZipEntryStream) {
    descriptor = -1
    isOwned = false
    isLate = { false }
    self.entry = consume entry
  }

  deinit {
    if isOwned, descriptor >= 0 { _ = close(descriptor) }
  }

  /// The properties of the open file, even if its path now names another file.
  package func facts() throws(SystemError) -> Facts {
    if descriptor < 0 {
      return Facts(
        isRegular: true, isFolder: false, size: memory?.count ?? 0, owner: 0, isOpenToOthers: false,
        identity: nil)
    }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw SystemError() }
    return Facts(
      isRegular: status.st_mode & S_IFMT == S_IFREG, isFolder: status.st_mode & S_IFMT == S_IFDIR,
      size: Int(status.st_size), owner: status.st_uid, isOpenToOthers: status.st_mode & 0o077 != 0,
      identity: FileIdentity(status))
  }

  /// Reads the next bytes; an empty chunk marks the end.
  ///
  /// - Throws: `SystemError`, or `CancellationError` if the run was interrupted.
  package mutating func nextChunk() throws -> [UInt8] {
    if let chunk = try entry?.nextChunk() { return chunk }
    if descriptor < 0 { return memory.take() ?? [] }
    while true {
      try Task.checkCancellation()
      guard !isLate() else { throw SystemError(ETIMEDOUT) }
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&request, 1, Self.patience) != 0 else { continue }
      var isRead = false
      let chunk = unsafe [UInt8](unsafeUninitializedCapacity: Self.chunkSize) { buffer, count in
        let result = unsafe read(descriptor, buffer.baseAddress, buffer.count)
        isRead = result >= 0
        count = max(0, result)
      }
      if isRead { return chunk }
      guard errno == EINTR || errno == EAGAIN else { throw SystemError() }
    }
  }

  /// Reads chunks until there are at least `count` bytes, or until the end.
  package mutating func readStart(atLeast count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let chunk = try nextChunk()
      guard !chunk.isEmpty else { break }
      bytes += chunk
    }
    return bytes
  }

  /// Reads everything, up to a limit.
  ///
  /// - Returns: The bytes, or nil if there are more than `limit`.
  package mutating func readAll(limit: Int) throws -> [UInt8]? {
    var bytes: [UInt8] = []
    while true {
      let chunk = try nextChunk()
      guard !chunk.isEmpty else { return bytes }
      bytes += chunk
      guard bytes.count <= limit else { return nil }
    }
  }
}

/// The error of a system call.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The value of `errno`.
  package let code: Int32

  /// Creates an error from a code, by default the current `errno`.
  package init(_ code: Int32 = errno) {
    self.code = code
  }

  /// The system's message in English and lower case, such as `no such file or directory`.
  package var description: String {
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    let words = unsafe String(cString: text)
    return words.prefix(1).lowercased() + words.dropFirst()
  }
}
