// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The end of a subscription, and a new one to the same feed.
@Suite(.timeLimit(.minutes(60))) struct UnsubscribeTests {
  @Test("A feed is removed with all that belongs to it, and can be subscribed to again")
  func again() throws {
    let server = try LoopbackServer { _ in
      [
        .answer(
          "200 OK",
          body:
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Example//EN\r\nBEGIN:VEVENT\r\nUID:a\r\n"
            + "DTSTAMP:20261101T000000Z\r\nDTSTART:20301124T090000Z\r\nSUMMARY:Fair\r\nEND:VEVENT\r\n"
            + "END:VCALENDAR\r\n")
      ]
    }
    defer { server.stop() }
    let sandbox = try Sandbox()
    let subscribe = "epact subscribe http://127.0.0.1:\(server.port)/a.ics --name ferien --yes"
    for _ in 1...2 {
      let added = try sandbox.run("\(subscribe) && epact sync && epact search fair")
      #expect(added.status == 0 && added.output.contains("Fair"), "\(added.output)\(added.errors)")
      let removed = try sandbox.run("epact calendars remove ferien --yes")
      #expect(removed.status == 0 && removed.output.contains("Removed the calendar ferien."))
      let left = try sandbox.run("cat config/epact/config.toml; ls calendars/ferien 2>&1")
      #expect(!left.output.contains("[") && left.output.contains("No such file"), "\(left.output)")
    }
  }
}
