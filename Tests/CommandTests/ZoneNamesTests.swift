// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The names that files in the wild have for time zones, by the built program with all of its tables.
struct ZoneNamesTests {
  /// A name, how it is understood, and what it means or why it means nothing.
  private struct Row: Hashable {
    let tzID: String
    let resolution: String
    let meaning: String
  }

  private static func rows() throws -> [Row] {
    let url = Sandbox.fixtures.appending(path: "timezones/names.tsv")
    return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map { line in
      let cells = line.split(separator: "\t").map(String.init)
      return Row(tzID: cells[0], resolution: cells[1], meaning: cells.count > 2 ? cells[2] : "")
    }
  }

  private struct Output: Decodable {
    struct Zone: Decodable {
      let tzid: String
      let resolution: String
      let zone: String?
      let refusal: String?
    }

    let zones: [Zone]
  }

  @Test func understandsOrRefusesEachName() throws {
    let rows = try Self.rows()
    let names = rows.map { "'" + $0.tzID.replacing("'", with: "'\\''") + "'" }
    let result = try Sandbox().run(
      "epact zones --next 0 --json -- \(names.joined(separator: " ")) 2>&1 >zones.json; cat zones.json"
    )
    // What is refused is told before the object.
    let json = try #require(result.output.range(of: "{\n"))
    let output = try JSONDecoder().decode(
      Output.self, from: Data(result.output[json.lowerBound...].utf8))
    let found = output.zones.map {
      Row(tzID: $0.tzid, resolution: $0.resolution, meaning: $0.zone ?? $0.refusal ?? "")
    }
    for (row, found) in zip(rows, found) { #expect(found == row) }
    #expect(found.count == rows.count)
  }

  @Test func articleHasTheFigures() throws {
    let rows = try Self.rows()
    let known = rows.filter { $0.resolution != "unknown" }
    let article = try String(
      contentsOf: Sandbox.fixtures.deletingLastPathComponent()
        .appending(path: "Sources/CalendarModel/CalendarModel.docc/TimeZones.md"), encoding: .utf8)
    #expect(article.contains("\(known.count) of \(rows.count) names"))
    let reasons = Dictionary(grouping: rows.filter { $0.resolution == "unknown" }, by: \.meaning)
    for (reason, rows) in reasons {
      #expect(article.contains("| `\(reason)` | \(rows.count) |"), "\(reason)")
    }
  }
}
