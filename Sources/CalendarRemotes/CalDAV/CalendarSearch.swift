// SPDX-License-Identifier: Apache-2.0

/// A running search: sends the queries of a `Discovery` and passes it the responses.
struct CalendarSearch {
  /// The maximum number of redirects to other servers per query.
  private static let hopLimit = 3

  /// The session of the server that responded last.
  private(set) var session: DAVSession
  /// The header fields of the last response.
  private(set) var headers = HTTPHeaders()
  /// The `Server` header field, if any response contained it.
  private(set) var server = ""
  /// The properties of the last query.
  private(set) var properties: [XMLName] = []
  private var discovery: Discovery
  private var query: Discovery.Query

  init(
    address: RemoteURL, goal: Discovery.Goal, credentials: Credentials?,
    transport: any HTTPTransport
  ) {
    session = DAVSession(
      transport: transport, credentials: credentials, origin: address.origin)
    discovery = Discovery(address: address, goal: goal)
    query = discovery.firstQuery
  }

  /// Sends the next query and returns the next step of the discovery.
  mutating func next() async throws -> Discovery.Step {
    let response = try await ask(query)
    headers = response.headers
    server = headers["Server"] ?? server
    properties = query.properties
    let step = try discovery.receive(answer(response))
    if case .ask(let next) = step { query = next }
    return step
  }

  /// Sends a query to the server that is responsible for it.
  ///
  /// Large services distribute their users over servers such as `p42-caldav.icloud.com`, and
  /// announce them by redirects or by URLs in responses. Such a server receives the same
  /// credentials only if it belongs to the same site.
  private mutating func ask(_ query: Discovery.Query) async throws -> HTTPResponse {
    var url = query.url
    for _ in 0..<Self.hopLimit {
      if Site.isSame(session.origin, url.origin) { session = session.moved(to: url.origin) }
      let response = try await session.propfind(
        query.properties, of: url, depth: query.depth, mayMove: true)
      guard response.url.origin != session.origin else { return response }
      guard Site.isSame(session.origin, response.url.origin) else {
        throw session.elsewhere(url, response.url)
      }
      url = response.url
    }
    throw RemoteError(
      code: .redirected, subject: query.url.description,
      message: "the server sends on to more than \(Self.hopLimit) servers")
  }

  /// Converts a response for the discovery; a missing resource does not end the search.
  private func answer(_ response: HTTPResponse) throws(RemoteError) -> Discovery.Answer {
    do {
      return .properties(try DAVSession.multiStatus(of: response), from: response.url)
    } catch {
      switch error.code {
      case .malformed where !discovery.isGuessing, .tooLarge: throw error
      default: return .nothing(error)
      }
    }
  }
}
