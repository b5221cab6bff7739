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
  /// The state that was told on the way here.
  let opening: OpeningState
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
    return try Self.entries(
      of: DAVSession.multiStatus(of: response), from: response.url, collection: collection)
  }

  /// The items of a listing.
  ///
  /// Nothing is left out for its content type: the type of an item is not ours to judge, and what is
  /// left out of a listing looks deleted. An item that the server says something odd about is listed
  /// without a tag, so that it is fetched, and what comes of that is told.
  ///
  /// - Throws: `RemoteError` unless the listing names the collection itself, without which it proves
  ///   nothing, and says nothing of having been cut off.
  private static func entries(
    of listing: MultiStatus, from url: RemoteURL, collection: RemoteURL
  ) throws(RemoteError) -> [RemoteEntry] {
    var entries: [RemoteEntry] = []
    var indexes: [String: Int] = [:]
    var isSelfListed = false
    for response in listing.responses {
      // What is not an address of this server at all is not an item of this calendar.
      guard let member = try? url.resolving(response.href) else { continue }
      let key = member.asCollection.normalized
      if key == collection.asCollection.normalized || key == url.asCollection.normalized {
        if let status = response.status, !(200...299).contains(status) {
          throw RemoteError(
            code: status == 404 || status == 410 ? .notFound : .malformed,
            subject: collection.description,
            message: "the calendar is not listed (status \(status))")
        }
        isSelfListed = true
        continue
      }
      guard member.isInside(collection), !isCollection(response, member) else { continue }
      let tag = response.properties[.dav("getetag")].flatMap { EntityTag(received: $0.text) }
      if let index = indexes[key] {
        let isSame = entries[index].etag == tag
        entries[index] = RemoteEntry(href: entries[index].href, etag: isSame ? tag : nil)
      } else {
        indexes[key] = entries.count
        entries.append(RemoteEntry(href: Href(response.href), etag: tag))
      }
    }
    guard isSelfListed else {
      throw incomplete(collection, "it does not name the calendar itself")
    }
    return entries
  }

  private static func isCollection(_ response: MultiStatus.Response, _ url: RemoteURL) -> Bool {
    url.path.hasSuffix("/") || response.properties[.dav("resourcetype")]?[.dav("collection")] != nil
  }

  private static func incomplete(_ collection: RemoteURL, _ reason: String) -> RemoteError {
    RemoteError(
      code: .malformed, subject: collection.description,
      message: "the listing is not known to be complete: \(reason)")
  }
}
