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
  /// Whether the server has properties of the calendar; not if it refuses PROPFIND.
  var hasProperties = true
  /// The components that the server states for the calendar, and for its user.
  var components: Set<String>?

  var requestsAtOnce: Int { session.transport.requestsAtOnce }
  var fetchesAtOnce: Int { min(requestsAtOnce, memory.reportsAtOnce, 2) }

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
    if ServerQuirks.refusals.contains(response.status), let entries = try await query() {
      return entries
    }
    var listing = CollectionListing(of: collection, from: response.url)
    try DAVSession.responses(of: response) { listing.add($0) }
    return try listing.entries()
  }

  /// Lists the items by a query for all of them (RFC 4791 §7.8); nil if the server refuses that, too.
  ///
  /// It replaces a listing on servers that refuse PROPFIND.
  func query() async throws -> [RemoteEntry]? {
    let response = try await session.send(
      .report, to: collection, headers: [("Depth", "1")], content: .xml(DAVBody.itemQuery))
    guard [200, 207].contains(response.status) else { return nil }
    var listing = CollectionListing(of: collection, from: response.url, hasSelf: false)
    try DAVSession.responses(of: response) { listing.add($0) }
    return try listing.entries()
  }
}

/// The deviations of a server from the standards that must be known in advance.
///
/// All other deviations are detected from responses. These are not detectable, because the
/// responses look valid.
struct ServerQuirks: Hashable, Sendable {
  /// The status codes of servers that refuse PROPFIND requests.
  static let refusals: Set<Int> = [403, 405, 501]

  /// Whether the server ignores If-Match and If-None-Match.
  var ignoresConditions = false
  /// Whether the server ignores `If-None-Match: *` and replaces existing items.
  var ignoresAbsence = false
  /// Whether clients have to use sync reports after the first sync, and may not list everything again.
  var requiresReports = false
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
    requiresReports = url.isOfGoogle
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
    var lengths: [String: Int]?
    var batchSize: BatchSize
    var reportCursor: RemoteCursor?
    var cursorRecognition = CursorRecognition.unknown
  }

  /// The maximum number of reports in flight at once.
  static let mostReports = ServerDistance.far.reportsAtOnce

  private let state: Mutex<State>
  /// The number of reports that may be in flight at once.
  let reportsAtOnce: Int
  /// The maximum size of an item in bytes (RFC 4791 §5.2.5); nil if the server specifies none.
  let sizeLimit = SharedAnswer<Int?>()

  /// Creates the memory of a server.
  ///
  /// - Parameters:
  ///   - features: The header fields of the response that described the calendar.
  ///   - responseTime: The shortest time of a response; nil if no time was measured.
  init(features: HTTPHeaders, responseTime: Duration?) {
    let distance = ServerDistance(responseTime: responseTime)
    state = Mutex(State(features: features, batchSize: BatchSize(for: distance)))
    reportsAtOnce = distance.reportsAtOnce
  }

  /// The header fields of the first response, which may announce the features of the server.
  var features: HTTPHeaders { state.withLock { $0.features } }

  var scheduling: SchedulingServer? {
    get { state.withLock { $0.scheduling } }
    set { state.withLock { $0.scheduling = newValue } }
  }

  /// How long the items are, by normalized address; nil before it was asked for.
  var lengths: [String: Int]? {
    get { state.withLock { $0.lengths } }
    set { state.withLock { $0.lengths = newValue } }
  }

  /// The cursor of the initial report that replaced a listing; nil if none did.
  var reportCursor: RemoteCursor? {
    get { state.withLock { $0.reportCursor } }
    set { state.withLock { $0.reportCursor = newValue } }
  }

  /// Whether the server continued its history from the cursor of the last request for changes.
  var cursorRecognition: CursorRecognition {
    get { state.withLock { $0.cursorRecognition } }
    set { state.withLock { $0.cursorRecognition = newValue } }
  }

  /// The number of items that the next report requests.
  var batchSize: Int { state.withLock { $0.batchSize.items } }

  /// Adapts the size of batches to the time that the server took for one.
  func adaptBatchSize(to time: Duration, of count: Int) {
    state.withLock { $0.batchSize.note(time, of: count) }
  }

  /// Reduces the size of batches after a failure.
  func limitBatchSize(to count: Int) {
    state.withLock { $0.batchSize.limit(to: count) }
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

/// The distance of a server, estimated from its fastest response.
///
/// Several reports at once hide the round trip of a network. A server that is near answers them no
/// sooner, and one that is a single process takes longer for each and completes all of them at the
/// end, so that no items can be stored meanwhile.
enum ServerDistance {
  /// There is no round trip worth hiding.
  case near
  /// The round trip is shorter than a report, and a second report hides it.
  case medium
  /// The round trip is long, or unknown.
  case far

  /// Estimates the distance.
  ///
  /// - Parameter responseTime: The shortest time of a response; nil if no time was measured.
  init(responseTime: Duration?) {
    switch responseTime {
    case let time? where time < .milliseconds(20): self = .near
    case let time? where time < .milliseconds(40): self = .medium
    default: self = .far
    }
  }

  /// The number of reports that may be in flight at once.
  var reportsAtOnce: Int {
    switch self {
    case .near: 1
    case .medium: 2
    case .far: 3
    }
  }
}

/// The number of items in a report, adapted to the time that the server takes.
///
/// Larger reports save round trips and work of the server. Smaller ones limit the memory for an
/// answer, the time until a server that fails is noticed, and the time until the first items can be
/// stored while the server works on the next report.
struct BatchSize {
  /// The first size for a server that is not far, and the only one for a server that is near.
  private static let small = 100
  /// The first size for a server that is far.
  ///
  /// A part of a run is two such reports, so that the reports of a usual calendar are all in flight
  /// at once.
  private static let large = 250
  /// The largest size for a server that is not near.
  private static let most = 500
  /// The time below which a larger report is requested next.
  private static let short = Duration.seconds(1)
  /// The time above which a smaller report is requested next.
  private static let long = Duration.seconds(4)
  /// The number of consecutive successful reports after a failure before the size increases.
  private static let calmLimit = 8

  /// The largest size for this server.
  private let most: Int
  /// The number of items, at least 1.
  private(set) var items: Int
  /// The number of successful reports that are still needed before the size increases.
  private var wait = 0

  /// Creates the size for a server at the given distance.
  init(for distance: ServerDistance = .far) {
    items = distance == .far ? Self.large : Self.small
    most = distance == .near ? Self.small : Self.most
  }

  /// Adapts the size to the time of a report.
  mutating func note(_ time: Duration, of count: Int) {
    if time > Self.long {
      limit(to: count / 2)
    } else if time < Self.short, count >= items {
      wait = max(0, wait - 1)
      if wait == 0 { items = min(items * 2, most) }
    }
  }

  /// Reduces the size to at most this number.
  mutating func limit(to count: Int) {
    items = min(items, max(1, count))
    wait = Self.calmLimit
  }
}

/// The answer to a question that is asked once, even if several requests need it at the same time.
final class SharedAnswer<Value: Sendable>: Sendable {
  private let task = Mutex<Task<Value, any Error>?>(nil)

  /// Remembers an answer that was received otherwise.
  func remember(_ value: Value) {
    task.withLock { $0 = Task { value } }
  }

  /// Returns the answer, and asks for it if no other request did.
  ///
  /// After an error the next request asks again.
  func value(_ ask: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let task = task.withLock { known in
      if let known { return known }
      let new = Task { try await ask() }
      known = new
      return new
    }
    do {
      return try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
    } catch {
      self.task.withLock { if $0 == task { $0 = nil } }
      throw error
    }
  }
}
