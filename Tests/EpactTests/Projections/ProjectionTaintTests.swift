// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Foundation
import ICalSyntax
import TestSupport
import Testing

@testable import Epact

/// Random calendars whose hidden texts have a mark.
@Suite("Hidden texts of projections")
struct ProjectionTaintTests {
  private static let mark = "SECRET"

  private static func projector(
    _ detail: ProjectionSettings.Detail, _ privateItems: ProjectionSettings.PrivateItems = .busy
  ) throws -> ItemProjector {
    var settings = ProjectionSettings()
    settings.detail = detail
    settings.privateItems = privateItems
    // Where titles are shown, a template hides them; busy time has its own title.
    if detail == .titles { settings.title = try ProjectionTitle("Taken") }
    return try ItemProjector(
      settings, name: "test", key: ProjectionKey(Array(repeating: 7, count: 32)), user: [],
      machine: .live())
  }

  private static let calendar = ProjectedCalendar(name: mark, title: mark)

  /// The file of the projections of some calendars, in the order of their identifiers.
  private static func file(
    of count: Int, seed: UInt64, secret: String, _ projector: ItemProjector
  ) throws -> [UInt8] {
    var draft = MarkedCalendars(seed: seed, secret: secret)
    let items = (0..<count).compactMap { number -> CalendarItem? in
      guard let item = try? CalendarItem(parsing: draft.calendar(number)) else { return nil }
      return projector.projection(of: item, in: calendar)
    }
    return CalendarExport.bytes(of: items.sorted { $0.uid < $1.uid })
  }

  @Test("No hidden text is in a projection", arguments: [ProjectionSettings.Detail.busy, .titles])
  func marks(detail: ProjectionSettings.Detail) throws {
    let projector = try Self.projector(detail)
    for seed in 0..<100 as Range<UInt64> {
      let file = try Self.file(of: 10, seed: seed, secret: Self.mark, projector)
      let text = String(decoding: file, as: UTF8.self)
      #expect(!text.contains(Self.mark), "seed \(seed)")
    }
  }

  @Test("Private items hide their texts in every projection")
  func privateMarks() throws {
    let projector = try Self.projector(.all)
    for seed in 0..<50 as Range<UInt64> {
      var draft = MarkedCalendars(seed: seed, secret: Self.mark)
      let bytes = draft.calendar(0)
      let text = String(decoding: bytes, as: UTF8.self)
        .replacing(#/CLASS:PUBLIC|CLASS:PRIVATE/#, with: "X-C:1")
        .replacing("END:VEVENT", with: "CLASS:CONFIDENTIAL\r\nEND:VEVENT")
      guard let item = try? CalendarItem(parsing: Array(text.utf8)) else { continue }
      let shown = projector.projection(of: item, in: Self.calendar)
      let result = shown.map { String(decoding: $0.serialized(), as: UTF8.self) } ?? ""
      #expect(!result.contains(Self.mark), "seed \(seed)")
    }
  }

  @Test(
    "Calendars that differ in hidden texts give equal files",
    arguments: [ProjectionSettings.Detail.busy, .titles])
  func sizes(detail: ProjectionSettings.Detail) throws {
    let projector = try Self.projector(detail)
    var shownCount = 0
    for seed in 0..<50 as Range<UInt64> {
      let short = try Self.file(of: 10, seed: seed, secret: "S", projector)
      let long = try Self.file(
        of: 10, seed: seed, secret: String(repeating: "SECRETS", count: 40), projector)
      #expect(short == long, "seed \(seed)")
      if short.count > 500 { shownCount += 1 }
    }
    #expect(shownCount > 40)
  }
}
