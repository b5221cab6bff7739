// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CalendarSync
import Foundation
import TestSupport
import Testing

@Suite("Batches of Microsoft Graph", .timeLimit(.minutes(20)))
struct GraphBatchTests {
  private struct Request: Decodable {
    var method: String
    var status: Int
  }

  @Test("A first download has no more requests in flight than Microsoft permits")
  func inFlight() async throws {
    let scene = try await VendorScene(.graph)
    let events = (0..<160).map { number in
      """
      {"subject": "\(number)", "start": {"dateTime": "2026-12-01T12:00:00", "timeZone": "UTC"}, \
      "end": {"dateTime": "2026-12-01T13:00:00", "timeZone": "UTC"}}
      """
    }
    try await scene.double.control(
      "POST", scene.account, "events", "[\(events.joined(separator: ", "))]")
    // The double refuses a fifth request at once, and parts of a batch beside other requests.
    try await scene.double.control("POST", scene.account, "quirks", #"{"concurrency": true}"#)
    let calendar = try await scene.remote().openCalendar()
    let hrefs = try await calendar.list().map(\.href)
    #expect(hrefs.count == 160)
    let parts = stride(from: 0, to: hrefs.count, by: 40).map { Array(hrefs[$0..<$0 + 40]) }
    // As many fetches at once as the engine begins.
    for start in stride(from: 0, to: parts.count, by: calendar.fetchesAtOnce) {
      try await withThrowingTaskGroup(of: Int.self) { group in
        for part in parts[start...].prefix(calendar.fetchesAtOnce) {
          group.addTask { try await calendar.fetch(part).count }
        }
        for try await count in group { #expect(count == 40) }
      }
    }
    let log = try JSONDecoder().decode(
      [Request].self, from: try await scene.double.control("GET", scene.account, "log"))
    #expect(log.count { $0.status == 429 } == 0)
    #expect(log.count { $0.method == "POST" } == 8)
    try await scene.expectNoViolations()
  }
}
