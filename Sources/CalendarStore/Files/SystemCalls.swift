// SPDX-License-Identifier: Apache-2.0

import CFiles
import Glibc

/// The system calls of the store, without pointers in their signatures.
///
/// Besides `RowStatement` and `StoredBytes`, these calls are the store's only unsafe code. Calls
/// that a signal interrupts are repeated. Failing calls throw the error number.
enum SystemCalls {
  /// The error number of a failed system call.
  struct Failure: Error {
    let number: Int32

    static let notFound = Failure(number: ENOENT)
    static let alreadyExists = Failure(number: EEXIST)
  }

  /// The flags for opening a file.
  struct Flags: OptionSet {
    let rawValue: Int32

    static let read = Flags(rawValue: O_RDONLY)
    static let readAndWrite = Flags(rawValue: O_RDWR)
    /// Creates the file, and fails if the name is taken, even by a dangling link.
    static let createNew = Flags(rawValue: O_CREAT | O_EXCL)
    /// Creates the file if it does not exist.
    static let create = Flags(rawValue: O_CREAT)
    static let folder = Flags(rawValue: O_DIRECTORY)
    /// Fails if the last component of the path is a symbolic link.
    static let noFollow = Flags(rawValue: O_NOFOLLOW)
    /// Does not block on pipes.
    static let nonBlocking = Flags(rawValue: O_NONBLOCK)
  }

  /// The folder to which relative paths refer by default.
  static let workingFolder = AT_FDCWD

  /// The maximum number of open files in the process.
  static var openFileLimit: Int {
    let limit = sysconf(Int32(_SC_OPEN_MAX))
    // POSIX guarantees this minimum if the system does not report a limit.
    return limit > 0 ? limit : Int(_POSIX_OPEN_MAX)
  }

  static func open(
    _ path: String, in folder: Int32 = workingFolder, _ flags: Flags, mode: UInt32 = 0
  ) throws(Failure) -> Int32 {
    try retrying { unsafe openat(folder, path, flags.rawValue | O_CLOEXEC, mode) }
  }

  /// Creates a nameless file, which is removed when it is closed unless it was linked.
  static func openNameless(in folder: Int32, mode: UInt32) throws(Failure) -> Int32 {
    try retrying { cfiles_open_nameless(folder, mode) }
  }

  /// Closes a file, without making its contents durable.
  static func close(_ descriptor: Int32) {
    _ = Glibc.close(descriptor)
  }

  /// Reads the next bytes, at most `limit`; empty at the end of the file.
  static func read(_ descriptor: Int32, atMost limit: Int) throws(Failure) -> [UInt8] {
    var number: Int32 = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      var result: Int
      repeat {
        result = unsafe Glibc.read(descriptor, buffer.baseAddress, limit)
      } while result < 0 && errno == EINTR
      number = result < 0 ? errno : 0
      count = max(0, result)
    }
    guard number == 0 else { throw Failure(number: number) }
    return bytes
  }

  /// Writes some of the bytes from an index on, and returns their number.
  static func write(_ descriptor: Int32, _ bytes: [UInt8], from start: Int) throws(Failure) -> Int {
    try retrying {
      unsafe bytes.withUnsafeBytes { buffer in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[start...])
        return unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
      }
    }
  }

  /// Sets the file position to the start.
  static func rewind(_ descriptor: Int32) throws(Failure) {
    _ = try retrying { lseek(descriptor, 0, SEEK_SET) }
  }

  static func truncate(_ descriptor: Int32) throws(Failure) {
    _ = try retrying { ftruncate(descriptor, 0) }
  }

  /// Makes the contents of a file, or the names in a folder, durable.
  static func synchronize(_ descriptor: Int32) throws(Failure) {
    _ = try retrying { fsync(descriptor) }
  }

  /// Makes all data in a file system durable; since Linux 5.8 it reports failures.
  static func synchronizeFileSystem(_ descriptor: Int32) throws(Failure) {
    _ = try retrying { cfiles_synchronize_file_system(descriptor) }
  }

  static func setMode(_ descriptor: Int32, _ mode: UInt32) throws(Failure) {
    _ = try retrying { fchmod(descriptor, mode) }
  }

  /// Locks a file exclusively, or returns false if another process holds a lock.
  static func lock(_ descriptor: Int32) throws(Failure) -> Bool {
    do {
      _ = try retrying { flock(descriptor, LOCK_EX | LOCK_NB) }
      return true
    } catch {
      guard error.number == EWOULDBLOCK else { throw error }
      return false
    }
  }

  /// Locks a file exclusively, and waits for other processes that hold a lock.
  static func waitForLock(_ descriptor: Int32) throws(Failure) {
    _ = try retrying { flock(descriptor, LOCK_EX) }
  }

  /// Releases a lock, also for descriptor copies in a child that has not started its program.
  static func unlock(_ descriptor: Int32) {
    _ = flock(descriptor, LOCK_UN)
  }

  /// Suspends the thread.
  static func pause(milliseconds: UInt32) {
    _ = usleep(milliseconds * 1000)
  }

  static func status(of descriptor: Int32) throws(Failure) -> FileStatus {
    var status = stat()
    _ = try retrying { unsafe fstat(descriptor, &status) }
    return FileStatus(status)
  }

  /// The kind of the file system of an open file, and its identifier.
  static func fileSystem(of descriptor: Int32) throws(Failure) -> (kind: UInt64, identifier: UInt64)
  {
    var found = cfiles_file_system()
    _ = try retrying { unsafe cfiles_find_file_system(descriptor, &found) }
    return (found.kind, found.identifier)
  }

  /// The status of a name in a folder; of the link itself where it is a symbolic link.
  static func status(of name: String, in folder: Int32) throws(Failure) -> FileStatus {
    var status = stat()
    _ = try retrying { unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) }
    return FileStatus(status)
  }

  /// The status of a listed name in a folder, as of `status(of:in:)`, without a copy of the name.
  static func status(
    of names: borrowing FolderNames, at index: Int, in folder: Int32
  ) throws(Failure) -> FileStatus {
    let start = names.start(of: index)
    var status = stat()
    _ = try retrying {
      // Each name in the buffer is followed by a NUL byte.
      unsafe names.bytes[start...].withUnsafeBytes { buffer -> Int32 in
        guard let first = buffer.baseAddress else { return -1 }
        let name = unsafe first.assumingMemoryBound(to: CChar.self)
        return unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW)
      }
    }
    return FileStatus(status)
  }

  /// Renames a file in its folder, replacing an existing one.
  static func rename(_ name: String, to newName: String, in folder: Int32) throws(Failure) {
    _ = try retrying { unsafe renameat(folder, name, folder, newName) }
  }

  /// Renames a file in its folder, or throws if the new name is taken.
  static func rename(_ name: String, toFree newName: String, in folder: Int32) throws(Failure) {
    _ = try retrying { unsafe cfiles_rename_to_free(folder, name, newName) }
  }

  /// Links a file to a second name in its folder, or throws if that is taken.
  static func link(_ name: String, to newName: String, in folder: Int32) throws(Failure) {
    _ = try retrying { unsafe linkat(folder, name, folder, newName, 0) }
  }

  /// Links an open file to a name in a folder, or throws if that is taken.
  static func link(_ descriptor: Int32, to newName: String, in folder: Int32) throws(Failure) {
    _ = try retrying { unsafe cfiles_link_to_free(descriptor, folder, newName) }
  }

  static func remove(_ name: String, in folder: Int32) throws(Failure) {
    _ = try retrying { unsafe unlinkat(folder, name, 0) }
  }

  static func removeFolder(_ name: String, in folder: Int32) throws(Failure) {
    _ = try retrying { unsafe unlinkat(folder, name, AT_REMOVEDIR) }
  }

  static func makeFolder(_ path: String, mode: UInt32) throws(Failure) {
    _ = try retrying { unsafe mkdir(path, mode) }
  }

  /// The names in a folder, unsorted and without `.` and `..`.
  static func names(in folder: Int32) throws(Failure) -> FolderNames {
    // A separate descriptor, because closing the stream closes it, and reading moves its position.
    let copy = try open(".", in: folder, [.read, .folder])
    guard let stream = unsafe fdopendir(copy) else {
      let failure = Failure(number: errno)
      close(copy)
      throw failure
    }
    defer { unsafe closedir(stream) }
    var names = FolderNames()
    while true {
      errno = 0
      guard let entry = unsafe readdir(stream) else {
        guard errno == 0 else { throw Failure(number: errno) }
        return names
      }
      // Accessed by address: an entry is shorter than its type, so a copy would read past its end.
      guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { continue }
      let start = unsafe UnsafeRawPointer(entry).advanced(by: offset)
        .assumingMemoryBound(to: CChar.self)
      let name = unsafe UnsafeRawBufferPointer(start: start, count: strlen(start))
      let isSpecial = unsafe name.count <= 2 && name.allSatisfy { $0 == 0x2E }
      if !isSpecial { unsafe names.append(name) }
    }
  }

  /// The canonical path, without symbolic links, `.` and `..`.
  static func canonicalPath(_ path: String) throws(Failure) -> String {
    guard let result = unsafe realpath(path, nil) else { throw Failure(number: errno) }
    defer { unsafe free(result) }
    return unsafe String(cString: result)
  }

  /// The system's message for an error number.
  static func text(of number: Int32) -> String {
    guard let text = unsafe strerror(number) else { return "error \(number)" }
    return unsafe String(cString: text)
  }

  static var processID: Int32 { getpid() }

  /// The numeric ID of the user of the process.
  static var userID: UInt32 { geteuid() }

  /// A random number for the name of a temporary file.
  static func randomNumber() -> UInt64 { .random(in: .min ... .max) }

  static func retrying<Result: FixedWidthInteger & SignedInteger>(
    _ call: () -> Result
  ) throws(Failure) -> Result {
    while true {
      let result = call()
      guard result < 0 else { return result }
      guard errno == EINTR else { throw Failure(number: errno) }
    }
  }
}

extension StoreError {
  /// Creates an error with the system's message: `cannot write: No space left on device`.
  init(_ failure: SystemCalls.Failure, path: String, cannot action: String) {
    let code: Code =
      switch failure.number {
      case ENOENT: .notFound
      case EEXIST: .alreadyExists
      case EACCES, EPERM: .noAccess
      case ENOSPC, EDQUOT: .noSpace
      case EFBIG: .tooLarge
      case EROFS, ENODEV, ENXIO, ESTALE, ENOTCONN, ESHUTDOWN: .diskFailed
      case ELOOP, ENOTDIR, EISDIR: .notRegular
      case ENAMETOOLONG: .invalidName
      default: .failed
      }
    self.init(
      code: code, path: path,
      message: "cannot \(action): \(SystemCalls.text(of: failure.number))")
  }
}

extension SystemCalls.Failure {
  /// Whether the file system does not support the operation, such as links on FAT.
  var isUnsupported: Bool {
    switch number {
    case EPERM, EOPNOTSUPP, ENOSYS, EINVAL, ENOLCK, EMLINK: true
    default: false
    }
  }
}
