// SPDX-License-Identifier: Apache-2.0

import ICalSyntax
import TestSupport
import Testing

/// Where the chunks of a stream are cut changes nothing: no element, no diagnostic, no position.
@Suite("Chunking")
struct ChunkingTests {
  /// The fixtures up to this many bytes are cut at every place; with `EPACT_ITERATIONS`, larger ones.
  private static var everyCutLimit: Int { 300 * iterationFactor }

  private func expectSame(_ fixture: Fixture, _ whole: ReadingTrace, cutAt cuts: [Int]) throws {
    let chunked = ReadingTrace(reading: fixture.bytes, cutAt: cuts)
    do throws(OracleFailure) {
      try ReaderOracle.compare(whole, chunked)
    } catch {
      throw OracleFailure("\(fixture.path) cut at \(cuts): \(error)")
    }
  }

  @Test("Two chunks, cut at every place of every small fixture")
  func everyPlace() throws {
    var count = 0
    for fixture in try Fixture.allCalendars() where fixture.bytes.count <= Self.everyCutLimit {
      let whole = ReadingTrace(reading: fixture.bytes)
      for cut in 1..<max(1, fixture.bytes.count) {
        try expectSame(fixture, whole, cutAt: [cut])
        count += 1
      }
    }
    #expect(count > 1_000)
  }

  @Test("Two chunks, cut next to every byte that means something, and at random places")
  func tellingPlaces() throws {
    for fixture in try Fixture.allCalendars() where fixture.bytes.count > Self.everyCutLimit {
      let whole = ReadingTrace(reading: fixture.bytes)
      var random = SeededGenerator(seed: UInt64(fixture.bytes.count))
      var cuts = fixture.bytes.indices.dropFirst().filter {
        Self.isTelling(fixture.bytes[$0 - 1]) || Self.isTelling(fixture.bytes[$0])
      }
      cuts.shuffle(using: &random)
      for cut in cuts.prefix(20 * iterationFactor) {
        try expectSame(fixture, whole, cutAt: [cut])
      }
    }
  }

  @Test("Chunks of one byte")
  func singleBytes() throws {
    for fixture in try Fixture.allCalendars() {
      let whole = ReadingTrace(reading: fixture.bytes)
      try expectSame(fixture, whole, cutAt: Array(0...fixture.bytes.count))
    }
  }

  @Test("Many chunks of random sizes, empty ones among them")
  func manyChunks() throws {
    let fixtures = try Fixture.allCalendars()
    forAll(300) { random in
      guard let fixture = fixtures.randomElement(using: &random) else { return }
      let count = Int.random(in: 1...40, using: &random)
      let cuts = (0..<count).map { _ in Int.random(in: 0...fixture.bytes.count, using: &random) }
      let whole = ReadingTrace(reading: fixture.bytes)
      try expectSame(fixture, whole, cutAt: cuts.sorted())
    }
  }

  /// Line ends, folds, the bytes of longer characters and of a byte order mark.
  private static func isTelling(_ byte: UInt8) -> Bool {
    byte == 0x0D || byte == 0x0A || byte == 0x20 || byte == 0x09 || byte >= 0x80
  }
}
