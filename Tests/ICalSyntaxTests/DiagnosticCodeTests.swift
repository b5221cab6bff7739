// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Foundation
import ICalSyntax
import TestSupport
import Testing

/// The table of codes in `Diagnostics.md` and the codes in the sources are one list.
@Suite("Codes of diagnostics")
struct DiagnosticCodeTests {
  private static let sources = Fixture.root.deletingLastPathComponent()
    .appending(path: "Sources").resolvingSymlinksInPath()

  /// The severities of each code, as the article has them.
  private func documented() throws -> [String: Set<String>] {
    let url = Self.sources.appending(path: "ICalSyntax/ICalSyntax.docc/Diagnostics.md")
    var codes: [String: Set<String>] = [:]
    for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") {
      let cells = line.split(separator: "|", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 7, cells[1].hasPrefix("`") else { continue }
      let code = cells[1].trimmingCharacters(in: ["`"])
      #expect(codes[code] == nil, "\(code) has two rows")
      codes[code] = Set(
        cells[2].split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) })
    }
    return codes
  }

  /// The codes that are made anywhere in the sources.
  private func made() throws -> Set<String> {
    let files = try #require(
      FileManager.default.enumerator(at: Self.sources, includingPropertiesForKeys: nil))
    var codes: Set<String> = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: /DiagnosticCode\(rawValue: "([^"]+)"\)/) {
        #expect(codes.insert(String(match.output.1)).inserted, "\(match.output.1) is made twice")
      }
    }
    return codes
  }

  @Test("Every code is in the article, and every code of the article is made")
  func sameList() throws {
    let documented = Set(try documented().keys)
    let made = try made()
    #expect(made.subtracting(documented).isEmpty, "not in Diagnostics.md")
    #expect(documented.subtracting(made).isEmpty, "only in Diagnostics.md")
    #expect(documented.count > 40)
  }

  @Test("Every code of a file is shown by a fixture, and is as grave as the article says")
  func shown() throws {
    let documented = try documented()
    var shown: Set<String> = []
    for fixture in try Fixture.allCalendars() {
      for diagnostic in FileChecker.diagnostics(for: fixture.bytes.span) {
        let code = diagnostic.code.rawValue
        shown.insert(code)
        let severities = documented[code] ?? []
        #expect(severities.contains(diagnostic.severity.rawValue), "\(fixture.path): \(code)")
      }
    }
    // Those of import are made elsewhere, and files that reach a limit would be large.
    let elsewhere = [
      "item.", "time-zone.", "limit.", "json.", "jcal.", "vcalendar.", "value.charset",
      "occurrence.",
    ]
    let missing = documented.keys.filter { code in
      !shown.contains(code) && !elsewhere.contains { code.hasPrefix($0) }
    }
    #expect(missing.sorted().isEmpty)
  }
}
