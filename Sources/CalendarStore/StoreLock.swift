// SPDX-License-Identifier: Apache-2.0

/// The lock that keeps two runs from changing the same state at once.
///
/// It is a lock of the system on a file and not the file itself: when the process dies, however it
/// dies, the lock is gone, and nothing has to be cleaned up. The file stays, because removing it could
/// take away a file that another process has just locked. It holds one line for people,
/// `sync 4711 02:30`: what is running, its process and since when.
///
/// It cannot be copied, because the first copy to go would unlock for all.
public struct StoreLock: ~Copyable {
  /// The most bytes of the file that are looked at.
  private static let noteLimit = 256

  private let file: OpenFile

  deinit { file.unlock() }

  /// Takes the lock, or tells who has it; never waits.
  ///
  /// - Parameters:
  ///   - path: The file of the lock; its folder is made, for its owner alone, if there is none.
  ///   - activity: What is about to run, in one word: `sync`.
  ///   - start: When it begins, as a person reads it: `02:30`.
  /// - Returns: The lock, which lasts as long as the value does.
  /// - Throws: `StoreError` with the code `.locked` and the message
  ///   `sync is already running (pid 4711, since 02:30)` if another process has it.
  public static func acquire(
    _ path: String, for activity: String, since start: String
  ) throws(StoreError) -> StoreLock {
    try FolderPath.create(FilePlace(path).folder, mode: 0o700)
    let file = try OpenFile.open(path, [.readAndWrite, .create, .noFollow], mode: 0o600)
    switch try file.lock() {
    case .taken: break
    case .heldByAnother:
      let note = try file.read(atMost: noteLimit)
      throw StoreError(code: .locked, path: path, message: message(from: note))
    case .unsupported:
      throw StoreError(
        code: .failed, path: path,
        message: "cannot lock: the file system has no locks; keep the state on another one")
    }
    try file.clear()
    try file.write(Array("\(activity) \(SystemCalls.processID) \(start)\n".utf8))
    return StoreLock(file: file)
  }

  private init(file: consuming OpenFile) {
    self.file = file
  }

  /// The message made from what the holder wrote; it may be half written, or by anybody.
  private static func message(from note: [UInt8]) -> String {
    let line = note.prefix { $0 != 0x0A }.map { 0x20..<0x7F ~= $0 ? $0 : 0x3F }
    let words = String(decoding: line, as: UTF8.self).split(separator: " ", maxSplits: 2)
    guard words.count == 3, Int32(words[1]) != nil else { return "another run has the lock" }
    return "\(words[0]) is already running (pid \(words[1]), since \(words[2]))"
  }
}
