// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import Testing

@Suite struct RemoteURLTests {
  struct Case: CustomTestStringConvertible {
    let text: String
    let result: String
    var testDescription: String { text.debugDescription }
  }

  static let accepted = [
    Case(text: "https://dav.example.org/cal/", result: "https://dav.example.org/cal/"),
    Case(text: "HTTPS://DAV.Example.ORG", result: "https://dav.example.org/"),
    Case(text: "https://dav.example.org:443/a", result: "https://dav.example.org/a"),
    Case(
      text: "https://dav.example.org:8443/a?b=c#d", result: "https://dav.example.org:8443/a?b=c"),
    Case(text: "https://dav.example.org:/a", result: "https://dav.example.org/a"),
    Case(text: "https://h/a b/é", result: "https://h/a%20b/%C3%A9"),
    Case(text: "https://h/a%40b@c", result: "https://h/a%40b@c"),
    Case(text: "https://h/a/../b/./c", result: "https://h/b/c"),
    Case(text: "https://[2001:db8::1]:8443/", result: "https://[2001:db8::1]:8443/"),
    Case(text: "http://localhost:5232/", result: "http://localhost:5232/"),
    Case(text: "http://LOCALHOST.:5232/", result: "http://localhost:5232/"),
    Case(text: "http://dav.localhost/", result: "http://dav.localhost/"),
    Case(text: "https://dav.example.org./", result: "https://dav.example.org/"),
    Case(text: "http://127.0.0.1/", result: "http://127.0.0.1/"),
    Case(text: "http://127.255.0.9:80/", result: "http://127.255.0.9/"),
    Case(text: "http://[::1]:5232/", result: "http://[::1]:5232/"),
    Case(text: "http://[0:0:0:0:0:0:0:1]/", result: "http://[0:0:0:0:0:0:0:1]/"),
  ]

  @Test(arguments: accepted) func `An address is read and written`(_ row: Case) throws {
    #expect(try RemoteURL(parsing: row.text).description == row.result)
  }

  static let refused = [
    Case(text: "http://dav.example.org/", result: "http is for this machine only; use https"),
    Case(text: "http://localhost.example.org/", result: "http is for this machine only; use https"),
    Case(text: "http://127.0.0.1.example.org/", result: "http is for this machine only; use https"),
    Case(text: "http://127.1/", result: "http is for this machine only; use https"),
    Case(text: "http://127.0.0.256/", result: "http is for this machine only; use https"),
    Case(text: "http://127.0.0.01/", result: "http is for this machine only; use https"),
    Case(text: "http://0.0.0.0/", result: "http is for this machine only; use https"),
    Case(text: "http://[::2]/", result: "http is for this machine only; use https"),
    Case(text: "http://[::ffff:127.0.0.1]/", result: "http is for this machine only; use https"),
    Case(text: "ftp://h/", result: "expected https, found ftp"),
    Case(text: "file:///etc/passwd", result: "expected https, found file"),
    Case(text: "dav.example.org", result: "expected an address that begins with https://"),
    Case(text: "", result: "expected an address that begins with https://"),
    Case(text: "/etc/passwd", result: "expected an address that begins with https://"),
    Case(
      text: "https://", result: "expected a host name, found \"\" (write it in ASCII)"),
    Case(
      text: "https://é.example/",
      result: "expected a host name, found \"é.example\" (write it in ASCII)"),
    Case(
      text: "https://[::1/", result: "expected a host name, found \"[:\" (write it in ASCII)"),
    Case(text: "https://h:0/", result: "expected a port from 1 through 65535"),
    Case(text: "https://h:65536/", result: "expected a port from 1 through 65535"),
    Case(text: "https://h:+80/", result: "expected a port from 1 through 65535"),
    Case(
      text: "https://h/a\r\nX: y",
      result: "an address must not contain control characters or exceed 8192 bytes"),
    Case(
      text: "https://h/" + String(repeating: "a", count: 9000),
      result: "an address must not contain control characters or exceed 8192 bytes"),
  ]

  @Test(arguments: refused) func `An address is refused`(_ row: Case) {
    let error = #expect(throws: RemoteError.self) { try RemoteURL(parsing: row.text) }
    #expect(error?.code == .configuration)
    #expect(error?.message == row.result)
  }

  @Test(arguments: ["https://alice:s3cret@h/", "https://s3cret@h/", "ftp://a:s3cret@h", "s3cret@h"])
  func `A password in an address is refused and not repeated`(_ text: String) {
    let error = #expect(throws: RemoteError.self) { try RemoteURL(parsing: text) }
    #expect(error?.code == .configuration)
    #expect(error.map { !$0.description.contains("s3cret") } ?? false)
  }

  /// The examples of RFC 3986 §5.4, without their fragments, which are never sent.
  static let references = [
    Case(text: "g", result: "https://a/b/c/g"),
    Case(text: "./g", result: "https://a/b/c/g"),
    Case(text: "g/", result: "https://a/b/c/g/"),
    Case(text: "/g", result: "https://a/g"),
    Case(text: "//g", result: "https://g/"),
    Case(text: "?y", result: "https://a/b/c/d;p?y"),
    Case(text: "g?y", result: "https://a/b/c/g?y"),
    Case(text: "#s", result: "https://a/b/c/d;p?q"),
    Case(text: "g#s", result: "https://a/b/c/g"),
    Case(text: ";x", result: "https://a/b/c/;x"),
    Case(text: "g;x=1/../y", result: "https://a/b/c/y"),
    Case(text: "", result: "https://a/b/c/d;p?q"),
    Case(text: ".", result: "https://a/b/c/"),
    Case(text: "./", result: "https://a/b/c/"),
    Case(text: "..", result: "https://a/b/"),
    Case(text: "../g", result: "https://a/b/g"),
    Case(text: "../..", result: "https://a/"),
    Case(text: "../../g", result: "https://a/g"),
    Case(text: "../../../../g", result: "https://a/g"),
    Case(text: "/./g", result: "https://a/g"),
    Case(text: "/../g", result: "https://a/g"),
    Case(text: "g.", result: "https://a/b/c/g."),
    Case(text: "..g", result: "https://a/b/c/..g"),
    Case(text: "./../g", result: "https://a/b/g"),
    Case(text: "g/./h", result: "https://a/b/c/g/h"),
    Case(text: "https://other/x", result: "https://other/x"),
    Case(text: "/a:b", result: "https://a/a:b"),
  ]

  @Test(arguments: references) func `A reference is resolved`(_ row: Case) throws {
    let base = try RemoteURL(parsing: "https://a/b/c/d;p?q")
    #expect(try base.resolving(row.text).description == row.result)
  }

  @Test(arguments: [
    "http://evil.example/", "file:///etc/passwd", "https://alice:x@evil.example/", "a:b",
    "//x@evil.example/",
  ])
  func `A reference to where requests may not go is refused`(_ text: String) throws {
    let base = try RemoteURL(parsing: "https://a/b/")
    #expect(throws: RemoteError.self) { try base.resolving(text) }
  }

  static let equal = [
    ("/a@b.ics", "/a%40b.ics"), ("/%c3%a9", "/%C3%A9"), ("/%7Ealice", "/~alice"),
    ("/a%2eics", "/a.ics"), ("/100%", "/100%25"),
  ]

  @Test(arguments: equal) func `Two spellings are one path`(_ one: String, _ other: String) throws {
    let base = try RemoteURL(parsing: "https://h/")
    #expect(try base.resolving(one).normalized == base.resolving(other).normalized)
  }

  @Test(arguments: [("/a%2Fb", "/a/b"), ("/a%252Fb", "/a%2Fb"), ("/A", "/a"), ("/a", "/a/")])
  func `Two paths are not one`(_ one: String, _ other: String) throws {
    let base = try RemoteURL(parsing: "https://h/")
    #expect(try base.resolving(one).normalized != base.resolving(other).normalized)
  }

  struct Member: CustomTestStringConvertible {
    let href: String
    let isInside: Bool
    var testDescription: String { href }
  }

  static let members = [
    Member(href: "a.ics", isInside: true),
    Member(href: "/c%61l/a.ics", isInside: true),
    Member(href: "https://h/cal/a.ics", isInside: true),
    Member(href: "/cal/", isInside: false),
    Member(href: "/cal", isInside: false),
    Member(href: "/calendar/a.ics", isInside: false),
    Member(href: "/cal/../other/a.ics", isInside: false),
    Member(href: "/cal/%2E%2e/other/a.ics", isInside: false),
    Member(href: "https://other/cal/a.ics", isInside: false),
    Member(href: "https://h:8443/cal/a.ics", isInside: false),
  ]

  @Test(arguments: members) func `A member is inside its collection`(_ row: Member) throws {
    let collection = try RemoteURL(parsing: "https://h/cal/")
    #expect(try collection.resolving(row.href).isInside(collection) == row.isInside)
  }
}
