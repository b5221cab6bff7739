// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarRemotes
import CalendarSync
import TestSupport
import Testing

/// A CalDAV calendar at `https://h/cal/` on a scripted transport.
struct CalDAVScript {
  static let root = "https://h/cal/"
  /// The answer to the first question: the address is a calendar.
  static let calendarResponse = response(
    "/cal/",
    "<d:resourcetype><d:collection/><c:calendar/></d:resourcetype><d:displayname>Work</d:displayname>"
  )
  /// The calendar's own line in a listing, without which no listing counts.
  static let own = response("/cal/", "<d:resourcetype><d:collection/></d:resourcetype>")

  let transport: ScriptedTransport
  let calendar: any RemoteCalendar

  /// Opens the calendar, after which these requests are expected.
  ///
  /// - Parameters:
  ///   - server: The header fields of the first answer.
  ///   - state: What the first answer tells besides, as the tag and the token of the calendar.
  ///   - exchanges: The requests that are expected once it is open.
  /// - Throws: What opening the calendar throws.
  init(
    server: HTTPHeaders = [:], state: String = "", _ exchanges: [ScriptedTransport.Exchange]
  ) async throws {
    let opening = Self.calendarResponse.replacing("</d:prop>", with: state + "</d:prop>")
    // The features, or they would be asked for before the first write.
    let features = HTTPHeaders.Field(name: "DAV", value: "1, 3, calendar-access")
    transport = ScriptedTransport(
      [
        .init(
          .propfind, Self.root,
          answer: .multiStatus(opening, fields: HTTPHeaders(server.fields + [features])))
      ] + exchanges)
    calendar = try await CalDAVRemote(
      address: try RemoteURL(parsing: Self.root),
      credentials: Credentials(user: "alice", password: "s3cret"), transport: transport
    ).openCalendar()
  }

  /// A response with properties that there are.
  static func response(_ href: String, _ properties: String) -> String {
    "<d:response><d:href>\(href)</d:href><d:propstat><d:prop>\(properties)</d:prop>"
      + "<d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>"
  }

  /// The properties by which a calendar tells that something has changed.
  static func state(ctag: String?, token: String?) -> String {
    (ctag.map { #"<s:getctag xmlns:s="http://calendarserver.org/ns/">\#($0)</s:getctag>"# } ?? "")
      + (token.map { "<d:sync-token>\($0)</d:sync-token>" } ?? "")
  }

  /// A response with a status of the whole.
  static func response(_ href: String, status: Int) -> String {
    "<d:response><d:href>\(href)</d:href><d:status>HTTP/1.1 \(status) x</d:status></d:response>"
  }

  /// A line of a listing.
  static func member(_ href: String, etag: String? = "\"1\"") -> String {
    response(href, "<d:resourcetype/>" + (etag.map { "<d:getetag>\($0)</d:getetag>" } ?? ""))
  }

  /// An item of a report.
  static func data(_ href: String, _ text: String, etag: String = "\"1\"") -> String {
    response(
      href,
      "<d:getetag>\(etag)</d:getetag><c:calendar-data><![CDATA[\(text)]]></c:calendar-data>")
  }

  /// An event as text.
  static func text(_ uid: String, summary: String = "S") throws -> String {
    String(decoding: try event(uid, summary: summary).serialized(), as: UTF8.self)
  }

  static func event(_ uid: String, summary: String = "S") throws -> CalendarItem {
    try RemoteConformance.event(uid, summary: summary)
  }
}

extension RemoteFetch {
  /// The result on one line.
  var summary: String {
    switch self {
    case .item(let href, let etag, let item): "\(href) \(etag?.quoted ?? "-") \(item.uid)"
    case .missing(let href): "\(href) missing"
    case .unreadable(let href, let reason): "\(href) unreadable: \(reason)"
    }
  }
}
