// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CalendarSync
import Testing

/// The text of a feed: its charset, and what is around its calendars.
struct FeedTextTests {
  private static let whole =
    (["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x"] + FeedServer.event("1", "Käse")
    + ["END:VCALENDAR", ""]).joined(separator: "\r\n")

  private func titles(_ server: FeedServer) async throws -> [String] {
    let outcome = try await server.sync()
    #expect(outcome.told.isEmpty)
    return server.titles
  }

  @Test(arguments: [
    "iso-8859-1", "ISO-8859-1", "\"iso-8859-1\"", "utf-8", "utf-16le", "iso-8859-1;x=y",
  ])
  func `The declared charset is used, unless the text is UTF-8`(_ charset: String) async throws {
    let server = FeedServer()
    let latin = Self.whole.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    let wide = Self.whole.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    let bodies: [[UInt8]] =
      switch charset {
      case "utf-8": [Array(Self.whole.utf8)]
      case "utf-16le": [wide]
      default: [latin, Array(Self.whole.utf8)]
      }
    for body in bodies {
      server.publish(bytes: body, headers: ["Content-Type": "text/calendar; charset=\(charset)"])
      #expect(try await titles(server) == ["Käse"])
    }
  }

  @Test(arguments: [
    (whole + "<!-- cached page -->", true), ("<!-- cached page -->\r\n" + whole, true),
    (whole + "<html>\r\n<p>Error: 500\r\n</html>\r\n", true), (whole + "\r\n\r\n", true),
    // Another calendar may have begun.
    (whole + "BEGI", false), (whole + "BEGIN:VCALENDAR\r\n", false),
    (whole + "BEGIN:VEVENT\r\nUID:2\r\nEND:VEVENT\r\n", false),
    (whole.replacing("END:VCALENDAR\r\n", with: "<!-- cached page -->"), false),
    (whole.replacing("END:VEVENT\r\n", with: ""), true),
    (whole.replacing("END:VEVENT", with: "BEGIN:VEVENT\r\nUID:2\r\nEND:VEVENT"), true),
    (whole.replacing("END:VEVENT\r\nEND:VCALENDAR\r\n", with: ""), false),
  ])
  func `Text around whole calendars is ignored`(_ text: String, _ isUsed: Bool) async throws {
    let server = FeedServer()
    server.publish(raw: text)
    if isUsed {
      #expect(try await titles(server).contains("Käse"))
    } else {
      await #expect(throws: RemoteError.self) { try await server.sync() }
      #expect(server.titles.isEmpty)
    }
  }
}
