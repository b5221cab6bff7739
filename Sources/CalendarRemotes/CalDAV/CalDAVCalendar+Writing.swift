// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync

extension CalDAVCalendar {
  func create(_ item: CalendarItem) async throws -> WriteOutcome {
    let url = collection.appending(ItemName(of: item.uid).rawValue)
    if quirks.ignoresConditions {
      guard case .absent = try await version(of: url) else { return .conditionFailed }
    }
    let response = try await put(item, to: url, condition: ("If-None-Match", "*"))
    return try Self.outcome(response, href: Href(url.path))
  }

  func update(
    _ href: Href, to item: CalendarItem, ifMatch etag: EntityTag
  ) async throws -> WriteOutcome {
    let url = try url(of: href)
    guard let condition = try await condition(for: etag, of: url) else { return .conditionFailed }
    let response = try await put(item, to: url, condition: condition)
    switch response.status {
    case 404, 410: return .conditionFailed
    default: return try Self.outcome(response, href: href)
    }
  }

  func delete(_ href: Href, ifMatch etag: EntityTag) async throws -> DeleteOutcome {
    let url = try url(of: href)
    guard let condition = try await condition(for: etag, of: url) else { return .conditionFailed }
    let response = try await session.send(.delete, to: url, headers: [condition])
    switch response.status {
    case 207: return .refused(reason: "the server could not delete all of it")
    case 200...299, 404, 410: return .deleted
    case 412: return .conditionFailed
    case 400...499: return .refused(reason: DAVRefusal(response).reason)
    default: throw Self.failure(response)
    }
  }

  private func put(
    _ item: CalendarItem, to url: RemoteURL, condition: (String, String)
  ) async throws -> HTTPResponse {
    try await session.send(
      .put, to: url, headers: [condition], content: .calendar(item.serialized(forStorage: true)))
  }

  private static func outcome(
    _ response: HTTPResponse, href: Href
  ) throws(RemoteError) -> WriteOutcome {
    switch response.status {
    case 200...299: return .written(href: href, etag: EntityTag(answer: response))
    case 400...499, 507:
      let refusal = DAVRefusal(response)
      // Xandikos answers 412 to whatever it refuses; the body tells it from a failed condition.
      let isCondition = response.status == 412 && refusal.preconditions.isEmpty
      return isCondition ? .conditionFailed : .refused(reason: refusal.reason)
    default: throw failure(response)
    }
  }

  private static func failure(_ response: HTTPResponse) -> RemoteError {
    RemoteError(
      code: .failed, subject: response.url.description, message: DAVRefusal(response).reason)
  }
}

extension CalDAVCalendar {
  /// What the server holds in a place, as far as a tag tells.
  private enum Version {
    case absent
    case present(EntityTag?)
  }

  /// The field that makes a write conditional on the tag; nil if the tag is known to be out of date.
  ///
  /// A weak tag is no use in a condition (RFC 9110 §13.1.1), and some servers obey none: then the tag
  /// is compared here, just before the write. That leaves a moment in which another's edit can be
  /// lost, which is the best that such a server allows.
  private func condition(
    for etag: EntityTag, of url: RemoteURL
  ) async throws -> (String, String)? {
    if etag.isWeak || quirks.ignoresConditions {
      guard case .present(etag) = try await version(of: url) else { return nil }
    }
    return ("If-Match", etag.isWeak ? "*" : etag.rawValue)
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
