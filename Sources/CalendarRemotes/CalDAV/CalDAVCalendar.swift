// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync

/// A CalDAV calendar under full access.
struct CalDAVCalendar: RemoteCalendar {
  let session: DAVSession
  /// The URL of the collection, which ends in `/`.
  let collection: RemoteURL
  /// The deviations of the server from the standards.
  let quirks: ServerQuirks
  /// The responses from opening the calendar.
  let opening: OpeningAnswer
  /// The handling of meetings.
  let invitations: InvitationPolicy
  /// The known facts about the server.
  let memory: CalendarMemory

  /// Returns the URL of an item.
  ///
  /// - Throws: `RemoteError` if the URL is outside of the collection. An href is foreign data, and
  ///   a request to the collection itself or to another resource could destroy unrelated data.
  func url(of href: Href) throws(RemoteError) -> RemoteURL {
    let url = try collection.resolving(href.rawValue)
    guard url.isInside(collection), !url.path.hasSuffix("/") else {
      throw RemoteError(
        code: .refused, subject: ServerText.escaped(href.rawValue),
        message: "this is not an item of \(collection)")
    }
    return url
  }

  func list() async throws -> [RemoteEntry] {
    let response = try await session.propfind(
      [.dav("getetag"), .dav("resourcetype")], of: collection, depth: 1)
    var listing = CollectionListing(of: collection, from: response.url)
    try DAVSession.responses(of: response) { listing.add($0) }
    return try listing.entries()
  }
}
