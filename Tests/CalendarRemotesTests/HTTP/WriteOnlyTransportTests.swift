// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import Testing

@Suite struct WriteOnlyTransportTests {
  struct Case: CustomTestStringConvertible {
    let method: HTTPMethod
    let headers: HTTPHeaders
    let isSent: Bool
    var testDescription: String { "\(method) \(headers.fields.map { "\($0.name): \($0.value)" })" }
  }

  static let cases = [
    Case(method: .put, headers: ["If-None-Match": "*"], isSent: true),
    Case(
      method: .put, headers: ["if-none-match": "*", "Content-Type": "text/plain"], isSent: true),
    Case(method: .put, headers: [:], isSent: false),
    Case(method: .put, headers: ["If-Match": "\"1\""], isSent: false),
    Case(method: .put, headers: ["If-None-Match": "\"1\""], isSent: false),
    Case(method: .put, headers: ["If-None-Match": "*", "If-Match": "\"1\""], isSent: false),
    Case(method: .put, headers: ["If-None-Match": "*", "if-none-match": "\"1\""], isSent: false),
    Case(method: .get, headers: ["If-None-Match": "*"], isSent: false),
    Case(method: .delete, headers: ["If-None-Match": "*"], isSent: false),
    Case(method: .propfind, headers: ["If-None-Match": "*"], isSent: false),
    Case(method: .report, headers: ["If-None-Match": "*"], isSent: false),
  ]

  @Test(arguments: cases) func `Nothing but additions gets through`(_ row: Case) async throws {
    let url = try RemoteURL(parsing: "https://h/cal/a.ics")
    let script = ScriptedTransport([
      .init(row.method, "https://h/cal/a.ics", answer: .status(201))
    ])
    let transport = WriteOnlyTransport(script)
    let request = HTTPRequest(method: row.method, url: url, headers: row.headers)
    if row.isSent {
      #expect(try await transport.send(request).status == 201)
    } else {
      let error = await #expect(throws: HTTPError.self) { try await transport.send(request) }
      #expect(error?.code == .refused)
      #expect(script.log.isEmpty)
    }
  }
}
