// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync

extension CalDAVCalendar {
  func create(_ item: CalendarItem) async throws -> WriteOutcome {
    let url = collection.appending(ItemName(of: item.uid).rawValue)
    if let objection = try await objection(toAdding: item) { return .refused(reason: objection) }
    if quirks.ignoresAbsence {
      guard case .absent = try await version(of: url) else { return .conditionFailed }
    }
    let bytes = item.serialized(forStorage: true)
    if let objection = try await objection(toSizeOf: bytes) { return .refused(reason: objection) }
    let response = try await put(bytes, to: url, condition: ("If-None-Match", "*"))
    if let outcome = try await uidConflict(response, item, at: url) { return outcome }
    return try await outcome(response, href: Href(url.path), of: item, bytes)
  }

  func update(
    _ href: Href, to item: CalendarItem, ifMatch etag: EntityTag
  ) async throws -> WriteOutcome {
    let url = try url(of: href)
    var scheduleTag: String?
    switch try await advice(for: href, replacement: item, ifMatch: etag) {
    case .nothing: break
    case .unchanged(let tag): scheduleTag = tag
    case .conditionFailed: return .conditionFailed
    case .refused(let reason): return .refused(reason: reason)
    }
    let bytes = item.serialized(forStorage: true)
    if let objection = try await objection(toSizeOf: bytes) { return .refused(reason: objection) }
    let answer = try await send(ifMatch: etag, scheduleTag, of: url) { condition in
      try await put(bytes, to: url, condition: condition)
    }
    guard let response = answer else { return .conditionFailed }
    switch response.status {
    case 404, 410:
      // Usually it was deleted meanwhile, and the next run finds it gone.
      guard try await isThere(href, at: url) else { return .conditionFailed }
      return .refused(
        reason: "the server lists it, and answers a change with status \(response.status)")
    default: return try await outcome(response, href: href, of: item, bytes)
    }
  }

  /// Whether an item exists, or is listed.
  private func isThere(_ href: Href, at url: RemoteURL) async throws -> Bool {
    if case .present? = try? await version(of: url) { return true }
    let key = href.comparisonKey
    return try await list().contains { $0.href.comparisonKey == key }
  }

  func delete(_ href: Href, ifMatch etag: EntityTag) async throws -> WriteOutcome {
    let url = try url(of: href)
    switch try await advice(for: href, replacement: nil, ifMatch: etag) {
    case .nothing, .unchanged: break
    case .conditionFailed: return .conditionFailed
    case .refused(let reason): return .refused(reason: reason)
    }
    // Otherwise the server sends the organizer a reply that the user declines (RFC 6638 §8.1).
    let reply = invitations == .hold ? [("Schedule-Reply", "F")] : []
    let answer = try await send(ifMatch: etag, of: url) { condition in
      try await session.send(.delete, to: url, headers: [condition] + reply)
    }
    guard let response = answer else { return .conditionFailed }
    switch response.status {
    case 207: return .refused(reason: "the server could not delete all of it")
    case 200...299: return .deleted
    case 404, 410:
      // Cyrus sometimes answers 404 to a DELETE that it carries out.
      guard try await isThere(href, at: url) else { return .deleted }
      return .refused(
        reason: "the server lists it, and answers its deletion with status \(response.status)")
    case 412: return .conditionFailed
    case 400...499: return .refused(reason: DAVRefusal(response).reason)
    default: throw Self.failure(response)
    }
  }

  private func put(
    _ bytes: [UInt8], to url: RemoteURL, condition: (String, String)
  ) async throws -> HTTPResponse {
    try await session.send(.put, to: url, headers: [condition], content: .calendar(bytes))
  }

  private func outcome(
    _ response: HTTPResponse, href: Href, of item: CalendarItem, _ bytes: [UInt8]
  ) async throws -> WriteOutcome {
    switch response.status {
    case 200...299: return .written(href: href, etag: EntityTag(answer: response))
    case 413:
      let limit = try? await sizeLimit()
      let most = limit.map { ", and the server accepts at most \($0)" } ?? ""
      return .refused(
        reason: "\(DAVRefusal(response).reason): it has \(bytes.count) bytes\(most)")
    // A full server (status 507) is not an error of the item, and may have space at the next run.
    case 400...499:
      let refusal = DAVRefusal(response)
      return refusal.isFailedCondition ? .conditionFailed : .refused(reason: refusal.reason)
    case 500, 502, 504:
      guard let written = await written(item, at: href) else { throw Self.failure(response) }
      return written
    default: throw Self.failure(response)
    }
  }

  /// The outcome of a write that the server may have carried out before it, or a proxy, failed; nil
  /// if the server does not hold the item as it was sent.
  ///
  /// Otherwise the next run would find a change of both sides.
  private func written(_ item: CalendarItem, at href: Href) async -> WriteOutcome? {
    guard case .item(let place, let etag, let held)? = try? await fetch([href]).first,
      held.normalized(by: item.normalForm).fingerprint == item.fingerprint
    else { return nil }
    return .written(href: place, etag: etag)
  }

  static func failure(_ response: HTTPResponse) -> RemoteError {
    RemoteError(
      code: .failed, subject: response.url.description, message: DAVRefusal(response).reason)
  }
}

/// Detection of items whose UID already exists on the server, to compare instead of copy them.
extension CalDAVCalendar {
  /// The maximum number of search results that are checked for a UID.
  private static let candidateLimit = 20

  /// Converts a UID conflict to an outcome; nil for all other responses.
  private func uidConflict(
    _ response: HTTPResponse, _ item: CalendarItem, at url: RemoteURL
  ) async throws -> WriteOutcome? {
    let refusal = DAVRefusal(response)
    // SOGo and others respond with status 409 and no further information, iCloud with 412.
    let isBare = [409, 412].contains(response.status) && refusal.preconditions.isEmpty
    guard response.status >= 400, refusal.isUIDConflict || isBare else { return nil }
    let isCondition = response.status == 412 && !refusal.isUIDConflict
    if isCondition {
      guard case .absent? = try? await version(of: url) else { return .conditionFailed }
    }
    guard let text = refusal.conflictingHref else {
      if let href = try await find(item, except: url) { return .alreadyPresent(href: href) }
      guard isCondition else { return nil }
      // A failed condition would be tried again in every run.
      return .refused(
        reason: "\(refusal.reason), although there is nothing at its place; another calendar of "
          + "the account may have an item with this UID")
    }
    guard let place = try? url.resolvingPath(text) else { return .refused(reason: refusal.reason) }
    if place.normalized == url.normalized { return .conditionFailed }
    guard place.isInside(collection), !place.path.hasSuffix("/") else {
      let reason =
        "\(refusal.reason); the UID is in another calendar of the account, at "
        + ServerText.escaped(place.path)
      guard (try? url.resolvingLink(text).origin) == collection.origin else {
        return .refused(reason: reason)
      }
      return .heldElsewhere(href: Href(place.path), reason: reason)
    }
    return .alreadyPresent(href: Href(text, on: collection))
  }

  /// Searches an item by its UID (RFC 4791 §7.8.6); nil if it is not found or the search fails.
  private func find(_ item: CalendarItem, except url: RemoteURL) async throws -> Href? {
    let body = DAVBody.uidQuery(item.uid.rawValue, component: item.kind.rawValue)
    let response = try await session.send(
      .report, to: collection, headers: [("Depth", "1")], content: .xml(body))
    guard let answer = try? DAVSession.multiStatus(of: response) else { return nil }
    // Servers match substrings or ignore the filter, so that the results must be checked.
    var candidates: [Href] = []
    for response in answer.responses.prefix(Self.candidateLimit) {
      guard let place = try? url.resolvingPath(response.href), place.isInside(collection),
        !place.path.hasSuffix("/"), place.normalized != url.normalized
      else { continue }
      candidates.append(Href(response.href, on: collection))
    }
    for case .item(let href, _, let found) in try await fetch(candidates)
    where found.uid == item.uid {
      return href
    }
    return nil
  }
}

extension CalDAVCalendar {
  /// The size from which on the server is asked for its limit before it is sent an item, in bytes.
  private static let largeSize = 64 << 10

  /// Why an item of these bytes is not sent; nil if it may be.
  private func objection(toSizeOf bytes: [UInt8]) async throws -> String? {
    guard bytes.count > Self.largeSize, let limit = try await sizeLimit(), bytes.count > limit
    else { return nil }
    return
      "it has \(bytes.count) bytes, and the server accepts at most \(limit) (max-resource-size)"
  }

  /// The maximum size of an item in bytes (RFC 4791 §5.2.5); nil if the server specifies none.
  private func sizeLimit() async throws -> Int? {
    try await memory.sizeLimit.value {
      let name = XMLName.caldav("max-resource-size")
      let response = try await session.propfind([name], of: collection, depth: 0)
      let answer = try? DAVSession.multiStatus(of: response)
      let text = answer?.responses.first?.properties[name]?.trimmedText
      return text.flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    }
  }
}

extension CalDAVCalendar {
  /// The version of an item on the server, according to its ETag.
  private enum Version {
    case absent
    case present(EntityTag?)
  }

  /// Returns the header field that makes a write conditional; nil if the ETag is outdated.
  ///
  /// - A weak ETag cannot be used in a condition (RFC 9110 §13.1.1), and some servers ignore
  ///   conditions. In these cases the ETag is compared immediately before the write. Another
  ///   client's edit can still be lost between the comparison and the write, which such a server
  ///   cannot prevent.
  /// - A schedule tag takes precedence; it was read together with the known ETag. It does not
  ///   change when the server records replies of attendees, and the server preserves these replies
  ///   (RFC 6638 §3.2.10).
  func condition(
    for etag: EntityTag, _ scheduleTag: String?, of url: RemoteURL
  ) async throws -> (String, String)? {
    if let scheduleTag { return ("If-Schedule-Tag-Match", scheduleTag) }
    if etag.isWeak || quirks.ignoresConditions {
      guard case .present(etag) = try await version(of: url) else { return nil }
    }
    return ("If-Match", etag.isWeak ? "*" : etag.quoted)
  }

  /// Sends a conditional request for an ETag; nil if the ETag is outdated.
  ///
  /// Lenient: a server that omits the quotes of its ETags (RFC 9110 §8.8.3) may compare a condition
  /// with its own notation. If it rejects the current ETag, the request is repeated with that
  /// notation, and then with the condition that the resource exists.
  func send(
    ifMatch etag: EntityTag, _ scheduleTag: String? = nil, of url: RemoteURL,
    _ request: ((String, String)) async throws -> HTTPResponse
  ) async throws -> HTTPResponse? {
    guard let condition = try await condition(for: etag, scheduleTag, of: url) else { return nil }
    let response = try await request(condition)
    guard condition.1 == etag.quoted, DAVRefusal(response).isFailedCondition else {
      return response
    }
    for next in [{ $0.rawValue }, { _ in "*" }] as [(EntityTag) -> String] {
      guard case .present(let now?)? = try? await version(of: url), now == etag, now.isBare else {
        return response
      }
      let again = try await request(("If-Match", next(now)))
      guard DAVRefusal(again).isFailedCondition else { return again }
    }
    return response
  }

  private func version(of url: RemoteURL) async throws -> Version {
    let response = try await session.propfind([.dav("getetag")], of: url, depth: 0)
    if response.status == 404 || response.status == 410 { return .absent }
    let answer = try DAVSession.multiStatus(of: response)
    guard let item = answer.responses.first else { throw Self.failure(response) }
    if item.status == 404 || item.status == 410 { return .absent }
    return .present(item.properties[.dav("getetag")].flatMap { EntityTag(received: $0.text) })
  }
}

extension CalDAVCalendar {
  /// Moves a resource from another calendar of the account to this one (RFC 4918 §9.9).
  func move(_ item: CalendarItem, from source: RemoteEntry) async throws -> WriteOutcome {
    let url = collection.appending(ItemName(of: item.uid).rawValue)
    let place = try collection.resolving(source.href.rawValue)
    guard !place.path.hasSuffix("/"), !place.isInside(collection) else {
      return .refused(reason: "\(place) is not an item of another calendar")
    }
    switch try await advice(forMoving: place, ifMatch: source.etag) {
    case .nothing, .unchanged: break
    case .conditionFailed: return .conditionFailed
    case .refused(let reason): return .refused(reason: reason)
    }
    var headers = [("Destination", url.description), ("Overwrite", "F")]
    // Otherwise the server sends the organizer a reply that the user declines (RFC 6638 §8.1).
    if invitations == .hold { headers.append(("Schedule-Reply", "F")) }
    let response: HTTPResponse
    if let etag = source.etag {
      let answer = try await send(ifMatch: etag, of: place) { [headers] condition in
        try await session.send(.move, to: place, headers: headers + [condition])
      }
      guard let answer else { return .conditionFailed }
      response = answer
    } else {
      response = try await session.send(.move, to: place, headers: headers)
    }
    switch response.status {
    case 207: return .refused(reason: "the server could not move all of it")
    case 200...299: return .written(href: Href(url.path), etag: EntityTag(answer: response))
    case 404, 410, 412: return .conditionFailed
    case 400...499, 501, 502, 507: return .refused(reason: DAVRefusal(response).reason)
    default: throw Self.failure(response)
    }
  }
}
