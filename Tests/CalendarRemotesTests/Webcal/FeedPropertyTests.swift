// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CalendarSync
import TestSupport
import Testing

struct FeedPropertyTests {
  static let cases: [(lines: [String], values: [CollectionProperty: String])] = [
    ([], [:]),
    (
      ["NAME:Holidays\\, all of them", "X-WR-CALNAME:older", "DESCRIPTION:Two\\nlines"],
      [.name: "Holidays, all of them", .description: "Two\nlines"]
    ),
    (
      ["X-WR-CALNAME:Holidays", "X-WR-CALDESC:When", "X-APPLE-CALENDAR-COLOR:#FF8800"],
      [.name: "Holidays", .description: "When", .color: "#FF8800"]
    ),
    (["NAME: ", "X-WR-CALNAME:Holidays"], [.name: "Holidays"]),
    (["COLOR:DarkSlateBlue", "X-APPLE-CALENDAR-COLOR:#FF8800"], [.color: "#483d8b"]),
    (["COLOR:no colour", "X-OUTLOOK-COLOR:#123456"], [.color: "#123456"]),
    (["COLOR:no colour"], [:]),
    (["NAME:" + String(repeating: "x", count: 5000)], [:]),
  ]

  @Test(arguments: cases)
  func `A feed says what it is called`(
    _ lines: [String], _ values: [CollectionProperty: String]
  ) async throws {
    let server = FeedServer()
    server.publish(lines + FeedServer.event("1", "One"), headers: ["ETag": "\"1\""])
    let calendar = try await server.remote().openCalendar()
    let changes = try await calendar.changes(since: nil)
    let store = try #require(calendar.properties)
    #expect(!store.canBeSet)
    try await expect(values, of: store)
    // Where nothing changed, it is what was said before.
    guard case .complete(_, let cursor?) = changes else {
      Issue.record("expected a cursor")
      return
    }
    let next = try await server.remote().openCalendar()
    guard case .none = try await next.changes(since: cursor) else {
      Issue.record("expected no change")
      return
    }
    try await expect(values, of: try #require(next.properties))
    guard case .refused = try await store.set(.name, to: "Mine") else {
      Issue.record("a feed took a name")
      return
    }
  }

  private func expect(
    _ values: [CollectionProperty: String], of store: any CollectionPropertyStore
  ) async throws {
    let found = try await store.collectionProperties()
    for property in CollectionProperty.allCases {
      #expect(found[property] == values[property], "\(property)")
    }
  }
}
