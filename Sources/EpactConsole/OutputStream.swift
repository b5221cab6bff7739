// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A buffered file descriptor for output with `write(2)`.
///
/// The C library's streams are global mutable state, and report a full disk only at exit. After a
/// failed write, all further output is dropped, and the first error is kept for the end of the run.
struct OutputStream: Sendable {
  /// The size of the buffer, in bytes.
  private static let capacity = 64 * 1024

  private let descriptor: Int32
  private var buffer: [UInt8] = []
  /// The `errno` of the first failed write; `EPIPE` means that the reader is gone.
  private(set) var failure: Int32?
  /// Whether the stream is a terminal.
  let isTerminal: Bool

  /// Creates a stream for a descriptor owned by the caller.
  init(descriptor: Int32) {
    self.descriptor = descriptor
    isTerminal = isatty(descriptor) == 1
  }

  /// Appends bytes, and flushes a full buffer.
  mutating func append(_ bytes: some Collection<UInt8>) {
    guard failure == nil else { return }
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.capacity { flush() }
  }

  /// Writes the buffer.
  mutating func flush() {
    var start = 0
    while failure == nil, start < buffer.count {
      let written = unsafe buffer.withUnsafeBytes { bytes in
        unsafe write(descriptor, bytes.baseAddress?.advanced(by: start), bytes.count - start)
      }
      if written >= 0 {
        start += written
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN: waitUntilWritable()
      default: failure = errno
      }
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Waits; the parent process may have set the descriptor to non-blocking mode.
  private func waitUntilWritable() {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = unsafe poll(&request, 1, -1)
  }
}
