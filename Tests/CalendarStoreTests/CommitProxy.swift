// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization
import TestSupport

/// A relay to a PostgreSQL server on loopback, which can cut a connection around a COMMIT.
final class CommitProxy: Sendable {
  /// When a connection is cut.
  enum Kind {
    /// Before the server gets the COMMIT.
    case before
    /// After the server has answered it.
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
    listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
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

  deinit { shutdown(listener, CInt(SHUT_RDWR)) }

  /// Cuts the connection of the next COMMIT; for good, it also refuses all later connections.
  func cutNextCommit(_ kind: Kind, forGood isForGood: Bool = false) {
    state.withLock { ($0.next, $0.isForGood, $0.wasCut) = (kind, isForGood, false) }
  }

  /// Whether a connection was cut since the last call of `cutNextCommit`.
  var wasCut: Bool { state.withLock { $0.wasCut } }

  private func accept() {
    while true {
      let client = Glibc.accept(listener, nil, nil)
      guard client >= 0 else { return }
      let server = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
      let isOpen = !state.withLock { $0.isClosed }
      guard isOpen, unsafe Self.withAddress(target, { unsafe connect(server, $0, $1) }) == 0 else {
        close(client)
        close(server)
        continue
      }
      relay(client, server)
    }
  }

  private func relay(_ client: Int32, _ server: Int32) {
    let isMuted = Flag()
    Thread.detachNewThread { [self] in
      while let bytes = Self.read(client) {
        let kind = bytes.hasCommit ? state.withLock { $0.next } : nil
        if let kind {
          isMuted.set()
          if kind == .afterwards {
            Self.write(bytes, to: server)
            usleep(300_000)
          }
          state.withLock {
            ($0.next, $0.wasCut) = (nil, true)
            if $0.isForGood { $0.isClosed = true }
          }
          break
        }
        Self.write(bytes, to: server)
      }
      shutdown(client, CInt(SHUT_RDWR))
      shutdown(server, CInt(SHUT_RDWR))
    }
    Thread.detachNewThread {
      while let bytes = Self.read(server) {
        if !isMuted.isSet { Self.write(bytes, to: client) }
      }
      shutdown(client, CInt(SHUT_RDWR))
    }
  }

  private static func read(_ file: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = unsafe Glibc.read(file, &bytes, bytes.count)
    return count > 0 ? Array(bytes.prefix(count)) : nil
  }

  private static func write(_ bytes: [UInt8], to file: Int32) {
    _ = unsafe send(file, bytes, bytes.count, Self.withoutSignal)
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

/// A mark that one thread sets and another one reads.
private final class Flag: Sendable {
  private let value = Atomic(false)
  var isSet: Bool { value.load(ordering: .sequentiallyConsistent) }
  func set() { value.store(true, ordering: .sequentiallyConsistent) }
}

extension [UInt8] {
  /// Whether it has the message of a simple query `COMMIT`.
  fileprivate var hasCommit: Bool {
    let word = Array("COMMIT\0".utf8)
    return count >= word.count && indices.contains { self[$0...].starts(with: word) }
  }
}
