// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization

/// A relay to a PostgreSQL server on loopback, which can cut a connection around a COMMIT.
///
/// It waits for nobody longer than a minute: neither for a connection nor for bytes.
final class CommitProxy: Sendable {
  /// When a connection is cut.
  enum Kind {
    /// Before the server gets the COMMIT.
    case before
    /// After the server has answered it, and before the client gets the answer.
    case afterwards
  }

  private struct Unbound: Error {}

  private struct State {
    var next: Kind?
    var isForGood = false
    var wasCut = false
    var isClosed = false
  }

  /// The flag `MSG_NOSIGNAL`.
  private static let withoutSignal: CInt = 0x4000

  let port: Int
  private let listener: Int32
  private let target: Int
  private let state = Mutex(State())

  init(to target: Int) throws {
    self.target = target
    listener = Self.makeSocket()
    let bound = unsafe Self.withAddress(0) { [listener] in unsafe bind(listener, $0, $1) }
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let named = unsafe withUnsafeMutablePointer(to: &address) { [listener] pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(listener, $0, &size)
      }
    }
    port = Int(UInt16(bigEndian: address.sin_port))
    guard bound == 0, named == 0, listen(listener, 16) == 0 else { throw Unbound() }
    Thread.detachNewThread { [self] in accept() }
  }

  /// Takes no connections any more.
  func stop() { shutdown(listener, CInt(SHUT_RDWR)) }

  /// Cuts the connection of the next COMMIT; for good, it also refuses all later connections.
  func cutNextCommit(_ kind: Kind, forGood isForGood: Bool = false) {
    state.withLock { ($0.next, $0.isForGood, $0.wasCut) = (kind, isForGood, false) }
  }

  /// Whether a connection was cut since the last call of `cutNextCommit`.
  var wasCut: Bool { state.withLock { $0.wasCut } }

  private func takeCut() -> Kind? {
    state.withLock { state in
      guard let kind = state.next else { return nil }
      (state.next, state.wasCut, state.isClosed) = (nil, true, state.isForGood)
      return kind
    }
  }

  // MARK: Connections

  private func accept() {
    defer { close(listener) }
    while Self.readable([listener]) != nil {
      let client = Glibc.accept(listener, nil, nil)
      guard client >= 0 else { return }
      guard !state.withLock({ $0.isClosed }) else {
        close(client)
        continue
      }
      Thread.detachNewThread { [self] in
        let server = Self.makeSocket()
        if unsafe Self.withAddress(target, { unsafe connect(server, $0, $1) }) == 0 {
          relay(client, server)
        }
        close(client)
        close(server)
      }
    }
  }

  /// Relays bytes until one side ends, or the connection is cut.
  private func relay(_ client: Int32, _ server: Int32) {
    while let source = Self.readable([client, server]) {
      guard let bytes = Self.read(source) else { return }
      guard source == client, bytes.hasCommit, let kind = takeCut() else {
        guard Self.write(bytes, to: source == client ? server : client) else { return }
        continue
      }
      if kind == .afterwards {
        Self.write(bytes, to: server)
        // The answer, which the client does not get.
        if Self.readable([server]) != nil { _ = Self.read(server) }
      }
      return
    }
  }

  /// Waits for bytes, or the end, of one of some files; nil if there are none for a minute.
  private static func readable(_ files: [Int32]) -> Int32? {
    var polls = files.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while true {
      let count = unsafe poll(&polls, nfds_t(polls.count), 60_000)
      if count < 0, errno == EINTR { continue }
      return count > 0 ? polls.first { $0.revents != 0 }?.fd : nil
    }
  }

  private static func read(_ file: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = unsafe Glibc.read(file, &bytes, bytes.count)
    return count > 0 ? Array(bytes.prefix(count)) : nil
  }

  /// Writes all bytes; false if the other side has gone.
  @discardableResult
  private static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe send(file, $0.baseAddress, $0.count, withoutSignal)
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private static func makeSocket() -> Int32 {
    socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
  }

  private static func withAddress(
    _ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}

extension [UInt8] {
  /// Whether it has the message of a simple query `COMMIT`.
  fileprivate var hasCommit: Bool {
    let word = Array("COMMIT\0".utf8)
    return count >= word.count && indices.contains { self[$0...].starts(with: word) }
  }
}
