// SPDX-License-Identifier: Apache-2.0

/// Creates a calendar at a URL with MKCALENDAR, or else with MKCOL.
struct CollectionMaker {
  let session: DAVSession
  let name: String
  let components: Set<String>?

  /// Creates the calendar.
  ///
  /// - Returns: Whether it was created; false if the URL is already in use.
  /// - Throws: `RemoteError` if the server refuses the creation.
  func make(at url: RemoteURL) async throws -> Bool {
    let first = try await session.send(
      .mkcalendar, to: url, content: .xml(DAVBody.makeCalendar(name, components)))
    if (200...299).contains(first.status) { return try checked(first) }
    if try await isTaken(first, url) { return false }
    // Servers without MKCALENDAR may support calendars as extended collections (RFC 5689).
    let second = try await session.send(
      .mkcol, to: url, content: .xml(DAVBody.makeCollection(name, components)))
    if (200...299).contains(second.status) { return try checked(second) }
    throw RemoteError(
      code: first.status == 403 ? .forbidden : .refused, subject: url.description,
      message: DAVRefusal(first).reason)
  }

  /// Rejects a success response whose body reports a property that was not set (RFC 4791 §5.3.1).
  private func checked(_ response: HTTPResponse) throws(RemoteError) -> Bool {
    guard response.status == 207 else { return true }
    throw RemoteError(
      code: .refused, subject: response.url.description, message: DAVRefusal(response).reason)
  }

  /// Whether the URL is already in use; the statuses 403, 405 and 409 alone do not show it.
  private func isTaken(_ response: HTTPResponse, _ url: RemoteURL) async throws -> Bool {
    guard [403, 405, 409].contains(response.status) else { return false }
    if DAVRefusal(response).preconditions.contains("resource-must-be-null") { return true }
    let probe = try await session.propfind([.dav("resourcetype")], of: url, depth: 0)
    guard let answer = try? DAVSession.multiStatus(of: probe) else { return false }
    return answer.responses.first.map { $0.status.map((200...299).contains) ?? true } ?? false
  }
}
