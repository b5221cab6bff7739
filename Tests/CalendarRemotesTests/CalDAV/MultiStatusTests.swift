// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import Testing

@Suite struct MultiStatusTests {
  /// A document with this content of its root.
  static func document(_ content: String) -> String {
    #"<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">"#
      + content + "</d:multistatus>"
  }

  func read(
    _ text: String, limits: XMLDocumentReader.Limits = .init()
  ) throws(XMLDocumentError) -> MultiStatus {
    try MultiStatus(parsing: Array(text.utf8), limits: limits)
  }

  @Test func `Properties have the status of their group`() throws {
    let answer = try read(
      Self.document(
        """
        <d:response><d:href> /cal/a%40b.ics </d:href>
          <d:propstat><d:prop><d:getetag>"1&amp;2"</d:getetag></d:prop>
            <d:status>HTTP/1.1 200 OK</d:status></d:propstat>
          <d:propstat><d:prop><c:calendar-data/></d:prop>
            <d:status>HTTP/1.1 403 Forbidden</d:status></d:propstat>
        </d:response>
        """))
    let response = try #require(answer.responses.first)
    #expect(answer.responses.count == 1)
    #expect(response.href == "/cal/a%40b.ics")
    #expect(response.status == nil)
    #expect(response.properties[.dav("getetag")]?.text == "\"1&2\"")
    #expect(response.properties[.caldav("calendar-data")] == nil)
    #expect(response.failures[.caldav("calendar-data")] == 403)
  }

  @Test func `Of a property that is given twice the last one counts`() throws {
    func group(_ tag: String) -> String {
      "<d:propstat><d:prop><d:displayname/><d:getetag>\(tag)</d:getetag></d:prop>"
        + "<d:status>HTTP/1.1 200 OK</d:status></d:propstat>"
    }
    let answer = try read(
      Self.document("<d:response><d:href>/a</d:href>\(group("1"))\(group("2"))</d:response>"))
    let properties = try #require(answer.responses.first).properties
    #expect(properties[.dav("getetag")]?.text == "2")
    #expect(properties[.dav("displayname")]?.text == "")
    #expect(properties[.dav("resourcetype")] == nil)
  }

  @Test func `A status may be for several resources`() throws {
    let answer = try read(
      Self.document(
        """
        <d:response><d:href>/a</d:href><d:href>/b</d:href><d:status>HTTP/1.1 404 Gone</d:status>
        <d:responsedescription>no more</d:responsedescription></d:response>
        """))
    #expect(answer.responses.map(\.href) == ["/a", "/b"])
    #expect(answer.responses.map(\.status) == [404, 404])
    #expect(answer.responses.map(\.description) == ["no more", "no more"])
  }

  @Test func `Prefixes, CDATA, comments, a BOM and other encodings do not matter`() throws {
    let texts = [
      """
      \u{FEFF}<?xml version="1.0" encoding="utf-8"?><multistatus xmlns="DAV:"><!-- x --><response>
      <href><![CDATA[/é]]></href><propstat><prop><getetag>"1"</getetag></prop>
      <status>HTTP/1.1 200 OK</status></propstat></response></multistatus>
      """,
      """
      <x:multistatus xmlns:x="DAV:" xmlns:y="DAV:"><?pi x?><y:response><x:href>/&#xe9;</x:href>
      <x:propstat><x:prop><y:getetag>"<![CDATA[1]]>"</y:getetag></x:prop>
      <x:status>HTTP/1.1 200 OK</x:status></x:propstat></y:response></x:multistatus>
      """,
    ]
    for text in texts {
      let response = try #require(try read(text).responses.first)
      #expect(response.href == "/é")
      #expect(response.properties[.dav("getetag")]?.text == "\"1\"")
    }
    let latin1 =
      Array(#"<?xml version="1.0" encoding="ISO-8859-1"?>"#.utf8)
      + Array(#"<multistatus xmlns="DAV:"><response><href>/"#.utf8) + [0xE9]
      + Array("</href></response></multistatus>".utf8)
    #expect(try MultiStatus(parsing: latin1).responses.map(\.href) == ["/é"])
  }

  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let text: String
    let message: String
  }

  static let refused = [
    Case(testDescription: "nothing", text: "", message: "an empty document"),
    Case(testDescription: "white space", text: " \n", message: "XML that is not well-formed"),
    Case(testDescription: "text", text: "OK", message: "XML that is not well-formed"),
    Case(
      testDescription: "another root", text: #"<d:error xmlns:d="DAV:"/>"#,
      message: "expected multistatus, found error"),
    Case(
      testDescription: "another namespace", text: #"<multistatus xmlns="urn:x"/>"#,
      message: "expected multistatus, found multistatus"),
    Case(
      testDescription: "no namespace", text: "<multistatus/>",
      message: "expected multistatus, found multistatus"),
    Case(
      testDescription: "an HTML page", text: "<html><body>Log in</body></html>",
      message: "expected multistatus, found html"),
    Case(
      testDescription: "the wrong end", text: document("<d:response></d:href>"),
      message: "XML that is not well-formed"),
    Case(
      testDescription: "something after the end", text: document("") + "<x/>",
      message: "XML that is not well-formed"),
    Case(
      testDescription: "a control character", text: document("<d:response>\u{B}</d:response>"),
      message: "XML that is not well-formed"),
    Case(
      testDescription: "an unknown entity", text: document("<d:response>&x;</d:response>"),
      message: "XML that is not well-formed"),
    Case(
      testDescription: "a document type",
      text: #"<!DOCTYPE html><d:multistatus xmlns:d="DAV:"/>"#,
      message: "a document type, which is not allowed"),
    Case(
      testDescription: "a file as an entity",
      text: #"<!DOCTYPE m [<!ENTITY x SYSTEM "file:///etc/passwd">]><m>&x;</m>"#,
      message: "a document type, which is not allowed"),
    Case(
      testDescription: "a billion laughs",
      text: "<!DOCTYPE m [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;\">]><m>&b;</m>",
      message: "a document type, which is not allowed"),
    Case(
      testDescription: "65 levels",
      text: document(
        String(repeating: "<d:x>", count: 64) + String(repeating: "</d:x>", count: 64)),
      message: "elements nested deeper than 64"),
    Case(
      testDescription: "200,000 levels", text: document(String(repeating: "<d:x>", count: 200_000)),
      message: "elements nested deeper than 64"),
  ]

  @Test(arguments: refused) func `A document is refused as a whole`(_ row: Case) {
    let error = #expect(throws: XMLDocumentError.self) { try read(row.text) }
    #expect(error?.message == row.message)
  }

  @Test func `A document that is cut off anywhere is refused`() throws {
    let member = """
      <d:response><d:href>/cal/a.ics</d:href><d:propstat><d:prop><d:getetag>"1"</d:getetag>
      </d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>
      """
    let whole = Array(Self.document(member + member).utf8)
    #expect(try MultiStatus(parsing: whole).responses.count == 2)
    for length in whole.indices {
      #expect(throws: XMLDocumentError.self, "cut at \(length)") {
        try MultiStatus(parsing: Array(whole[..<length]))
      }
    }
  }

  @Test func `Sixty-four levels are read`() throws {
    let levels = 63
    let text = Self.document(
      String(repeating: "<d:x>", count: levels) + String(repeating: "</d:x>", count: levels))
    #expect(try read(text).responses.isEmpty)
  }

  @Test func `Size, text and number of elements are limited`() throws {
    let text = Self.document("<d:response><d:href>0123456789</d:href><d:a/><d:a/></d:response>")
    #expect(try read(text).responses.count == 1)
    var limits = XMLDocumentReader.Limits()
    limits.size = text.utf8.count - 1
    #expect(throws: XMLDocumentError.self) { try read(text, limits: limits) }
    limits = XMLDocumentReader.Limits()
    limits.text = 9
    #expect(throws: XMLDocumentError.self) { try read(text, limits: limits) }
    limits = XMLDocumentReader.Limits()
    limits.elements = 3
    #expect(throws: XMLDocumentError.self) { try read(text, limits: limits) }
  }

  @Test func `A text over libxml2's own limit is read`() throws {
    let long = String(repeating: "x", count: 11_000_000)
    let text = Self.document("<d:response><d:href>/a</d:href><d:y>\(long)</d:y></d:response>")
    #expect(try read(text).responses.count == 1)
  }
}
