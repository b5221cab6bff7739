// SPDX-License-Identifier: Apache-2.0

/// An open file, closed when it is let go of.
///
/// It cannot be copied, because the first copy to go would close the file under the others.
struct OpenFile: ~Copyable {
  /// How many bytes are asked for at once.
  private static let blockSize = 1 << 16

  let path: String
  private let descriptor: Int32

  init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  deinit { SystemCalls.close(descriptor) }

  /// Opens a file by its path; the folder's own symbolic links are followed, the file's only if
  /// the flags allow it.
  static func open(
    _ path: String, _ flags: SystemCalls.Flags, mode: UInt32 = 0
  ) throws(StoreError) -> OpenFile {
    do throws(SystemCalls.Failure) {
      let descriptor = try SystemCalls.open(path, flags, mode: mode)
      return OpenFile(path: path, descriptor: descriptor)
    } catch {
      throw StoreError(error, path: path, cannot: "open")
    }
  }

  /// Gives the file a name in an open folder; fails if there is anything of that name.
  func link(to name: String, in folder: Int32) throws(SystemCalls.Failure) {
    try SystemCalls.link(descriptor, to: name, in: folder)
  }

  func status() throws(StoreError) -> FileStatus {
    do throws(SystemCalls.Failure) {
      return try SystemCalls.status(of: descriptor)
    } catch {
      throw StoreError(error, path: path, cannot: "open")
    }
  }

  /// Reads on, at most `limit` bytes; none at the end of the file.
  func read(atMost limit: Int) throws(StoreError) -> [UInt8] {
    do throws(SystemCalls.Failure) {
      return try SystemCalls.read(descriptor, atMost: limit)
    } catch {
      throw StoreError(error, path: path, cannot: "read")
    }
  }

  /// Reads everything from here to the end of the file.
  ///
  /// - Throws: `StoreError` with the code `.tooLarge` if that is more than `limit` bytes.
  func readAll(limit: Int) throws(StoreError) -> [UInt8] {
    let size = try status().size
    var bytes: [UInt8] = []
    // One byte more than the size, so that the end is seen without growing the array once more.
    bytes.reserveCapacity(min(max(0, size), limit) + 1)
    while true {
      // No more room than the file needs: what is made of the bytes may keep them.
      let isAsTold = size > 0 && bytes.count <= size
      let rest = isAsTold ? min(size - bytes.count, limit) + 1 : Self.blockSize
      let block = try read(atMost: rest)
      guard !block.isEmpty else { return bytes }
      if bytes.isEmpty { bytes = block } else { bytes += block }
      guard bytes.count <= limit else {
        throw StoreError(
          code: .tooLarge, path: path, message: "larger than \(limit) bytes, which is not read")
      }
    }
  }

  /// Writes all of the bytes, in as many steps as the system wants.
  func write(_ bytes: [UInt8]) throws(StoreError) {
    do throws(SystemCalls.Failure) {
      var start = 0
      while start < bytes.count {
        start += try SystemCalls.write(descriptor, bytes, from: start)
      }
    } catch {
      throw StoreError(error, path: path, cannot: "write")
    }
  }

  func rewind() throws(StoreError) {
    do throws(SystemCalls.Failure) {
      try SystemCalls.rewind(descriptor)
    } catch {
      throw StoreError(error, path: path, cannot: "read")
    }
  }

  /// Empties the file, so that it can be written anew.
  func clear() throws(StoreError) {
    do throws(SystemCalls.Failure) {
      try SystemCalls.truncate(descriptor)
      try SystemCalls.rewind(descriptor)
    } catch {
      throw StoreError(error, path: path, cannot: "write")
    }
  }

  /// Makes what was written survive a loss of power.
  func synchronize() throws(StoreError) {
    do throws(SystemCalls.Failure) {
      try SystemCalls.synchronize(descriptor)
    } catch {
      throw StoreError(error, path: path, cannot: "write")
    }
  }

  func setMode(_ mode: UInt32) throws(StoreError) {
    do throws(SystemCalls.Failure) {
      try SystemCalls.setMode(descriptor, mode)
    } catch {
      throw StoreError(error, path: path, cannot: "set the permissions")
    }
  }

  /// What came of an attempt to lock a file.
  enum Lock {
    case taken, heldByAnother, unsupported
  }

  /// Locks the file until it is closed or the process dies, however it dies.
  func lock() throws(StoreError) -> Lock {
    do throws(SystemCalls.Failure) {
      return try SystemCalls.lock(descriptor) ? .taken : .heldByAnother
    } catch {
      if error.isUnsupported { return .unsupported }
      throw StoreError(error, path: path, cannot: "lock")
    }
  }

  /// Gives the lock up at once.
  ///
  /// Closing does too, but only when no child process that was just begun still has the file open.
  func unlock() {
    SystemCalls.unlock(descriptor)
  }
}
