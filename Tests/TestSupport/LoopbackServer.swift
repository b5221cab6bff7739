// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization

/// A server on this machine that answers as a script says, down to single bytes and cut connections.
///
/// It knows just enough HTTP/1.1 to tell where a request ends. It records every request.
package final class LoopbackServer: Sendable {
  /// A request as it came.
  package struct Request: Sendable {
    /// The number of the connection it came on, from 1.
    package let connection: Int
    package let method: String
    package let target: String
    package let fields: [String: String]
    package let body: [UInt8]

    /// Creates a request, for a server without a socket.
    package init(
      connection: Int = 1, method: String, target: String, fields: [String: String], body: [UInt8]
    ) {
      (self.connection, self.method, self.target) = (connection, method, target)
      (self.fields, self.body) = (fields, body)
    }

    /// The value of a field; its name in lower case.
    package subscript(name: String) -> String? { fields[name] }
  }

  /// A thing to do in answer to a request; what ends the list leaves the connection open.
  package enum Step: Sendable {
    case send(String)
    case bytes([UInt8])
    case pause(milliseconds: Int)
    /// Ends the connection in order.
    case close
    /// Ends the connection with a reset.
    case reset

    /// A whole answer with the right length.
    package static func answer(
      _ status: String, fields: [String] = [], body: String = ""
    ) -> Step {
      let head = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + fields
      return .send(head.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }
  }

  package typealias Script = @Sendable (Request) -> [Step]

  private struct State {
    var requests: [Request] = []
    var connections = 0
    var open: Set<CInt> = []
    var isStopped = false
    var isListening = true
  }

  /// The port the server listens on.
  package let port: Int
  private let listener: CInt
  private let script: Script
  private let state = Mutex(State())

  /// Starts a server that answers each request with the steps that the script gives for it, on a port or,
  /// with 0, on any.
  package init(port: Int = 0, script: @escaping Script) throws {
    self.script = script
    (listener, self.port) = try Self.listen(on: port)
    Thread.detachNewThread { [self] in acceptAll() }
  }

  /// Every request so far, in order.
  package var requests: [Request] { state.withLock { $0.requests } }

  /// Waits until nobody is connected any more and all that was sent is dealt with.
  package func waitUntilIdle() {
    // Connections are taken in their order: once one of our own is, so are all that came before.
    let known = state.withLock { $0.connections }
    let probe = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = in_port_t(port).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe connect(probe, pointer, size)
      }
    }
    close(probe)
    while state.withLock({ !$0.isStopped && ($0.connections == known || !$0.open.isEmpty) }) {
      usleep(500)
    }
  }

  /// Ends all connections and listens no more.
  ///
  /// Under the lock, as is the closing: a number that was closed meanwhile may be that of a socket of
  /// somebody else.
  package func stop() {
    state.withLock { state in
      state.isStopped = true
      if state.isListening { shutdown(listener, CInt(SHUT_RDWR)) }
      for connection in state.open { shutdown(connection, CInt(SHUT_RDWR)) }
    }
  }

  private static func listen(on port: Int) throws -> (CInt, Int) {
    let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = in_port_t(port).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe bind(listener, pointer, size) == 0 && Glibc.listen(listener, 32) == 0
          && getsockname(listener, pointer, &size) == 0
      }
    }
    guard status else {
      close(listener)
      throw POSIXError(.EADDRINUSE)
    }
    return (listener, Int(UInt16(bigEndian: address.sin_port)))
  }

  private func acceptAll() {
    while true {
      let connection = accept(listener, nil, nil)
      // A program that inherited it would keep it open.
      _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
      let number = state.withLock { state in
        state.connections += 1
        if connection >= 0 { state.open.insert(connection) }
        return state.isStopped ? nil : state.connections
      }
      guard connection >= 0, let number else { break }
      Thread.detachNewThread { [self] in
        serve(connection, number: number)
        state.withLock { state in
          state.open.remove(connection)
          close(connection)
        }
      }
    }
    state.withLock { state in
      state.isListening = false
      close(listener)
    }
  }

  private func serve(_ connection: CInt, number: Int) {
    var buffer: [UInt8] = []
    while let request = readRequest(from: connection, number: number, buffer: &buffer) {
      state.withLock { $0.requests.append(request) }
      for step in script(request) {
        guard perform(step, on: connection) else { return }
      }
    }
  }

  /// Does a step; false if the connection is over.
  private func perform(_ step: Step, on connection: CInt) -> Bool {
    switch step {
    case .send(let text): return write(Array(text.utf8), to: connection)
    case .bytes(let bytes): return write(bytes, to: connection)
    case .pause(let milliseconds):
      usleep(UInt32(milliseconds) * 1000)
      return true
    case .close: return false
    case .reset:
      var option = linger(l_onoff: 1, l_linger: 0)
      unsafe setsockopt(
        connection, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
      return false
    }
  }

  private func write(_ bytes: [UInt8], to connection: CInt) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe send(connection, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private func readRequest(
    from connection: CInt, number: Int, buffer: inout [UInt8]
  ) -> Request? {
    let blankLine = Array("\r\n\r\n".utf8)
    var headEnd = buffer.firstRange(of: blankLine)
    while headEnd == nil {
      guard readMore(from: connection, into: &buffer) else { return nil }
      headEnd = buffer.firstRange(of: blankLine)
    }
    guard let headEnd else { return nil }
    let head = String(decoding: buffer[..<headEnd.lowerBound], as: UTF8.self)
    var lines = head.components(separatedBy: "\r\n")
    let start = lines.removeFirst().split(separator: " ")
    guard start.count == 3 else { return nil }
    var fields: [String: String] = [:]
    for line in lines {
      guard let colon = line.firstIndex(of: ":") else { continue }
      fields[line[..<colon].lowercased()] =
        line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }
    let length = fields["content-length"].flatMap { Int($0) } ?? 0
    while buffer.count < headEnd.upperBound + length {
      guard readMore(from: connection, into: &buffer) else { return nil }
    }
    let body = Array(buffer[headEnd.upperBound..<(headEnd.upperBound + length)])
    buffer.removeFirst(headEnd.upperBound + length)
    return Request(
      connection: number, method: String(start[0]), target: String(start[1]), fields: fields,
      body: body)
  }

  private func readMore(from connection: CInt, into buffer: inout [UInt8]) -> Bool {
    var chunk = [UInt8](repeating: 0, count: 65536)
    let count = unsafe recv(connection, &chunk, chunk.count, 0)
    guard count > 0 else { return false }
    buffer.append(contentsOf: chunk[..<count])
    return true
  }
}
