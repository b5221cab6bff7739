// SPDX-License-Identifier: Apache-2.0

/// Makes a calendar at an address: as CalDAV does it, or else as WebDAV does.
struct CollectionMaker {
  let session: DAVSession
  let name: String
  let components: Set<String>?

  /// Makes the calendar.
  ///
  /// - Returns: Whether it was made; false if there is something at the address already.
  /// - Throws: `RemoteError` if the server makes none there.
  func make(at url: RemoteURL) async throws -> Bool {
    let first = try await session.send(
      .mkcalendar, to: url, content: .xml(DAVBody.makeCalendar(name, components)))
    if (200...299).contains(first.status) { return try checked(first) }
    if try await isTaken(first, url) { return false }
    // Servers without calendars of their own kind may still make one as a collection (RFC 5689).
    let second = try await session.send(
      .mkcol, to: url, content: .xml(DAVBody.makeCollection(name, components)))
    if (200...299).contains(second.status) { return try checked(second) }
    throw RemoteError(
      code: first.status == 403 ? .forbidden : .refused, subject: url.description,
      message: DAVRefusal(first).reason)
  }

  /// A success whose body tells of a property that could not be set is none (RFC 4791 §5.3.1).
  private func checked(_ response: HTTPResponse) throws(RemoteError) -> Bool {
    guard response.status == 207 else { return true }
    throw RemoteError(
      code: .refused, subject: response.url.description, message: DAVRefusal(response).reason)
  }

  /// Whether there is something at the address; servers say so with 403, 405 or 409, and not only so.
  private func isTaken(_ response: HTTPResponse, _ url: RemoteURL) async throws -> Bool {
    guard [403, 405, 409].contains(response.status) else { return false }
    if DAVRefusal(response).preconditions.contains("resource-must-be-null") { return true }
    let probe = try await session.propfind([.dav("resourcetype")], of: url, depth: 0)
    guard let answer = try? DAVSession.multiStatus(of: probe) else { return false }
    return answer.responses.first.map { $0.status.map((200...299).contains) ?? true } ?? false
  }
}
