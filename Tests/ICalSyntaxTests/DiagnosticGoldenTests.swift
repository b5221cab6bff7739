// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax
import TestSupport
import Testing

/// What is said about each fixture, word for word: `NAME.ics.diagnostics` beside `NAME.ics`.
///
/// A fixture about which there is nothing to say has no golden.
@Suite("Diagnostic goldens")
struct DiagnosticGoldenTests {
  /// A time to mend a missing DTSTAMP with, so that the fix is in the golden too.
  private static let now = CivilDateTime(
    year: 2026, month: 1, day: 2, hour: 3, minute: 4, second: 5)

  private func diagnostics(for fixture: Fixture) -> [Diagnostic] {
    FileChecker.diagnostics(for: fixture.bytes.span, now: Self.now)
  }

  @Test("Each fixture has the diagnostics of its golden", arguments: Fixture.calendarFolders)
  func goldens(folder: String) throws {
    let fixtures = try Fixture.calendars(in: folder)
    try #require(!fixtures.isEmpty)
    for fixture in fixtures {
      let text = diagnostics(for: fixture).map { $0.formatted(path: fixture.path) + "\n" }.joined()
      try Golden(fixture.path + ".diagnostics").expect(text)
    }
  }

  @Test("Nothing in a correct file is an error", arguments: ["valid", "tour"])
  func noErrors(folder: String) throws {
    for fixture in try Fixture.calendars(in: folder) where fixture.path != "tour/damaged.ics" {
      let errors = diagnostics(for: fixture).filter { $0.severity == .error }
      #expect(errors.isEmpty, "\(fixture.path): \(errors.map(\.message))")
    }
  }
}
