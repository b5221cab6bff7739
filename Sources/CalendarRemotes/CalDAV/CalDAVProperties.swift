// SPDX-License-Identifier: Apache-2.0

import CalendarSync

/// The name, colour, description and order of a calendar on a server.
struct CalDAVProperties: CollectionPropertyStore {
  let session: DAVSession
  let collection: RemoteURL
  /// The responses from opening the calendar.
  var opening = OpeningAnswer()

  func collectionProperties() async throws -> CollectionProperties {
    if let told = opening.takeProperties() { return told }
    let response = try await session.propfind(
      CollectionProperty.allCases.map(\.element), of: collection, depth: 0)
    let answer = try DAVSession.multiStatus(of: response)
    guard let own = answer.responses.first else {
      throw RemoteError(
        code: .malformed, subject: collection.description,
        message: "the answer does not name the calendar itself")
    }
    return CollectionProperties(own, response.headers)
  }

  func set(
    _ property: CollectionProperty, to value: String?
  ) async throws -> CollectionPropertyOutcome {
    _ = opening.takeProperties()
    let outcome = try await send(property, value)
    // SOGo accepts only colours with an alpha value, as Apple Calendar writes them.
    guard case .refused = outcome, property == .color, let value, value.utf8.count == 7 else {
      return outcome
    }
    let second = try await send(property, value + "FF")
    return second == .done ? second : outcome
  }

  /// Sends a PROPPATCH and reads the result of the property.
  ///
  /// A server applies all changes of a request or none, but reports a status for each (RFC 4918
  /// §9.2).
  private func send(
    _ property: CollectionProperty, _ value: String?
  ) async throws -> CollectionPropertyOutcome {
    let name = property.element
    let response = try await session.send(
      .proppatch, to: collection, content: .xml(DAVBody.propertyUpdate(name, to: value)))
    switch response.status {
    case 200, 204: return .done
    case 207: break
    case 400...501, 507: return .refused(reason: DAVRefusal(response).reason)
    default:
      throw RemoteError(
        code: .failed, subject: collection.description, message: DAVRefusal(response).reason)
    }
    let answer = try DAVSession.multiStatus(of: response)
    let own = answer.responses.first
    if own?.properties[name] != nil { return .done }
    guard let status = own?.failures[name] ?? own?.status else { return .done }
    // Removing a property that does not exist is a success.
    if (200...299).contains(status) || value == nil && status == 404 { return .done }
    let words = ServerText.escaped(ServerText.collapsed(own?.description ?? ""))
    let reason = "the server refuses it with status \(status)"
    return .refused(reason: words.isEmpty ? reason : "\(reason): \(words)")
  }
}

extension CalDAVCalendar {
  var properties: (any CollectionPropertyStore)? {
    CalDAVProperties(session: session, collection: collection, opening: opening)
  }
}
