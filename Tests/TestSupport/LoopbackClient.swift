// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc

/// Sends requests to a port of this machine as bytes, without a library that would correct them.
package enum LoopbackClient {
  /// The reason why no connection was made.
  package struct Failure: Error {
    /// The number of the error.
    package let number: Int32

    /// Creates a reason.
    package init(number: Int32) { self.number = number }
  }

  /// Sends bytes, and returns all that comes back until the server closes the connection.
  ///
  /// - Throws: ``Failure`` if nothing listens at the port.
  package static func exchange(_ port: Int, _ request: String) async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
      // The threads of tasks have to answer meanwhile.
      DispatchQueue.global().async {
        continuation.resume(with: Result { try bytes(port, Array(request.utf8)) })
      }
    }
  }

  private static func bytes(_ port: Int, _ request: [UInt8]) throws -> String {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    unsafe setsockopt(
      socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = unsafe withUnsafePointer(to: address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(socket, $0, size)
      }
    }
    guard result == 0 else { throw Failure(number: errno) }
    var rest = request[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      // The server may close before it has read everything.
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes {
        unsafe recv(socket, $0.baseAddress, $0.count, 0)
      }
      guard count > 0 else { return String(decoding: answer, as: UTF8.self) }
      answer += buffer.prefix(count)
    }
  }
}

/// A browser that a program opens: a script that hands the address to the test.
package struct FakeBrowser: Sendable {
  /// The value of `$BROWSER`.
  package let command: String
  private let pipe: String

  /// Makes the script in a folder.
  package init(in folder: TemporaryFolder) throws {
    pipe = folder.path(of: "opened")
    guard unsafe mkfifo(pipe, 0o600) == 0 else { throw LoopbackClient.Failure(number: errno) }
    command = try folder.write("#!/bin/sh\necho \"$1\" >'\(pipe)'\n".utf8, to: "browser")
    guard unsafe chmod(command, 0o700) == 0 else {
      throw LoopbackClient.Failure(number: errno)
    }
  }

  /// Waits for the address that is opened.
  ///
  /// - Throws: ``LoopbackClient/Failure`` if none is opened in 20 minutes: where all tests share two
  ///   threads, the program that opens it starts late.
  package func address() async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try firstLine() })
      }
    }
  }

  private func firstLine() throws -> String {
    // An end for writing of its own: opening does not wait, and reading never meets an end.
    let end = unsafe open(pipe, O_RDWR | O_CLOEXEC)
    defer { close(end) }
    var text: [UInt8] = []
    while text.last != UInt8(ascii: "\n") {
      var waiting = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&waiting, 1, 1_200_000) == 1 else {
        throw LoopbackClient.Failure(number: ETIMEDOUT)
      }
      var byte: UInt8 = 0
      guard unsafe read(end, &byte, 1) == 1 else {
        throw LoopbackClient.Failure(number: errno)
      }
      text.append(byte)
    }
    return String(decoding: text.dropLast(), as: UTF8.self)
  }
}

/// A browser's requests to the page of a form, whose address was opened.
package struct FormClient: Sendable {
  /// The port of the server.
  package let port: Int
  private let cookie: String

  /// Exchanges the key of an address for a cookie.
  ///
  /// - Throws: ``LoopbackClient/Failure`` if nothing listens, or the key is refused.
  package init(opening address: String) async throws {
    let rest = address.dropFirst("http://127.0.0.1:".count)
    guard let port = Int(rest.prefix { $0 != "/" }) else {
      throw LoopbackClient.Failure(number: EINVAL)
    }
    self.port = port
    let path = rest.drop { $0 != "/" }
    let answer = try await LoopbackClient.exchange(port, Self.head("GET", String(path), port, ""))
    guard let found = answer.firstMatch(of: /(epact-form-[0-9]+=[0-9a-f]{64});/) else {
      throw LoopbackClient.Failure(number: EACCES)
    }
    cookie = String(found.output.1)
  }

  private static func head(
    _ method: String, _ path: String, _ port: Int, _ more: String
  ) -> String {
    "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\(more)\r\n"
  }

  /// The response to a GET request, with its head.
  package func get(_ path: String) async throws -> String {
    try await LoopbackClient.exchange(
      port, Self.head("GET", path, port, "Cookie: \(cookie)\r\n"))
  }

  /// Sends the form at a path as it is, but for some values.
  ///
  /// - Returns: The response, with its head.
  package func send(_ changes: [String: String], to path: String = "/") async throws -> String {
    let page = try await get(path)
    var values: [String: String] = [:]
    for input in page.matches(of: /<input[^>]*? name="([^"]*)" value="([^"]*)"/) {
      guard !input.output.0.contains("type=\"checkbox\""), !input.output.0.contains("radio") else {
        continue
      }
      values[String(input.output.1)] = Self.unescaped(input.output.2)
    }
    for area in page.matches(of: /<textarea name="([^"]*)"[^>]*>\n([^<]*)</) {
      values[String(area.output.1)] = Self.unescaped(area.output.2)
    }
    if let option = page.firstMatch(of: /<option value="([^"]*)" selected>/) {
      values["calendar"] = String(option.output.1)
    }
    values.merge(changes) { $1 }
    let body = values.map { "\(Self.escaped($0.key))=\(Self.escaped($0.value))" }
      .joined(separator: "&")
    let more =
      "Cookie: \(cookie)\r\nOrigin: http://127.0.0.1:\(port)\r\n"
      + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: \(body.utf8.count)\r\n"
    return try await LoopbackClient.exchange(port, Self.head("POST", path, port, more) + body)
  }

  /// The text of escaped HTML.
  private static func unescaped(_ text: Substring) -> String {
    let references = [
      "&lt;": "<", "&gt;": ">", "&quot;": "\"", "&#39;": "'", "&#96;": "`", "&#61;": "=",
    ]
    return references.reduce(String(text)) { $0.replacing($1.key, with: $1.value) }
      .replacing("&amp;", with: "&")
  }

  private static func escaped(_ text: String) -> String {
    text.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
