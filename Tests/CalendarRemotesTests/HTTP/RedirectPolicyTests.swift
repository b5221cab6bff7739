// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import Testing

@Suite struct RedirectPolicyTests {
  struct Case: CustomTestStringConvertible {
    let method: HTTPMethod
    var status = 302
    var depth = "1"
    var from = "https://h/cal/"
    let location: String?
    /// The next URL; nil if the response is final, and a text that starts with "!" for a refusal.
    let result: String?
    var keepsCredentials = true
    var testDescription: String { "\(method) \(status) \(location ?? "nowhere")" }
  }

  static let cases = [
    Case(method: .propfind, status: 301, location: "/other/", result: "https://h/other/"),
    Case(method: .propfind, status: 303, location: "/other/", result: "https://h/other/"),
    Case(method: .report, status: 308, location: "https://h/x", result: "https://h/x"),
    Case(method: .put, status: 302, location: "b.ics", result: "https://h/cal/b.ics"),
    Case(method: .put, status: 307, location: "https://h:443/b", result: "https://h/b"),
    Case(method: .propfind, status: 200, location: "/other/", result: nil),
    Case(method: .propfind, status: 304, location: "/other/", result: nil),
    Case(method: .propfind, status: 302, location: nil, result: nil),
    Case(
      method: .propfind, depth: "0", location: "https://other/x", result: "https://other/x",
      keepsCredentials: false),
    Case(
      method: .propfind, location: "https://other/x",
      result: "!redirected to another server, https://other; if you trust it, "
        + "configure that address"),
    Case(
      method: .report, depth: "0", location: "https://other/x",
      result: "!redirected to another server, https://other; if you trust it, "
        + "configure that address"),
    Case(
      method: .get, location: "https://localhost/x",
      result: "!redirected to this machine, https://localhost"),
    Case(
      method: .get, location: "https://localhost./x",
      result: "!redirected to this machine, https://localhost"),
    Case(
      method: .get, location: "https://dav.localhost/x",
      result: "!redirected to this machine, https://dav.localhost"),
    Case(method: .get, location: "https://0/x", result: "!redirected to this machine, https://0"),
    Case(
      method: .get, location: "https://127.1/x",
      result: "!redirected to this machine, https://127.1"),
    Case(
      method: .get, location: "https://0x7f.1/x",
      result: "!redirected to this machine, https://0x7f.1"),
    Case(
      method: .get, location: "https://2130706433/x",
      result: "!redirected to this machine, https://2130706433"),
    Case(
      method: .get, location: "https://[::]/x", result: "!redirected to this machine, https://[::]"
    ),
    Case(
      method: .get, location: "https://[::ffff:127.0.0.1]/x",
      result: "!redirected to this machine, https://[::ffff:127.0.0.1]"),
    Case(
      method: .get, location: "https://128.1/x", result: "https://128.1/x",
      keepsCredentials: false),
    Case(
      method: .get, location: "https://h:8443/x", result: "https://h:8443/x",
      keepsCredentials: false),
    Case(
      method: .get, from: "http://localhost/", location: "https://localhost/",
      result: "https://localhost/", keepsCredentials: false),
    Case(
      method: .put, location: "https://other/x",
      result: "!redirected to another server, https://other, to which no data is sent"),
    Case(
      method: .delete, status: 307, location: "https://h:8443/x",
      result: "!redirected to another server, https://h:8443, to which no data is sent"),
    Case(
      method: .get, location: "http://localhost/",
      result: "!redirected to another server, http://localhost, without encryption"),
    Case(
      method: .get, location: "http://other/",
      result:
        "!redirected to http://other/, which is not allowed: http is for this machine only; use https"
    ),
    Case(
      method: .get, location: "file:///etc/passwd",
      result: "!redirected to file:///etc/passwd, which is not allowed: expected https, found file"),
    Case(
      method: .get, location: "https://alice:pw@other/",
      result:
        "!redirected to https://…@other/, which is not allowed: "
        + "an address must not contain a user name or a password"),
  ]

  @Test(arguments: cases) func `A redirect leads here`(_ row: Case) throws {
    let url = try RemoteURL(parsing: row.from)
    let request = HTTPRequest(
      method: row.method, url: url, headers: ["Depth": row.depth], body: [1, 2, 3],
      credentials: Credentials(user: "alice", password: "s3cret"))
    var response = HTTPResponse(status: row.status, url: url)
    if let location = row.location { response.headers = ["location": location] }
    do {
      let next = try RedirectPolicy.next(after: response, to: request, hops: 0)
      #expect(next?.url.description == row.result)
      guard let next else { return }
      #expect(next.method == row.method && next.body == request.body)
      #expect(next.headers == request.headers)
      #expect((next.credentials != nil) == row.keepsCredentials)
    } catch {
      #expect(error.code == .redirected)
      #expect("!" + error.message == row.result)
    }
  }

  @Test func `A chain ends after five redirects`() throws {
    let url = try RemoteURL(parsing: "https://h/")
    let response = HTTPResponse(status: 302, headers: ["Location": "/"], url: url)
    let request = HTTPRequest(method: .get, url: url)
    #expect(try RedirectPolicy.next(after: response, to: request, hops: 4) != nil)
    #expect(throws: HTTPError.self) {
      try RedirectPolicy.next(after: response, to: request, hops: 5)
    }
  }
}
