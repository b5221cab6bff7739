// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CalendarSync
import TestSupport
import Testing

@Suite("Classes of requests") struct AccessRequestTests {
  /// A request and the class that it is of.
  private struct Row: CustomTestStringConvertible {
    let method: HTTPMethod
    let url: String
    var headers: HTTPHeaders = [:]
    var body = ""
    let effect: AccessRequest.Effect
    let text: String

    var testDescription: String { text }
  }

  private static let rows = [
    Row(method: .get, url: "https://h/cal/secret.ics", effect: .read, text: "GET item"),
    Row(
      method: .get, url: "https://h/x", headers: ["If-None-Match": "\"secret\""], effect: .read,
      text: "GET If-None-Match item"),
    Row(
      method: .propfind, url: "https://h/cal/", headers: ["Depth": "1"], effect: .read,
      text: "PROPFIND Depth: 1 collection"),
    Row(
      method: .propfind, url: "https://h/.well-known/caldav", headers: ["Depth": "0"],
      effect: .read, text: "PROPFIND Depth: 0 well-known address"),
    Row(
      method: .report, url: "https://h/cal/", body: "<c:calendar-multiget xmlns:c=\"x\">secret",
      effect: .read, text: "REPORT calendar-multiget collection"),
    Row(
      method: .put, url: "https://h/cal/secret.ics", headers: ["If-None-Match": "*"],
      body: "secret", effect: .add, text: "PUT If-None-Match: * item"),
    Row(
      method: .put, url: "https://h/cal/secret.ics",
      headers: ["If-None-Match": "*", "If-Match": "\"secret\""], effect: .change,
      text: "PUT If-Match If-None-Match: * item"),
    Row(
      method: .put, url: "https://h/cal/secret.ics", headers: ["If-Match": "\"secret\""],
      effect: .change, text: "PUT If-Match item"),
    Row(method: .put, url: "https://h/cal/secret.ics", effect: .change, text: "PUT item"),
    Row(
      method: .delete, url: "https://h/cal/secret.ics", headers: ["If-Match": "\"secret\""],
      effect: .change, text: "DELETE If-Match item"),
  ]

  @Test("A class tells what is done, and nothing of what it is done to", arguments: rows)
  private func classOf(row: Row) throws {
    let request = AccessRequest(
      HTTPRequest(
        method: row.method, url: try RemoteURL(parsing: row.url), headers: row.headers,
        body: Array(row.body.utf8)))
    #expect(request.effect == row.effect)
    #expect(request.description == row.text)
    #expect(!request.description.contains("secret"))
  }

  @Test("A request that may not be noted is not sent")
  func refused() async throws {
    struct Refusal: Error {}
    let base = ScriptedTransport([])
    let transport = ObservedTransport(base, note: { _ in throw Refusal() }, observe: { _ in })
    let request = HTTPRequest(method: .get, url: try RemoteURL(parsing: "https://h/"))
    await #expect(throws: Refusal.self) { try await transport.send(request) }
    #expect(base.log.isEmpty)
  }
}
