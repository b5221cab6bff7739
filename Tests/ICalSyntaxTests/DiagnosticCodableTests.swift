// SPDX-License-Identifier: Apache-2.0

import Foundation
import ICalSyntax
import Testing

@Suite("Coded diagnostics")
struct DiagnosticCodableTests {
  @Test("The form is stable, and is read again")
  func form() throws {
    let diagnostic = Diagnostic(
      .error, .malformedLine, at: SourcePosition(line: 3, column: 7),
      "expected a colon, found none",
      reference: "RFC 5545 §3.1")
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let data = try encoder.encode(diagnostic)
    #expect(
      String(decoding: data, as: UTF8.self) == """
        {"code":"line.malformed","message":"expected a colon, found none",\
        "position":{"column":7,"line":3},"reference":"RFC 5545 §3.1","severity":"error"}
        """)
    #expect(try JSONDecoder().decode(Diagnostic.self, from: data) == diagnostic)
    #expect(diagnostic.description == "3:7: error: expected a colon, found none")
  }

  @Test("The fix of a decoded diagnostic is advice")
  func fix() throws {
    let text = "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\nEND:VCALENDAR\n"
    let found = FileChecker.diagnostics(for: text.utf8.span)
    let safe = try #require(found.first { $0.fix?.isSafe == true })
    let again = try JSONDecoder().decode(Diagnostic.self, from: JSONEncoder().encode(safe))
    #expect(again.code == safe.code)
    #expect(again.excerpt == safe.excerpt)
    #expect(again.fix?.summary == safe.fix?.summary)
    #expect(again.fix?.isSafe == false)
  }
}
