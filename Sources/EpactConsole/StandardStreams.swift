// SPDX-License-Identifier: Apache-2.0

import Glibc
package import Logging

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
  /// Whether the output is held for a pager.
  private(set) var isHeld = false
  /// The maximum size of held output, in bytes; larger output is written at once.
  private static let heldLimit = 16 << 20

  /// Creates a stream for a descriptor owned by the caller.
  init(descriptor: Int32) {
    self.descriptor = descriptor
    isTerminal = isatty(descriptor) == 1
  }

  /// Appends bytes, and flushes a full buffer.
  mutating func append(_ bytes: some Collection<UInt8>) {
    guard failure == nil else { return }
    buffer.append(contentsOf: bytes)
    if buffer.count >= (isHeld ? Self.heldLimit : Self.capacity) { release() }
  }

  /// Holds the further output for a pager, if the stream is a terminal.
  mutating func hold() { isHeld = isTerminal }

  /// Writes the held output, and holds no more.
  mutating func release() {
    isHeld = false
    flush()
  }

  /// Returns and removes the held output if it has more lines than the screen.
  mutating func takeHeld(rows: Int) -> [UInt8]? {
    guard isHeld, buffer.count(where: { $0 == UInt8(ascii: "\n") }) >= rows else { return nil }
    defer { buffer = [] }
    return buffer
  }

  /// Writes the buffer, unless the output is held.
  mutating func flush() {
    guard !isHeld else { return }
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

/// Writes log messages to standard error: `debug: message key=value`.
///
/// Possible secrets are redacted again here, even if the sender has redacted them.
package struct StandardErrorLog: LogHandler {
  private static let secrets = [
    "authorization", "cookie", "credential", "passwd", "password", "secret", "token",
  ]

  private let console: Console
  package var logLevel: Logger.Level
  package var metadata: Logger.Metadata = [:]

  /// Creates a handler with a verbosity, the number of `-v` flags.
  package init(console: Console, verbosity: Int) {
    self.console = console
    logLevel =
      switch verbosity {
      case ..<1: .warning
      case 1: .info
      case 2: .debug
      default: .trace
      }
  }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  package func log(event: LogEvent) {
    let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
    let pairs = all.sorted { $0.key < $1.key }.map { Self.pair($0.key, "\($0.value)") }
    let words = [Self.withoutUserInfo(event.message.description)] + pairs
    console.report("\(event.level.rawValue + ":", .dim) \(words.joined(separator: " "))")
  }

  /// A metadata pair, quoted if necessary, and redacted if its key indicates a secret.
  package static func pair(_ key: String, _ value: String) -> String {
    let name = key.lowercased()
    guard !secrets.contains(where: name.contains) || name == "synctoken" else {
      return "\(key)=[redacted]"
    }
    let value = withoutUserInfo(value)
    guard value.contains(where: { $0 == " " || $0 == "\"" }) || value.isEmpty else {
      return "\(key)=\(value)"
    }
    return "\(key)=\""
      + value.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\\\"") + "\""
  }

  /// The text with `user:password@` removed from all URLs.
  package static func withoutUserInfo(_ text: String) -> String {
    var result = ""
    var rest = Substring(text)
    while let scheme = rest.firstRange(of: "://") {
      result += rest[..<scheme.upperBound]
      rest = rest[scheme.upperBound...]
      let authority = rest.prefix { !"/?# \"".contains($0) }
      if let at = authority.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
    }
    return result + rest
  }
}
