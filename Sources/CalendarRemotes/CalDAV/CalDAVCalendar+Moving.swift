// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync

extension CalDAVCalendar {
  /// Moves a resource from another calendar of the account to this one (RFC 4918 §9.9).
  func move(_ item: CalendarItem, from source: RemoteEntry) async throws -> MoveOutcome {
    let url = collection.appending(ItemName(of: item.uid).rawValue)
    let place = try collection.resolving(source.href.rawValue)
    guard !place.path.hasSuffix("/"), !place.isInside(collection) else {
      return .refused(reason: "\(place) is no item of another calendar")
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
    case 200...299: return .moved(href: Href(url.path), etag: EntityTag(answer: response))
    case 404, 410, 412: return .conditionFailed
    case 400...499, 501, 502, 507: return .refused(reason: DAVRefusal(response).reason)
    default: throw Self.failure(response)
    }
  }
}
