// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync

/// A CalDAV calendar under full access.
struct CalDAVCalendar: RemoteCalendar {
  let session: DAVSession
  /// The address of the collection, which ends in `/`.
  let collection: RemoteURL
  /// What the server does otherwise than others.
  let quirks: ServerQuirks
  /// What was told on the way here.
  let opening: OpeningAnswer
  /// What becomes of meetings.
  let invitations: InvitationPolicy
  /// What was found out about the server.
  let memory: CalendarMemory

  /// The address of an item.
  ///
  /// - Throws: `RemoteError` unless it lies in the collection: an href comes from outside, and a
  ///   request to the collection itself, or out of it, could destroy what was never looked at.
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
