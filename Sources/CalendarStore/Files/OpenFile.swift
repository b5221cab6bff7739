// SPDX-License-Identifier: Apache-2.0

/// An open file, which is closed on deinitialization.
///
/// It cannot be copied, because the first copy to be released would close the file for all.
struct OpenFile: ~Copyable {
  /// The number of bytes per read.
  private static let blockSize = 1 << 16

  let path: String
  private let descriptor: Int32

  init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  deinit { SystemCalls.close(descriptor) }

  /// Opens a file by its path.
  ///
  /// Symbolic links in the folder's path are followed; the file itself may be one only if the flags
  /// allow it.
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

  /// Links the file to a name in an open folder, or throws if the name is taken.
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

  /// Reads the next bytes, at most `limit`; empty at the end of the file.
  func read(atMost limit: Int) throws(StoreError) -> [UInt8] {
    do throws(SystemCalls.Failure) {
      return try SystemCalls.read(descriptor, atMost: limit)
    } catch {
      throw StoreError(error, path: path, cannot: "read")
    }
  }

  /// Reads all bytes up to the end of the file.
  ///
  /// - Throws: `StoreError` with the code `.tooLarge` for more than `limit` bytes.
  func readAll(limit: Int) throws(StoreError) -> [UInt8] {
    let size = try status().size
    var bytes: [UInt8] = []
    // One byte more than the size detects the end without growing the array.
    bytes.reserveCapacity(min(max(0, size), limit) + 1)
    while true {
      // The capacity is not larger than the file, because parsed items may keep the bytes.
      let isAsTold = size > 0 && bytes.count <= size
      let rest = isAsTold ? min(size - bytes.count, limit) + 1 : Self.blockSize
      let block = try read(atMost: rest)
      guard !block.isEmpty else { return bytes }
      if bytes.isEmpty { bytes = block } else { bytes += block }
      guard bytes.count <= limit else {
        throw StoreError(
          code: .tooLarge, path: path, message: "larger than \(limit) bytes, which is not read")
      }
      // A read that ends where the status said, although more was wanted, has found the end.
      if isAsTold, block.count < rest, bytes.count == size { return bytes }
    }
  }

  /// Writes all bytes, in as many system calls as necessary.
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

  /// Truncates the file to rewrite it.
  func clear() throws(StoreError) {
    do throws(SystemCalls.Failure) {
      try SystemCalls.truncate(descriptor)
      try SystemCalls.rewind(descriptor)
    } catch {
      throw StoreError(error, path: path, cannot: "write")
    }
  }

  /// Makes the written bytes durable.
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

  /// The result of an attempt to lock a file.
  enum Lock {
    case taken, heldByAnother, unsupported
  }

  /// Locks the file until it is closed or the process ends, however it ends.
  func lock() throws(StoreError) -> Lock {
    do throws(SystemCalls.Failure) {
      return try SystemCalls.lock(descriptor) ? .taken : .heldByAnother
    } catch {
      if error.isUnsupported { return .unsupported }
      throw StoreError(error, path: path, cannot: "lock")
    }
  }

  /// Locks the file as `lock` does, and waits for other holders.
  func waitForLock() throws(StoreError) -> Lock {
    do throws(SystemCalls.Failure) {
      try SystemCalls.waitForLock(descriptor)
      return .taken
    } catch {
      if error.isUnsupported { return .unsupported }
      throw StoreError(error, path: path, cannot: "lock")
    }
  }

  /// Releases the lock immediately.
  ///
  /// Closing the file also releases it, unless a new child process still has the file open.
  func unlock() {
    SystemCalls.unlock(descriptor)
  }
}
