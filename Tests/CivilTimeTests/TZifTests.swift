// SPDX-License-Identifier: Apache-2.0

import CivilTime
import TestSupport
import Testing

@Suite struct TZifTests {
  /// A broken file and what is said about it.
  struct Case: CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let message: String

    init(_ name: String, _ bytes: [UInt8], _ message: String) {
      (self.name, self.bytes, self.message) = (name, bytes, message)
    }

    init(_ name: String, _ message: String, _ change: (inout TZifFile) -> Void) {
      var file = TZifFile()
      change(&file)
      self.init(name, file.bytes, message)
    }

    var testDescription: String { name }
  }

  static let cases = [
    Case("an empty file", [], "byte 0: the file ends too early (RFC 9636 §3)"),
    Case(
      "a text file", Array("# version".utf8),
      "byte 1: expected the letters \"TZif\" (RFC 9636 §3)"),
    Case(
      "half a header", Array("TZif2".utf8), "byte 5: the file ends too early (RFC 9636 §3)"),
    Case(
      "no second block", Array(TZifFile().bytes.prefix(54)),
      "byte 54: the file ends too early (RFC 9636 §3)"),
    Case(
      "no footer", Array(TZifFile().bytes.dropLast(2)),
      "byte 108: the file ends too early (RFC 9636 §3)"),
    Case(
      "half a footer", Array(TZifFile().bytes.dropLast()),
      "byte 109: the file ends too early (RFC 9636 §3)"),
    Case("no types", "byte 98: there are no time types, or too many (RFC 9636 §3)") {
      $0.types = []
    },
    Case("257 types", "byte 98: there are no time types, or too many (RFC 9636 §3)") {
      $0.types = Array(repeating: (0, 0, 0), count: 257)
    },
    Case(
      "leap seconds",
      "byte 86: the zone counts leap seconds, which calendars do not (RFC 9636 §3)"
    ) { $0.leapSeconds = 1 },
    Case(
      "indicators for types that are not there",
      "byte 98: the number of indicators is not the number of time types (RFC 9636 §3)"
    ) { $0.indicators = 2 },
    Case(
      "changes out of order", "byte 114: the times of change are not in order (RFC 9636 §3)"
    ) { $0.changes = [(5, 0), (5, 0)] },
    Case(
      "a change before time", "byte 106: the times of change are not in order (RFC 9636 §3)"
    ) { $0.changes = [(.min, 0)] },
    Case("a type that is not there", "byte 107: there is no such time type (RFC 9636 §3)") {
      $0.changes = [(5, 1)]
    },
    Case("an offset of 26 hours", "byte 102: the offset is 26 hours or more (RFC 9636 §3)") {
      $0.types = [(93_600, 0, 0)]
    },
    Case(
      "a daylight flag of 2", "byte 104: the daylight flag is neither 0 nor 1 (RFC 9636 §3)"
    ) { $0.types = [(0, 2, 0)] },
    Case("a name outside", "byte 104: there is no such designation (RFC 9636 §3)") {
      $0.types = [(0, 0, 4)]
    },
    Case("a name without end", "byte 104: the designation has no end (RFC 9636 §3)") {
      $0.names = "UTC"
    },
  ]

  @Test("Refuses what is no valid file and says where", arguments: cases)
  func malformed(_ example: Case) {
    let error = #expect(throws: ZoneError.self) {
      try ZoneRules(tzif: example.bytes.span, name: "Test/Zone")
    }
    #expect(error?.code == .malformedFile)
    #expect(error?.message == example.message)
  }

  @Test("Reads files of all versions", arguments: [0, 0x32, 0x33, 0x34, 0x35] as [UInt8])
  func versions(_ version: UInt8) throws {
    var file = TZifFile()
    file.version = version
    file.types = [(3208, 0, 0), (3600, 0, 4)]
    file.names = "LMT\0CET\0"
    file.changes = [(-2_422_054_408, 1)]
    if version == 0 { file.changes = [(-1_000_000_000, 1)] }
    let rules = try ZoneRules(tzif: file.bytes.span, name: "Test/Zone")
    let change = try #require(
      rules.transitions(from: Instant(secondsSinceEpoch: .min)).first { _ in true })
    #expect(change.instant.secondsSinceEpoch == file.changes[0].second)
    #expect(change.before.abbreviation == "LMT" && change.after.abbreviation == "CET")
    #expect(change.before.offset.description == "+005328")
    // Without a footer the last type lasts.
    #expect(rules.offset(at: Instant(secondsSinceEpoch: .max)).description == "+0100")
  }

  @Test("Wall clocks that go back twice in a day are told apart")
  func twiceInADay() throws {
    var file = TZifFile()
    file.types = [(7200, 0, 0), (3600, 0, 0), (0, 0, 0)]
    file.changes = [(1_000_000, 1), (1_001_800, 2)]
    let rules = try ZoneRules(tzif: file.bytes.span, name: "Test/Zone")
    let wall = try #require(CivilDateTime(wallSeconds: 1_005_000))
    let (two, zero) = (try UTCOffset(parsing: "+0200"), UTCOffset.zero)
    #expect(rules.resolve(wall) == .fold(first: two, second: zero))
  }

  @Test("Files with random damage are read or refused, never worse")
  func damage() throws {
    let berlin = try #require(Self.systemFile("Europe/Berlin"))
    var accepted = 0
    for seed in UInt64(0)..<4000 {
      var random = SeededGenerator(seed: seed)
      var bytes =
        seed.isMultiple(of: 2) ? berlin : TZifFile(footer: "CET-1CEST,M3.5.0,M10.5.0/3").bytes
      for _ in 0...random.next() % 4 {
        let place = Int(random.next() % UInt64(bytes.count))
        switch random.next() % 4 {
        case 0: bytes.removeSubrange(place...)
        case 1: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
        case 2: bytes.remove(at: place)
        default: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        }
        if bytes.isEmpty { break }
      }
      guard let rules = try? ZoneRules(tzif: bytes.span, name: "seed \(seed)") else { continue }
      accepted += 1
      for second in [.min, -1 << 59, -1, 0, 1 << 40, .max] as [Int64] {
        _ = rules.localTimeType(at: Instant(secondsSinceEpoch: second))
      }
      for date in [CivilDate.first, .last] {
        _ = rules.resolve(CivilDateTime(date, .midnight))
      }
      let last = rules.transitions(from: Instant(secondsSinceEpoch: .min)).prefix(300).map(
        \.instant)
      #expect(last == last.sorted(), "seed \(seed)")
    }
    // Some damage goes unnoticed, in names or offsets; if all did, or none, the test would be blind.
    #expect(1..<4000 ~= accepted)
  }

  private static func systemFile(_ name: String) -> [UInt8]? {
    let database = ZoneDatabase(folders: ZoneDatabase.systemFolders)
    guard let source = database.source else { return nil }
    return try? ZoneFiles.read("\(source)/\(name)", limit: 1 << 18)
  }
}
