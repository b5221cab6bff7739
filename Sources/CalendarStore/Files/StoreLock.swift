// SPDX-License-Identifier: Apache-2.0

/// A lock that prevents two runs from changing the same state concurrently.
///
/// It is a system lock on a file. When the process ends, however it ends, the lock is released, and
/// nothing has to be cleaned up. The file itself remains, because removing it could remove a file
/// that another process has just locked. It contains one line for people, `sync 4711 02:30`: the
/// activity, its process and its start.
///
/// It cannot be copied, because the first copy to be released would unlock for all.
public struct StoreLock: ~Copyable {
  /// The maximum number of bytes that are read from the file.
  private static let noteLimit = 256

  private let file: OpenFile

  deinit { file.unlock() }

  /// Acquires the lock without waiting, or throws an error that names the holder.
  ///
  /// - Parameters:
  ///   - path: The lock file; its folder is created for the owner only if necessary.
  ///   - activity: The activity to run, in one word: `sync`.
  ///   - start: The start, formatted for people: `02:30`.
  /// - Returns: The lock, which is held for the lifetime of the value.
  /// - Throws: `StoreError` with the code `.locked` and the message `sync is already running (pid
  ///   4711, since 02:30)` if another process holds it.
  public static func acquire(
    _ path: String, for activity: String, since start: String
  ) throws(StoreError) -> StoreLock {
    try take(path, for: activity, since: start) { file throws(StoreError) in try file.lock() }
  }

  /// Acquires the lock, and waits for the holder, such as a program that asks the user a question.
  ///
  /// It blocks the thread. The parameters are those of `acquire(_:for:since:)`.
  ///
  /// - Throws: `StoreError`, but none with the code `.locked`.
  public static func wait(
    _ path: String, for activity: String, since start: String
  ) throws(StoreError) -> StoreLock {
    try take(path, for: activity, since: start) { file throws(StoreError) in
      try file.waitForLock()
    }
  }

  private static func take(
    _ path: String, for activity: String, since start: String,
    _ lock: (borrowing OpenFile) throws(StoreError) -> OpenFile.Lock
  ) throws(StoreError) -> StoreLock {
    try FolderPath.create(FilePlace(path).folder, mode: 0o700)
    let file = try OpenFile.open(path, [.readAndWrite, .create, .noFollow], mode: 0o600)
    switch try lock(file) {
    case .taken: break
    case .heldByAnother:
      let note = try file.read(atMost: noteLimit)
      throw StoreError(code: .locked, path: path, message: message(from: note))
    case .unsupported:
      throw StoreError(
        code: .failed, path: path,
        message: "cannot lock: the file system does not support locks; store the state on another "
          + "one")
    }
    try file.clear()
    try file.write(Array("\(activity) \(SystemCalls.processID) \(start)\n".utf8))
    return StoreLock(file: file)
  }

  private init(file: consuming OpenFile) {
    self.file = file
  }

  /// The message from the holder's note, which may be incomplete or from another program.
  private static func message(from note: [UInt8]) -> String {
    let line = note.prefix { $0 != 0x0A }.map { 0x20..<0x7F ~= $0 ? $0 : 0x3F }
    let words = String(decoding: line, as: UTF8.self).split(separator: " ", maxSplits: 2)
    guard words.count == 3, Int32(words[1]) != nil else { return "another run has the lock" }
    return "\(words[0]) is already running (pid \(words[1]), since \(words[2]))"
  }
}
