// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CalendarSync
import Epact
import Testing

@Suite("The access log in words") struct RequestWordsTests {
  /// A class of requests, and its words.
  private static let classes: [(AccessRequest.Effect, String, String, String)] = [
    (.read, "PROPFIND Depth: 0", "collection", "read the properties of the calendar"),
    (.read, "PROPFIND Depth: 1", "collection", "listed the calendar"),
    (.read, "PROPFIND Depth: 0", "well-known address", "looked for the calendars of the server"),
    (.read, "OPTIONS", "collection", "asked what the server supports"),
    (
      .read, "REPORT sync-collection Depth: 0", "collection", "asked for changes of the calendar"
    ),
    (.read, "REPORT calendar-multiget Depth: 1", "collection", "read items"),
    (.read, "REPORT calendar-query Depth: 1", "collection", "searched the calendar"),
    (.read, "REPORT free-busy-query Depth: 1", "collection", "read the busy times"),
    (.read, "GET If-None-Match", "item", "read an item"),
    (.add, "PUT If-None-Match: *", "item", "added an item"),
    (.change, "PUT If-Match", "item", "replaced an item"),
    (.change, "PUT", "item", "replaced an item"),
    (.change, "DELETE If-Match", "item", "deleted an item"),
    (.change, "DELETE", "collection", "deleted the calendar"),
    (.change, "MOVE If-Match", "item", "moved an item"),
    (.change, "MKCALENDAR", "collection", "created a calendar"),
    (.change, "PROPPATCH", "collection", "changed the properties of the calendar"),
  ]

  @Test("A class of a protocol keeps its method in parentheses")
  func protocols() {
    for (effect, action, target, words) in Self.classes {
      #expect(AccessRequest(effect, action, of: target).words == "\(words) (\(action))")
    }
  }

  @Test("A class of a folder needs no method")
  func folders() {
    #expect(AccessRequest(.read, "list", of: "folder").words == "listed the folder")
    #expect(AccessRequest(.add, "add", of: "item").words == "added an item")
    #expect(AccessRequest(.change, "replace", of: "item").words == "replaced an item")
  }

  @Test("An unknown class is described by its method and target", arguments: ["REPORT", "SEARCH"])
  func unknown(_ action: String) {
    #expect(AccessRequest(.change, action, of: "item").words == "\(action) item")
  }
}
