// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import CalendarRemotes
import Glibc

/// Waits on a port of this machine for the browser that returns from a sign-in (RFC 8252 §7.3).
///
/// Only requests of the same user are read, and only one with the path and the state of the sign-in is
/// taken. All others are answered and forgotten. It cannot be copied, because two copies would close
/// the same sockets.
struct SignInListener: ~Copyable {
  /// A connection whose request is not complete.
  private struct Connection {
    let descriptor: Int32
    var bytes: [UInt8] = []
    let deadline: Double
  }

  /// The delay between two looks at the sockets.
  private static let delay = Duration.milliseconds(25)
  /// The maximum size of a request, in bytes.
  private static let sizeLimit = 16 << 10
  /// The maximum number of connections at a time; browsers open some that they do not use.
  private static let connectionLimit = 16
  /// The maximum time for a request, in seconds.
  private static let requestTime = 10.0
  private static let host = [127, 0, 0, 1]

  /// The port.
  let port: Int
  private let socket: Int32

  /// Listens on a free port of the loopback interface.
  ///
  /// - Throws: `EpactError` if the system has none.
  init() throws(EpactError) {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let descriptor = Glibc.socket(AF_INET, kind, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(descriptor, $0, length) == 0 && listen(descriptor, 8) == 0
          && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard descriptor >= 0, isBound else {
      let error = SystemError()
      close(descriptor)
      throw EpactError(.failed, "cannot wait for the browser: \(error)")
    }
    socket = descriptor
    port = Int(UInt16(bigEndian: address.sin_port))
  }

  deinit { close(socket) }

  /// Waits for the answer to a request, and shows the browser a page.
  ///
  /// - Parameters:
  ///   - request: The request that the browser was sent with.
  ///   - deadline: The end of the waiting time, by the machine's stopwatch.
  ///   - machine: The machine with the clock.
  /// - Returns: The code in the answer.
  /// - Throws: `AuthorizationError` for the refusal of the server or the user, and with the code
  ///   `expired` if no browser returned; `CancellationError`.
  consuming func code(
    for request: AuthorizationRequest, until deadline: Double, on machine: Machine
  ) async throws -> AuthorizationCode {
    var connections: [Connection] = []
    defer { for connection in connections { close(connection.descriptor) } }
    while machine.stopwatch() < deadline {
      if connections.count < Self.connectionLimit, let new = accepted() {
        connections.append(
          Connection(descriptor: new, deadline: machine.stopwatch() + Self.requestTime))
      }
      for index in connections.indices.reversed() {
        let isOver = Self.read(&connections[index])
        let isLate = machine.stopwatch() >= connections[index].deadline
        let target = target(of: connections[index].bytes)
        guard target != nil || isOver || isLate else { continue }
        let connection = connections.remove(at: index)
        defer { close(connection.descriptor) }
        guard let target else { continue }
        let (page, result) = answer(to: target, of: request)
        page.send(to: connection.descriptor)
        if let result { return try result.get() }
      }
      try await machine.pace.sleep(Self.delay)
    }
    throw AuthorizationError.noAnswer(from: request)
  }

  /// The next connection of the same user; nil if there is none.
  private func accepted() -> Int32? {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe accept(socket, $0, &length)
      }
    }
    guard descriptor >= 0 else { return nil }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    // All users of a machine can connect to a port.
    let far = ConnectionOwner.entry(Self.host, Int(UInt16(bigEndian: address.sin_port)))
    guard !ConnectionOwner.isOther(far, ConnectionOwner.entry(Self.host, port)) else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  /// Reads the bytes that have arrived; returns whether the request is complete or closed.
  private static func read(_ connection: inout Connection) -> Bool {
    var bytes = [UInt8](repeating: 0, count: sizeLimit)
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe Glibc.read(connection.descriptor, buffer.baseAddress, buffer.count)
    }
    if count > 0 { connection.bytes += bytes.prefix(count) }
    let isOver = count == 0 || count < 0 && errno != EAGAIN && errno != EINTR
    return isOver || connection.bytes.count > sizeLimit
  }

  /// The target of a complete request; nil if more bytes are needed.
  private func target(of bytes: [UInt8]) -> String? {
    guard bytes.count <= Self.sizeLimit, bytes.firstRange(of: Array("\r\n\r\n".utf8)) != nil else {
      return nil
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
    let words = lines.first?.split(separator: " ") ?? []
    let hosts = lines.dropFirst().filter { $0.lowercased().hasPrefix("host:") }
      .map { $0.dropFirst("host:".count).filter { !$0.isWhitespace }.lowercased() }
    // Another host is a page whose name leads to this machine.
    guard words.count == 3, words[0] == "GET",
      hosts == ["127.0.0.1:\(port)"] || hosts == ["localhost:\(port)"]
    else { return "" }
    return String(words[1])
  }

  /// The page for the browser, and the result unless the waiting goes on.
  private func answer(
    to target: String, of request: AuthorizationRequest
  ) -> (SignInPage, Result<AuthorizationCode, AuthorizationError>?) {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == "/" else { return (.nothing, nil) }
    do throws(AuthorizationError) {
      return (.received, .success(try request.code(inQuery: String(parts[1]))))
    } catch {
      switch error.code {
      case .otherState: return (.otherSignIn, nil)
      case .denied: return (.refused, .failure(error))
      default: return (.failed, .failure(error))
      }
    }
  }
}

/// A page for the browser that returns from a sign-in; it has nothing of the request in it.
private struct SignInPage {
  let status: String
  let text: String

  static let received = SignInPage(
    status: "200 OK",
    text: "The answer has arrived. You can close this page; the terminal shows the result.")
  static let refused = SignInPage(
    status: "200 OK", text: "The access was refused. You can close this page.")
  static let failed = SignInPage(
    status: "200 OK",
    text: "The sign-in failed. You can close this page; the terminal shows the reason.")
  static let otherSignIn = SignInPage(
    status: "400 Bad Request", text: "This answer belongs to another sign-in, and was not taken.")
  static let nothing = SignInPage(status: "404 Not Found", text: "There is nothing here.")

  /// Sends the page; a browser that has gone does not matter.
  func send(to descriptor: Int32) {
    let body =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Epact</title></head>"
      + "<body><p>\(text)</p></body></html>\n"
    let fields = [
      "HTTP/1.1 \(status)", "Content-Type: text/html; charset=utf-8",
      "Content-Length: \(body.utf8.count)", "Cache-Control: no-store",
      "Referrer-Policy: no-referrer", "Content-Security-Policy: default-src 'none'",
      "X-Content-Type-Options: nosniff", "Connection: close",
    ]
    let bytes = Array((fields.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
    // The page is smaller than the buffer of a socket.
    _ = unsafe bytes.withUnsafeBytes {
      unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    shutdown(descriptor, Int32(SHUT_WR))
  }
}
