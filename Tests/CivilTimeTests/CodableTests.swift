// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Foundation
import Testing

@Suite("Coded forms of times")
struct CodableTests {
  private func json(_ value: some Encodable) throws -> String {
    String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
  }

  private func expect<Value: Codable & Equatable>(_ value: Value, as text: String) throws {
    #expect(try json([value]) == "[\"\(text)\"]")
    #expect(try JSONDecoder().decode([Value].self, from: Data("[\"\(text)\"]".utf8)) == [value])
  }

  @Test(
    "Dates, times and instants have the form of ISO 8601, durations and offsets that of the RFC")
  func forms() throws {
    try expect(CivilDate(parsing: "19970902"), as: "1997-09-02")
    try expect(CivilDateTime(parsing: "19970902T090501"), as: "1997-09-02T09:05:01")
    try expect(Instant(secondsSinceEpoch: 873_205_200), as: "1997-09-02T13:00:00Z")
    try expect(Instant(secondsSinceEpoch: .max), as: "@9223372036854775807")
    try expect(CivilDuration(parsing: "-PT15M"), as: "-PT15M")
    try expect(UTCOffset(parsing: "+0100"), as: "+0100")
  }

  @Test("A time in the year 1 has four digits of its year")
  func firstYear() throws {
    try expect(CivilDate(parsing: "00010203"), as: "0001-02-03")
  }

  @Test(
    "Another text is refused, with what was expected",
    arguments: ["1997-13-02", "1997-09-02T13:00:00", "", "1997-09-02T13:00:00+01:00"])
  func refusals(_ text: String) {
    let data = Data("[\"\(text)\"]".utf8)
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Instant].self, from: data)
    }
    guard case .dataCorrupted(let context)? = error else {
      Issue.record("expected a corrupted value, found \(String(describing: error))")
      return
    }
    #expect(context.debugDescription.hasPrefix("expected "))
  }
}
