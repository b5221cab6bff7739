// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A file descriptor that is written through `write(2)` in full buffers.
///
/// The C library's streams are global and mutable, and report a full disk only at exit. Once a write
/// has failed, everything after it is dropped and the first failure is kept for the end of the run.
struct OutputStream: Sendable {
  /// How many bytes are collected before they are written.
  private static let capacity = 64 * 1024

  private let descriptor: Int32
  private var buffer: [UInt8] = []
  /// The first failure of a write, as `errno` told it; `EPIPE` means that the reader went away.
  private(set) var failure: Int32?
  /// Whether the stream is a terminal.
  let isTerminal: Bool

  /// Creates a stream over a descriptor that stays the caller's.
  init(descriptor: Int32) {
    self.descriptor = descriptor
    isTerminal = isatty(descriptor) == 1
  }

  /// Adds bytes, and writes once there are enough of them.
  mutating func append(_ bytes: some Collection<UInt8>) {
    guard failure == nil else { return }
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.capacity { flush() }
  }

  /// Writes what is left.
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

  /// Waits, because a parent may have left the descriptor in non-blocking mode.
  private func waitUntilWritable() {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = unsafe poll(&request, 1, -1)
  }
}
