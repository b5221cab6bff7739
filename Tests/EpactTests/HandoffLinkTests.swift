// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Epact
import Testing

/// Links that open the editor of a web calendar.
@Suite struct HandoffLinkTests {
  @Test(arguments: [
    ("20161231T235960Z", "20161231T235959Z/20170101T000000Z", "2016-12-31T23:59:59Z"),
    ("20161231T235960", "20161231T235959/20170101T000000", "2016-12-31T23:59:59"),
  ])
  func `A leap second is second 59, as RFC 5545 §3.3.12 allows`(
    _ start: String, _ google: String, _ outlook: String
  ) throws {
    let end = start.hasSuffix("Z") ? "20170101T000000Z" : "20170101T000000"
    let text = """
      BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:leap\r\nDTSTART:\(start)\r\nDTEND:\(end)\r
      END:VEVENT\r\nEND:VCALENDAR\r\n
      """
    let item = try CalendarItem(parsing: Array(text.utf8))
    let event = try HandoffEvent(item, zones: Machine.live().zoneResolver)
    #expect(AddLink(event, for: .google).address.contains(google))
    #expect(AddLink(event, for: .outlook).address.contains("startdt=\(outlook)&"))
  }
}
