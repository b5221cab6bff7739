// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// What fuzzing found once stays found: the inputs of `.ci/fuzz`, given to the same oracles.
@Suite("The fuzzer's corpus")
struct FuzzReplayTests {
  private typealias Oracle = ([UInt8]) throws -> Void

  private func replay(_ folder: String, _ oracle: Oracle) throws {
    let names = try FileManager.default.contentsOfDirectory(
      atPath: Fixture.root.appending(path: folder).path
    ).sorted()
    #expect(names.count > 10)
    for name in names {
      let fixture = try Fixture("\(folder)/\(name)")
      do {
        try oracle(fixture.bytes)
      } catch {
        Issue.record("\(fixture.path): \(error)")
      }
    }
  }

  @Test("Streams keep what ReaderOracle promises")
  func reader() throws {
    try replay("fuzz/reader") { try ReaderOracle.check($0) }
  }

  @Test("Values keep what ValueOracle promises")
  func values() throws {
    try replay("fuzz/values") { try ValueOracle.check($0) }
  }

  @Test("Texts of jCal keep what JCalOracle promises")
  func jCal() throws {
    try replay("fuzz/jcal") { try JCalOracle.check($0) }
  }

  @Test("Streams of vCalendar 1.0 keep what VCalendarOracle promises")
  func vCalendar() throws {
    try replay("fuzz/vcalendar") { try VCalendarOracle.check($0) }
  }
}
