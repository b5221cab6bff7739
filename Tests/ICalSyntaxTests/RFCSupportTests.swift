// SPDX-License-Identifier: Apache-2.0

import Foundation
import ICalSyntax
import Recurrence
import TestSupport
import Testing

/// The table of what is supported says neither more nor less than the tables that the code reads.
@Suite("The table of supported RFCs")
struct RFCSupportTests {
  /// A row of the article: `` | §3.2.1 | `ALTREP` parameter | supported | ``.
  private struct Row: Hashable {
    let reference: String
    /// The name and what it is the name of, as `ALTREP parameter`; empty for a row without a name.
    let subject: String
    let text: String
    let state: String
  }

  private func article() throws -> [Row] {
    let url = Fixture.root.deletingLastPathComponent()
      .appending(path: "Sources/ICalSyntax/ICalSyntax.docc/RFCSupport.md")
    var rfc = ""
    return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").compactMap { line in
      if let match = line.firstMatch(of: /^## (RFC \d+)/) { rfc = String(match.1) }
      guard let match = line.wholeMatch(of: /\| (§[\d.]+) \| (.+) \| (\w+) \|/) else { return nil }
      let name = match.2.prefixMatch(
        of: /`([A-Z-]+)` (property|parameter|component|value type|rule part)/)
      return Row(
        reference: "\(rfc) \(match.1)", subject: name.map { "\($0.1) \($0.2)" } ?? "",
        text: String(match.2), state: String(match.3))
    }
  }

  /// What the code knows, by name, with the sections that define it.
  private var known: [String: String] {
    var known: [String: String] = [:]
    for row in PropertyTable.rows { known["\(row.name) property"] = row.reference }
    for row in ParameterTable.rows { known["\(row.name) parameter"] = row.reference }
    for row in ComponentTable.rows { known["\(row.name) component"] = row.reference }
    for (index, type) in ValueType.allCases.enumerated() where type != .unknown {
      known["\(type.rawValue) value type"] =
        index < 14 ? "RFC 5545 §3.3.\(index + 1)" : "RFC 9253 §7"
    }
    known["\(RulePart.rscale.rawValue) rule part"] = "RFC 7529 §4"
    known["\(RulePart.skip.rawValue) rule part"] = "RFC 7529 §4.1"
    return known
  }

  @Test("Everything that the tables know has its row, as supported")
  func everythingKnown() throws {
    let rows = Set(try article().map { "\($0.reference) \($0.subject) \($0.state)" })
    for (subject, reference) in known {
      let isThere = rows.contains("\(reference) \(subject) supported")
      #expect(isThere, "\(reference) \(subject) has no row")
    }
  }

  @Test("Every row says what the tables know")
  func everyRow() throws {
    let rows = try article()
    #expect(rows.count > 150)
    #expect(Set(rows).count == rows.count)
    for row in rows {
      #expect(["supported", "preserved", "not"].contains(row.state), "\(row.text)")
      guard !row.subject.isEmpty else { continue }
      #expect(
        (known[row.subject] != nil) == (row.state == "supported"), "\(row.reference) \(row.text)")
    }
  }

  /// The sections of RFC 5545 that define what may stand in a file, each with the number of the last.
  private static let sections = [
    "3.1": 4, "3.2": 20, "3.3": 14, "3.6": 6, "3.7": 4, "3.8.1": 12, "3.8.2": 7, "3.8.3": 5,
    "3.8.4": 7, "3.8.5": 3, "3.8.6": 3, "3.8.7": 4, "3.8.8": 3,
  ]

  @Test("No section of RFC 5545 is left out")
  func everySection() throws {
    let references = Set(try article().map(\.reference))
    for (section, last) in Self.sections {
      for number in 1...last {
        let isThere = references.contains("RFC 5545 §\(section).\(number)")
        #expect(isThere, "§\(section).\(number) has no row")
      }
    }
  }

  @Test("What a row calls preserved is written back as it was")
  func preserved() throws {
    let text = "X-A;x-b=\"c\":d\\,e\r\nIANA-TOKEN;X-Y=z:1\r\nDTSTART;VALUE=X-TIME:soon\r\n"
    let nested = "BEGIN:X-COMP\r\nX-A:b\r\nEND:X-COMP\r\nBEGIN:IANA-COMP\r\nEND:IANA-COMP\r\n"
    let bytes = Array("BEGIN:VCALENDAR\r\n\(text)\(nested)END:VCALENDAR\r\n".utf8)
    var calendar = try CalendarStream(parsing: bytes).calendars[0]
    calendar.properties.append(Property("X-LAST", text: ""))
    calendar.properties.removeLast()
    #expect(Serializer().bytes(of: calendar) == bytes)
  }
}
