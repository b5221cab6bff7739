// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import Synchronization

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

/// The deviations of a server from the standards that must be known in advance.
///
/// All other deviations are detected from responses. These are not detectable, because the
/// responses look valid.
struct ServerQuirks: Hashable, Sendable {
  /// Whether the server ignores If-Match and If-None-Match.
  var ignoresConditions = false
  /// Whether the server ignores `If-None-Match: *` and replaces existing items.
  var ignoresAbsence = false
  /// Whether the ctag and the sync token are timestamps in seconds.
  var countsInSeconds = false
  /// Whether an item that was deleted and created again can have its old ETag.
  var reusesTags = false

  init() {}

  /// Detects the quirks of a server from its name and URL.
  ///
  /// A reverse proxy often hides the name of SOGo, so that its usual path is also checked.
  init(server: String, url: RemoteURL) {
    ignoresAbsence = url.isOfGoogle
    guard server.contains("SOPE") || server.contains("SOGo") || url.path.hasPrefix("/SOGo/") else {
      return
    }
    ignoresConditions = true
    ignoresAbsence = true
    countsInSeconds = true
    reusesTags = true
  }
}

extension RemoteURL {
  /// Whether the URL belongs to Google, whose responses do not reveal its deviations.
  var isOfGoogle: Bool {
    ["google.com", "googleusercontent.com"].contains { domain in
      origin.host == domain || origin.host.hasSuffix(".\(domain)")
    }
  }
}

/// The known facts about a server while one of its calendars is open.
final class CalendarMemory: Sendable {
  /// The server's copy of an item, read immediately before a write.
  struct Copy: Sendable {
    let href: Href
    let etag: EntityTag?
    let scheduleTag: String?
    let item: CalendarItem
  }

  private struct State {
    var features: HTTPHeaders
    var scheduling: SchedulingServer?
    var copy: Copy?
    var copies: [Href: Copy] = [:]
    var sizeLimit: SizeLimit?
    var lengths: [String: Int]?
  }

  /// The most bytes that the server takes of an item.
  struct SizeLimit {
    /// Nil if the server names no limit.
    let bytes: Int?
  }

  private let state: Mutex<State>

  /// Creates the memory of a server.
  ///
  /// - Parameter features: The header fields of the response that described the calendar.
  init(features: HTTPHeaders) {
    state = Mutex(State(features: features))
  }

  /// The header fields of the first response, which may announce the features of the server.
  var features: HTTPHeaders { state.withLock { $0.features } }

  var scheduling: SchedulingServer? {
    get { state.withLock { $0.scheduling } }
    set { state.withLock { $0.scheduling = newValue } }
  }

  /// The limit that the server names for the size of an item; nil before it was asked for.
  var sizeLimit: SizeLimit? {
    get { state.withLock { $0.sizeLimit } }
    set { state.withLock { $0.sizeLimit = newValue } }
  }

  /// How long the items are, by normalized address; nil before it was asked for.
  var lengths: [String: Int]? {
    get { state.withLock { $0.lengths } }
    set { state.withLock { $0.lengths = newValue } }
  }

  /// Keeps a copy for the write that comes next.
  func keep(_ copy: Copy) {
    state.withLock { $0.copy = copy }
  }

  /// Stores copies for the next writes and discards the remaining previous ones.
  func keep(_ copies: [Href: Copy]) {
    state.withLock { $0.copies = copies }
  }

  /// Returns the copy of an item once.
  func takeCopy(of href: Href) -> Copy? {
    state.withLock { state in
      defer { state.copy = nil }
      let copy = state.copies.removeValue(forKey: href)
      return state.copy?.href == href ? state.copy : copy
    }
  }
}
