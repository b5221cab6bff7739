// SPDX-License-Identifier: Apache-2.0

/// The discovery of calendars from a URL (RFC 6764 §6, RFC 5397, RFC 4791 §6.2.1).
///
/// It is a state machine without I/O: it receives responses and returns the next query.
///
///     address ──► calendar? ── yes ─────────────────────────────► found
///        │ no: home sets or a principal? ──► principal ──► home sets ──► choose
///        ▼ neither, and the address has no path   ▲
///     /.well-known/caldav ────────────────────────┘
///
/// A URL without a slash at the end is tried with one, too. The well-known URL is not used for a
/// calendar at a URL with a path: the URL of a deleted calendar must not lead to another calendar.
/// For a list of calendars it is.
package struct Discovery: Sendable {
  /// A discovered calendar.
  package struct Calendar: Hashable, Sendable {
    /// The URL as the server writes it.
    package let url: RemoteURL
    /// The display name, if it has one.
    package let name: String?
    /// The response with all its properties.
    package let response: MultiStatus.Response
  }

  /// A query to the server: a request for properties.
  package struct Query: Hashable, Sendable {
    package let url: RemoteURL
    package let depth: Int
    package let properties: [XMLName]
  }

  /// The result of a query.
  package enum Answer: Sendable {
    /// The properties, and the URL that returned them.
    case properties(MultiStatus, from: RemoteURL)
    /// The resource has no properties, for this reason.
    case nothing(RemoteError)
  }

  /// The next step.
  package enum Step: Sendable {
    case ask(Query)
    case found(Calendar)
    /// All calendars, and what else an account has.
    case listed([Calendar], AccountParts)
  }

  /// The target of the search.
  package enum Goal: Hashable, Sendable {
    /// The calendar with this name; nil for the only calendar.
    case calendar(named: String?)
    /// All calendars of the user that can be listed.
    case all
    /// All calendars of the user; a list that may be incomplete is an error.
    case account
  }

  private enum State {
    /// The configured URL was queried; with `isFull` for all properties of a calendar.
    case address(isFull: Bool)
    /// The well-known URL was queried for the user's principal.
    case wellKnown(after: RemoteError?)
    /// The principal was queried for its home sets.
    case principal
    /// A server-specific path was queried, because the well-known URL gave no usable response.
    case guess(after: RemoteError?)
    /// The home sets are being listed; the first of `rest` was queried.
    case homes(Homes)
  }

  private struct Homes {
    let all: [RemoteURL]
    var rest: [RemoteURL]
    var found: [Calendar] = []
    /// The subscriptions, which are no calendars.
    var subscriptions: [AccountSubscription] = []
    /// The result of the first home set that could not be listed.
    var failure: Answer?
    /// The parts that the lists omit.
    var gaps: [AccountParts.Gap] = []
  }

  /// The maximum number of home sets to list.
  private static let homeLimit = 8
  private static let identityProperties: [XMLName] = [
    .dav("resourcetype"), .dav("displayname"), .dav("current-user-principal"),
    .caldav("calendar-home-set"),
  ]

  private var address: RemoteURL
  private let goal: Goal
  /// Whether the sync token is requested, if the URL is a calendar.
  private let asksToken: Bool
  private var state: State

  /// Creates a search from a URL.
  ///
  /// - Parameters:
  ///   - address: The URL.
  ///   - goal: The target of the search.
  ///   - asksToken: Whether the sync token is requested, if the URL is a calendar. Some servers
  ///     read all items for it.
  package init(address: RemoteURL, goal: Goal, asksToken: Bool = true) {
    self.address = address
    self.goal = goal
    self.asksToken = asksToken
    // The root of a server is not a calendar, and DAViCal fails if its root is queried for a sync
    // token.
    state = .address(isFull: address.path != "/")
  }

  /// The name of the requested calendar, if there is one.
  private var wanted: String? {
    if case .calendar(let name) = goal { name } else { nil }
  }

  private var isListing: Bool {
    if case .calendar = goal { false } else { true }
  }

  /// Whether the queried URL is a guess, so that an unusable response is not an error.
  package var isGuessing: Bool {
    switch state {
    case .wellKnown, .guess: true
    default: false
    }
  }

  /// The first query.
  package var firstQuery: Query {
    guard address.path != "/" else {
      return Query(url: address, depth: 0, properties: Self.identityProperties)
    }
    // The additional properties save later requests if the URL is a calendar.
    let state = asksToken ? CollectionState.properties : [CollectionState.tagProperty]
    return Query(
      url: address, depth: 0,
      properties: Self.identityProperties + state + CalendarCollection.described)
  }

  /// Processes the result of the last query and returns the next step.
  ///
  /// - Throws: `RemoteError` if the search has failed.
  package mutating func receive(_ answer: Answer) throws(RemoteError) -> Step {
    switch state {
    case .address(let isFull):
      if isFull, case .nothing(let error) = answer, error.code == .failed {
        state = .address(isFull: false)
        return .ask(Query(url: address, depth: 0, properties: Self.identityProperties))
      }
      // Some servers do not redirect the address of a collection without its slash.
      if !address.path.hasSuffix("/"), Self.missingStatus(answer) != nil {
        address = address.asCollection
        return .ask(firstQuery)
      }
      return try receiveAddress(answer)
    case .wellKnown(let earlier):
      if let (response, url) = Self.first(answer), let step = try follow(response, from: url) {
        return step
      }
      // SOGo responds at this URL as if the resource existed, and does not redirect.
      if case .nothing(let error) = answer, [.malformed, .notCalendar].contains(error.code) {
        state = .guess(after: earlier)
        return .ask(
          Query(
            url: try address.resolving("/SOGo/dav/"), depth: 0,
            properties: Self.identityProperties))
      }
      throw earlier ?? failure(.notCalendar, "no calendar found here, and no link to one", answer)
    case .guess(let earlier):
      if let (response, url) = Self.first(answer), let step = try follow(response, from: url) {
        return step
      }
      throw earlier ?? failure(.notCalendar, "no calendar found here, and no link to one", answer)
    case .principal:
      if let (response, url) = Self.first(answer), let step = try followHomes(response, from: url) {
        return step
      }
      throw failure(.notCalendar, "the server has no calendars of this user", answer)
    case .homes(let homes): return try receiveHome(answer, homes)
    }
  }

  /// Processes the list of a home set.
  private mutating func receiveHome(_ answer: Answer, _ homes: Homes) throws(RemoteError) -> Step {
    var homes = homes
    switch answer {
    case .properties(let document, let url):
      if goal == .account {
        homes.gaps += try gaps(in: document, of: homes.rest.first, from: url)
      }
      for response in document.responses {
        if let subscription = AccountSubscription(response) {
          homes.subscriptions.append(subscription)
        }
        guard let calendar = try Self.calendar(response, from: url),
          !homes.found.contains(where: { $0.url.normalized == calendar.url.normalized })
        else { continue }
        homes.found.append(calendar)
      }
    case .nothing(let error):
      homes.failure = homes.failure ?? answer
      if let home = homes.rest.first {
        homes.gaps.append(
          AccountParts.Gap(url: home.asCollection, isHome: true, failure: error))
      }
    }
    homes.rest.removeFirst()
    state = .homes(homes)
    if let next = homes.rest.first { return .ask(homeQuery(next)) }
    return try finish(homes)
  }

  /// Returns the members that the list of a home set omits because of an error; without them, they
  /// would look removed.
  ///
  /// - Throws: `RemoteError` if the list may omit other members, too.
  private func gaps(
    in document: MultiStatus, of home: RemoteURL?, from url: RemoteURL
  ) throws(RemoteError) -> [AccountParts.Gap] {
    let own = Set([home, url].compactMap { $0?.asCollection.normalized })
    var isSelfListed = false
    var gaps: [AccountParts.Gap] = []
    for response in document.responses {
      let place = try? Self.place(of: response.href, in: url).asCollection
      let isOwn = place.map { own.contains($0.normalized) } ?? false
      if isOwn { isSelfListed = true }
      let status = response.status ?? response.failures[.dav("resourcetype")] ?? 200
      guard !(200...299).contains(status), status != 404 || isOwn else { continue }
      guard !isOwn, let place, place.isInside(url) else {
        throw failure(
          .malformed,
          "the list of calendars may be incomplete: \(ServerText.escaped(response.href)) has status "
            + "\(status)")
      }
      let error = RemoteError(
        code: .forbidden, subject: place.description, message: "status \(status)")
      gaps.append(AccountParts.Gap(url: place, isHome: false, failure: error))
    }
    guard isSelfListed else {
      throw failure(
        .malformed, "the list of calendars may be incomplete: it does not contain its own folder")
    }
    return gaps
  }

  /// Returns the result of the home sets.
  ///
  /// If a home set could not be listed, the result is valid only if it contains what was requested.
  private func finish(_ homes: Homes) throws(RemoteError) -> Step {
    if let failed = homes.failure {
      let isEnough =
        switch goal {
        case .all: !homes.found.isEmpty
        // The parts without a list are named.
        case .account: homes.gaps.count(where: \.isHome) < homes.all.count
        case .calendar(let name):
          name.map { name in homes.found.contains { Self.matches($0, name) } } ?? false
        }
      guard isEnough else {
        throw failure(.notCalendar, "the calendars cannot be listed", failed)
      }
    }
    if isListing {
      return .listed(
        homes.found,
        AccountParts(
          homes: homes.all, subscriptions: homes.subscriptions, gaps: homes.gaps))
    }
    return .found(try choose(from: homes.found))
  }

  private mutating func receiveAddress(_ answer: Answer) throws(RemoteError) -> Step {
    if let (response, url) = Self.first(answer) {
      if let calendar = try Self.calendar(response, from: url) {
        guard isListing else { return .found(try checked(calendar)) }
        if let step = try follow(response, from: url) { return step }
        guard goal == .all else {
          throw failure(
            .notCalendar, "this is a calendar, and the server has no link to its account")
        }
        return .listed([calendar], AccountParts())
      }
      if let step = try follow(response, from: url) { return step }
    }
    var earlier: RemoteError?
    if address.path != "/" {
      let error = self.error(of: answer)
      guard isListing, [.notFound, .notCalendar].contains(error.code) else { throw error }
      earlier = error
    }
    state = .wellKnown(after: earlier)
    return .ask(
      Query(
        url: try address.resolving("/.well-known/caldav"), depth: 0,
        properties: Self.identityProperties))
  }

  /// Returns the error of an address with a path that is not a calendar and has no link to one.
  private func error(of answer: Answer) -> RemoteError {
    if case .nothing(let error) = answer { return error }
    if let status = Self.missingStatus(answer) {
      return failure(.notFound, "not found (status \(status))")
    }
    return failure(.notCalendar, "this is not a calendar, and the server has no link to one")
  }

  /// Returns 404 or 410 if the queried resource does not exist.
  ///
  /// Xandikos reports a missing collection inside a multi-status response.
  private static func missingStatus(_ answer: Answer) -> Int? {
    switch answer {
    case .nothing(let error): error.code == .notFound ? 404 : nil
    case .properties:
      first(answer)?.0.status.flatMap { [404, 410].contains($0) ? $0 : nil }
    }
  }

  /// Returns the response for the queried resource.
  private static func first(_ answer: Answer) -> (MultiStatus.Response, RemoteURL)? {
    guard case .properties(let document, let url) = answer else { return nil }
    return document.responses.first.map { ($0, url) }
  }

  /// Returns the next step from a resource that is not a calendar: its home sets or its principal.
  private mutating func follow(
    _ response: MultiStatus.Response, from url: RemoteURL
  ) throws(RemoteError) -> Step? {
    if let step = try followHomes(response, from: url) { return step }
    guard let principal = response.properties[.dav("current-user-principal")] else { return nil }
    if principal[.dav("unauthenticated")] != nil {
      throw failure(.credentials, "the server does not recognize the user; check the credentials")
    }
    guard let href = principal[.dav("href")]?.trimmedText, !href.isEmpty else { return nil }
    state = .principal
    return .ask(
      Query(
        url: try url.resolvingLink(href), depth: 0, properties: [.caldav("calendar-home-set")]))
  }

  private mutating func followHomes(
    _ response: MultiStatus.Response, from url: RemoteURL
  ) throws(RemoteError) -> Step? {
    var homes: [RemoteURL] = []
    let hrefs = response.properties[.caldav("calendar-home-set")]?.children(named: .dav("href"))
    if goal == .account, let hrefs, hrefs.count > Self.homeLimit {
      throw failure(.tooLarge, "the user has more than \(Self.homeLimit) sets of calendars")
    }
    for href in hrefs ?? [] where homes.count < Self.homeLimit {
      homes.append(try url.resolvingLink(href.trimmedText))
    }
    guard let first = homes.first else { return nil }
    state = .homes(Homes(all: homes, rest: homes))
    return .ask(homeQuery(first))
  }

  private func homeQuery(_ url: RemoteURL) -> Query {
    let properties =
      isListing ? CalendarCollection.queried : [.dav("resourcetype"), .dav("displayname")]
    return Query(url: url, depth: 1, properties: properties)
  }

  /// Returns the calendar of a response, if the resource is one (RFC 4791 §4.2).
  static func calendar(
    _ response: MultiStatus.Response, from url: RemoteURL
  ) throws(RemoteError) -> Calendar? {
    guard response.properties[.dav("resourcetype")]?[.caldav("calendar")] != nil else { return nil }
    let name = response.properties[.dav("displayname")]?.trimmedText
    return Calendar(
      url: try place(of: response.href, in: url).asCollection,
      name: name?.isEmpty ?? true ? nil : name,
      response: response)
  }

  /// Returns the address of a resource in the response of a collection, or of the collection itself.
  ///
  /// A server of the same site may hold it. Any other origin is only a spelling: the path shows
  /// whether the resource is in the collection.
  private static func place(
    of href: String, in collection: RemoteURL
  ) throws(RemoteError) -> RemoteURL {
    if let link = try? collection.resolving(href), Site.isSame(link.origin, collection.origin) {
      return link
    }
    let place = try collection.resolvingPath(href)
    let isOwn = place.asCollection.normalizedPath == collection.asCollection.normalizedPath
    return isOwn || place.isInside(collection) ? place : try collection.resolvingLink(href)
  }

  /// Returns the calendar at the configured URL if it has the configured name.
  private func checked(_ calendar: Calendar) throws(RemoteError) -> Calendar {
    guard let wanted, !Self.matches(calendar, wanted) else { return calendar }
    throw failure(
      .configuration, "this is the calendar \(Self.label(calendar)), not \(Self.quoted(wanted))")
  }

  private func choose(from found: [Calendar]) throws(RemoteError) -> Calendar {
    let labels = found.map(Self.label).joined(separator: ", ")
    guard !found.isEmpty else { throw failure(.notFound, "the user has no calendars here") }
    let candidates = wanted.map { wanted in found.filter { Self.matches($0, wanted) } } ?? found
    guard let first = candidates.first else {
      throw failure(.notFound, "there is no calendar \(Self.quoted(wanted ?? "")), only \(labels)")
    }
    guard candidates.count == 1 else {
      throw failure(
        .ambiguous,
        "there are several calendars, choose one by its name or address: "
          + candidates.map(Self.label).joined(separator: ", "))
    }
    return first
  }

  private static func matches(_ calendar: Calendar, _ wanted: String) -> Bool {
    calendar.name == wanted || lastSegment(calendar) == wanted
  }

  private static func lastSegment(_ calendar: Calendar) -> String {
    calendar.url.path.split(separator: "/").last.map(String.init) ?? ""
  }

  private static func label(_ calendar: Calendar) -> String {
    let path = ServerText.escaped(calendar.url.path)
    return calendar.name.map { "\(quoted($0)) (\(path))" } ?? path
  }

  private static func quoted(_ name: String) -> String { "\"\(ServerText.escaped(name))\"" }

  private func failure(
    _ code: RemoteError.Code, _ message: String, _ answer: Answer? = nil
  ) -> RemoteError {
    guard case .nothing(let error) = answer else {
      return RemoteError(code: code, subject: address.description, message: message)
    }
    // A missing resource at a guessed URL is expected; any other error is the better explanation.
    return RemoteError(
      code: error.code == .notFound ? code : error.code, subject: address.description,
      message: "\(message); \(error)")
  }
}
