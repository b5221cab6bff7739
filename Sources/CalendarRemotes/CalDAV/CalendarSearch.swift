// SPDX-License-Identifier: Apache-2.0

/// A search for calendars on its way: sends the questions of a `Discovery` and gives it the answers.
struct CalendarSearch {
  /// The most servers to which one question is sent on.
  private static let hopLimit = 3

  /// Where the last question was answered.
  private(set) var session: DAVSession
  /// The header of the last answer.
  private(set) var headers = HTTPHeaders()
  /// What the server calls itself, if any of its answers told.
  private(set) var server = ""
  /// What the last question asked for.
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

  /// Sends the next question; what comes back is another question, or what was looked for.
  mutating func next() async throws -> Discovery.Step {
    let response = try await ask(query)
    headers = response.headers
    server = headers["Server"] ?? server
    properties = query.properties
    let step = try discovery.receive(answer(response))
    if case .ask(let next) = step { query = next }
    return step
  }

  /// Sends a question to the server that it belongs to.
  ///
  /// Large services spread their users over servers, as `p42-caldav.icloud.com`, and tell so by
  /// redirects or by addresses in answers. Such a server is asked with the same credentials if it
  /// belongs to the same site, and never otherwise.
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

  /// What a response means to the search: that there is nothing here does not end it.
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
