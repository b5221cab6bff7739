// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import Glibc

/// A copy of standard input or a pipe in a temporary file, which can be read more than once.
///
/// The file has no name, so that nothing is left of it, however the program ends. It cannot be
/// copied, because the first copy to be released would close the file for all.
struct SpooledInput: ~Copyable {
  /// The maximum number of bytes that are copied.
  private static let sizeLimit = 1 << 36

  /// The descriptor of the file; negative if there is no copy.
  private let descriptor: Int32

  /// The copy as a source, or nil if there is none.
  var source: FileSource? { descriptor < 0 ? nil : .file("/proc/self/fd/\(descriptor)") }

  /// Creates no copy.
  init() {
    descriptor = -1
  }

  private init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    if descriptor >= 0 { _ = close(descriptor) }
  }

  /// Copies a source that cannot be read twice.
  ///
  /// - Parameters:
  ///   - source: The source.
  ///   - folder: The folder for temporary files.
  /// - Returns: The copy, which is empty for an ordinary file and without a temporary file.
  /// - Throws: `SystemError`; `CancellationError`.
  static func copy(of source: FileSource, in folder: String) throws -> SpooledInput {
    var stream = try source.open()
    guard try !stream.facts().isRegular else { return SpooledInput() }
    let copy = namelessFile(in: folder)
    guard copy.source != nil else { return copy }
    var size = 0
    while case let chunk = try stream.nextChunk(), !chunk.isEmpty {
      size += chunk.count
      guard size <= sizeLimit else { throw SystemError(EFBIG) }
      try copy.write(chunk)
    }
    return copy
  }

  private static func namelessFile(in folder: String) -> SpooledInput {
    var path = Array("\(folder)/epact-XXXXXX".utf8CString)
    let descriptor = unsafe mkstemp(&path)
    guard descriptor >= 0 else { return SpooledInput() }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unsafe unlink(path)
    return SpooledInput(descriptor)
  }

  private func write(_ bytes: [UInt8]) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes[done...].withUnsafeBytes {
        unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if count > 0 { done += count } else if errno != EINTR { throw SystemError() }
    }
  }
}
