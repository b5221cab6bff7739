// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// The server at a port of its own.
struct PageServerTests {
  /// The program, which is beside the tests.
  private static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "epact-serve").path

  /// Runs the program at a free port, and a test with its port and its address.
  ///
  /// In this process, other tests may keep all threads of tasks from the server until connections time out.
  private static func serve(
    _ test: @Sendable (_ port: Int, _ address: String) async throws -> Void
  ) async throws {
    let scene = try PageScene()
    let path = scene.folder.path(of: "address")
    let file = unsafe open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    defer { close(file) }
    var program = TestProgram([Self.program, "--port", "0"])
    program.environment = ["HOME": scene.folder.path]
    program.output = .file(file)
    let server = try program.start()
    do {
      let address = try await Self.address(at: path)
      let digits = address.dropFirst("http://127.0.0.1:".count).prefix { $0 != "/" }
      let port = try #require(Int(digits))
      try await test(port, address)
      #expect(server.terminate() == 0)
      await #expect(throws: LoopbackClient.Failure.self) {
        try await LoopbackClient.exchange(port, "GET / HTTP/1.1\r\n\r\n")
      }
    } catch {
      server.kill()
      throw error
    }
  }

  /// The first line of the output, once it is there.
  private static func address(at path: String) async throws -> String {
    for _ in 0..<12_000 {
      let text = try String(contentsOfFile: path, encoding: .utf8)
      if let end = text.firstIndex(of: "\n") { return String(text[..<end]) }
      try await Task.sleep(for: .milliseconds(50))
    }
    Issue.record("no address was printed in ten minutes")
    throw LoopbackClient.Failure(number: ETIMEDOUT)
  }

  private static func get(_ port: Int, _ path: String, _ method: String = "GET") async throws
    -> String
  {
    try await LoopbackClient.exchange(
      port, "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n")
  }

  @Test("The printed address signs in at the port that the system chose")
  func freePort() async throws {
    try await Self.serve { port, address in
      let start = "http://127.0.0.1:\(port)"
      #expect(port > 0 && address.wholeMatch(of: /http:.*\/\?key=[0-9a-f]{64}/) != nil)
      let answer = try await Self.get(port, String(address.dropFirst(start.count)))
      #expect(answer.hasPrefix("HTTP/1.1 30"), "\(answer)")
      #expect(answer.contains("Set-Cookie: epact=") || answer.contains("set-cookie: epact="))
      let page = try await Self.get(port, "/")
      #expect(page.hasPrefix("HTTP/1.1 401"))
      let head = try await Self.get(port, "/", "HEAD")
      #expect(head.hasPrefix("HTTP/1.1 401") && head.hasSuffix("\r\n\r\n"), "\(head)")
    }
  }

  @Test("Requests without a host, with two, and with another one are refused")
  func hosts() async throws {
    try await Self.serve { port, _ in
      for (lines, codes) in [
        ("", ["421", "400"]), ("Host: evil.example\r\n", ["421"]),
        ("Host: localhost:\(port)\r\n", ["401"]), ("Host: [::1]:\(port)\r\n", ["401"]),
        ("Host: localhost:\(port)\r\nHost: evil.example\r\n", ["421", "400", "401"]),
        ("Host: evil.example\r\nHost: localhost:\(port)\r\n", ["421", "400"]),
        ("Host: evil.example\r\nX-Forwarded-Host: localhost:\(port)\r\n", ["421"]),
      ] {
        let answer = try await LoopbackClient.exchange(
          port, "GET / HTTP/1.1\r\n\(lines)Connection: close\r\n\r\n")
        #expect(
          codes.contains { answer.hasPrefix("HTTP/1.1 \($0)") }, "\(lines): \(answer.prefix(99))")
      }
      let absolute = try await LoopbackClient.exchange(
        port,
        "GET http://evil.example/ HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n")
      #expect(!absolute.hasPrefix("HTTP/1.1 200"))
    }
  }

  @Test("Headers over 16 KB and bodies over 64 KB are refused")
  func limits() async throws {
    try await Self.serve { port, address in
      let host = "Host: 127.0.0.1:\(port)\r\nConnection: close\r\n"
      let long = String(repeating: "x", count: 20_000)
      let header = try await LoopbackClient.exchange(
        port, "GET /assets/page.css HTTP/1.1\r\n\(host)X-Long: \(long)\r\n\r\n")
      #expect(!header.hasPrefix("HTTP/1.1 200"), "\(header.prefix(99))")
      let key = address.drop { $0 != "?" }
      let signIn = try await Self.get(port, "/\(key)")
      let cookie = try #require(signIn.firstMatch(of: /epact=[0-9a-f]{64}/)).output
      let body = "text=" + String(repeating: "x", count: 100_000)
      let form = try await LoopbackClient.exchange(
        port,
        "POST /new HTTP/1.1\r\n\(host)Cookie: \(cookie)\r\nContent-Type: "
          + "application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n"
          + "\(String(body.utf8.count, radix: 16))\r\n\(body)\r\n0\r\n\r\n")
      #expect(form.hasPrefix("HTTP/1.1 413"), "\(form.prefix(200))")
    }
  }
}
