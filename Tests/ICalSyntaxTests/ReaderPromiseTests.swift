// SPDX-License-Identifier: Apache-2.0

import ICalSyntax
import TestSupport
import Testing

/// What `ReaderOracle` and `ValueOracle` promise, asked of the fixtures and of changed ones.
@Suite("What holds of any bytes")
struct ReaderPromiseTests {
  @Test("The fixtures: whole and in chunks, as a stream and as a document, written and read again")
  func fixtures() throws {
    for fixture in try Fixture.allCalendars() {
      // The first byte chooses chunks; with its highest bit set, limits that are soon reached.
      for choice: UInt8 in [0x04, 0x83] {
        try keepsPromises([choice] + fixture.bytes, fixture.path)
      }
    }
  }

  @Test("Fixtures with random changes")
  func changedFixtures() throws {
    let fixtures = try Fixture.allCalendars().filter { (1..<3_000).contains($0.bytes.count) }
    forAll(83) { random in
      guard let fixture = fixtures.randomElement(using: &random) else { return }
      var bytes = fixture.bytes
      bytes.mutate(using: &random)
      let choice = UInt8.random(in: 0...0xFF, using: &random)
      try keepsPromises([choice] + bytes, fixture.path)
    }
  }

  @Test("Values with random changes")
  func changedValues() throws {
    let lines = try Fixture.calendars(in: "valid").flatMap {
      $0.bytes.split(whereSeparator: { $0 == 0x0D || $0 == 0x0A }).map { Array($0) }
    }
    forAll(500) { random in
      guard var line = lines.randomElement(using: &random) else { return }
      line.mutate(upTo: 4, using: &random)
      try ValueOracle.check(line)
    }
  }

  @Test("Several calendars with random changes, read on several cores")
  func severalCores() async throws {
    let fixtures = try ["tour", "real-world"].flatMap { try Fixture.calendars(in: $0) }
    for seed in 0..<UInt64(60 * iterationFactor) {
      var random = SeededGenerator(seed: seed)
      var bytes = (0..<3).flatMap { _ in fixtures.randomElement(using: &random)?.bytes ?? [] }
      bytes.mutate(upTo: 3, using: &random)
      let whole = try CalendarStream(parsing: bytes)
      for parts in 2...4 {
        let parallel = try await CalendarStream(parsing: bytes, inParallel: parts, partSize: 1)
        #expect(parallel == whole, "seed \(seed) in \(parts) parts")
      }
    }
  }

  private func keepsPromises(_ bytes: [UInt8], _ path: String) throws {
    do throws(OracleFailure) {
      try ReaderOracle.check(bytes)
    } catch {
      throw OracleFailure("\(path): \(error)")
    }
  }
}
