// SPDX-License-Identifier: Apache-2.0

/// Requests to one server on behalf of one user.
///
/// All requests go to the configured origin. Credentials are sent to no other server, and responses
/// of other servers are rejected.
struct DAVSession: Sendable {
  let transport: any HTTPTransport
  let credentials: Credentials?
  let origin: RemoteURL.Origin
  /// Whether the server has accepted the credentials, because it answered a request to read.
  var isAccepted = false

  /// A body and its media type.
  enum Content {
    case none
    case xml([UInt8])
    case calendar([UInt8])
  }

  /// Sends a request and returns the response, unless it is an error for all requests.
  ///
  /// - Throws: `RemoteError` if there is no response, if authentication fails, or if the server
  ///   asks for a later retry.
  func send(
    _ method: HTTPMethod, to url: RemoteURL, headers: [(String, String)] = [],
    content: Content = .none, mayMove: Bool = false
  ) async throws -> HTTPResponse {
    guard url.origin == origin else {
      throw RemoteError(
        code: .redirected, subject: url.description,
        message:
          "the server refers to another server; if you trust it, configure that address"
      )
    }
    var fields = headers.map { HTTPHeaders.Field(name: $0.0, value: $0.1) }
    var body: [UInt8]?
    switch content {
    case .none: break
    case .xml(let bytes):
      fields.append(.init(name: "Content-Type", value: "application/xml; charset=utf-8"))
      body = bytes
    case .calendar(let bytes):
      fields.append(.init(name: "Content-Type", value: "text/calendar; charset=utf-8"))
      body = bytes
    }
    let request = HTTPRequest(
      method: method, url: url, headers: HTTPHeaders(fields), body: body, credentials: credentials)
    let response: HTTPResponse
    do {
      response = try await transport.send(request)
    } catch let error as HTTPError {
      throw RemoteError(error)
    }
    if mayMove, response.url.origin != origin { return response }
    try check(response, to: request)
    return response
  }

  private func check(_ response: HTTPResponse, to request: HTTPRequest) throws(RemoteError) {
    let subject = request.url.description
    guard response.url.origin == origin else {
      throw elsewhere(request.url, response.url)
    }
    switch response.status {
    case 401 where isAccepted && credentials != nil && request.method.isWrite:
      throw RemoteError(
        code: .forbidden, subject: subject,
        message: "the server accepts this user for reading, but not for changes (status 401)")
    case 401:
      let isSignIn = BearerChallenge(response.headers)?.metadata != nil
      throw RemoteError.unauthorized(request.url, credentials, isSignIn: isSignIn)
    case 429, 503:
      throw response.later(subject: subject)
    default: break
    }
  }

  /// Returns the error for a response from another server.
  func elsewhere(_ url: RemoteURL, _ other: RemoteURL) -> RemoteError {
    RemoteError(
      code: .redirected, subject: url.description,
      message: "the server redirects to \(other); if you trust it, configure that address")
  }

  /// Returns a session for the same user with another server.
  func moved(to origin: RemoteURL.Origin) -> DAVSession {
    DAVSession(transport: transport, credentials: credentials, origin: origin)
  }

  /// The session after a request to read succeeded.
  var accepted: DAVSession {
    var session = self
    session.isAccepted = true
    return session
  }

  /// Sends a PROPFIND (RFC 4918 §9.1) for a resource (depth 0), or for its members too (depth 1).
  ///
  /// With `mayMove` the response can come from another server; then only its URL may be used.
  func propfind(
    _ properties: [XMLName], of url: RemoteURL, depth: Int, mayMove: Bool = false
  ) async throws -> HTTPResponse {
    try await send(
      .propfind, to: url,
      // The server can omit missing properties (RFC 8144 §2.1).
      headers: [("Depth", String(depth)), ("Prefer", "return=minimal")],
      content: .xml(DAVBody.propfind(properties)), mayMove: mayMove)
  }

  /// Parses the multi-status document of a successful response.
  ///
  /// - Throws: `RemoteError` for any other response, which is never treated as an empty document.
  static func multiStatus(of response: HTTPResponse) throws(RemoteError) -> MultiStatus {
    try reading(response) { body throws(XMLDocumentError) in try MultiStatus(parsing: body) }
  }

  /// Passes the items of a successful multi-status response to a closure, one by one.
  ///
  /// - Throws: `RemoteError` for any other response; then no result may be used.
  static func responses(
    of response: HTTPResponse, _ take: (MultiStatus.Response) -> Void
  ) throws(RemoteError) {
    _ = try reading(response) { body throws(XMLDocumentError) in
      try MultiStatus.read(body, take)
    }
  }

  private static func reading<Result>(
    _ response: HTTPResponse, _ read: ([UInt8]) throws(XMLDocumentError) -> Result
  ) throws(RemoteError) -> Result {
    let subject = response.url.description
    switch response.status {
    case 200, 207: break
    case 403:
      throw RemoteError(code: .forbidden, subject: subject, message: DAVRefusal(response).reason)
    case 404, 410:
      throw RemoteError(
        code: .notFound, subject: subject,
        message: "not found (status \(response.status))")
    default:
      throw RemoteError(code: .failed, subject: subject, message: DAVRefusal(response).reason)
    }
    guard !isPage(response) else {
      throw RemoteError(
        code: .notCalendar, subject: subject,
        message: "the server returned a web page; it may require a login, or is not a CalDAV server"
      )
    }
    do {
      return try read(response.body)
    } catch {
      // An interrupted run reports the interruption; the response is not to blame.
      throw RemoteError(
        code: Task.isCancelled ? .failed : .malformed, subject: subject,
        message: "invalid response: \(error.message) (line \(error.line))")
    }
  }

  /// Whether the response is an HTML page, regardless of its declared type.
  private static func isPage(_ response: HTTPResponse) -> Bool {
    ["<!doctype html", "<html"].contains { ByteSearch.finds($0, in: response.body, upTo: 512) }
      || response.headers["Content-Type"]?.lowercased().hasPrefix("text/html") ?? false
  }
}

/// The reason why a server rejects a request (RFC 4918 §16, RFC 4791 §1.3).
struct DAVRefusal {
  /// The status code.
  let status: Int
  /// The violated preconditions, such as `no-uid-conflict`.
  let preconditions: [String]
  /// The server's message for users.
  let words: String
  /// The methods that the server allows (RFC 9110 §10.2.1); empty if it does not state them.
  let allowedMethods: String
  /// The href of the item that has the UID, if the server returns it (RFC 4791 §5.3.2.1).
  let conflictingHref: String?

  /// The preconditions for a UID that exists in this calendar, or in any calendar of the user.
  private static let uidConditions = ["no-uid-conflict", "unique-scheduling-object-resource"]

  /// The elements with a message for users, which are no preconditions.
  private static let messageNames: Set = [
    "message", "responsedescription", "error-description", "human-readable",
  ]

  init(_ response: HTTPResponse) {
    status = response.status
    allowedMethods = ServerText.escaped(
      response.headers.values(of: "Allow").joined(separator: ", "))
    let error = Self.error(in: response.body)
    preconditions = (error?.children ?? []).map(\.name)
      .filter { $0.isStandard && !Self.messageNames.contains($0.local) }.map(\.local)
    conflictingHref = error?.children.lazy
      .filter { $0.name.isStandard && Self.uidConditions.contains($0.name.local) }
      .compactMap { $0[.dav("href")]?.trimmedText }.first { !$0.isEmpty }
    if let error {
      words = error.children.first { Self.messageNames.contains($0.name.local) }?.trimmedText ?? ""
    } else if response.headers["Content-Type"]?.lowercased().hasPrefix("text/plain") ?? false {
      words = String(decoding: response.body.prefix(1000), as: UTF8.self)
    } else {
      words = ""
    }
  }

  /// Whether the UID already exists in the calendar under another href (RFC 4791 §5.3.2.1).
  ///
  /// Nextcloud reports this only in the message.
  var isUIDConflict: Bool {
    preconditions.contains(where: Self.uidConditions.contains)
      || [400, 403, 409, 412].contains(status)
        && words.lowercased().contains("uid already exists")
  }

  /// Whether the condition of the request failed (status 412, RFC 9110 §15.5.13).
  ///
  /// Xandikos uses status 412 for all rejections, with the reason in the body. DAViCal names the
  /// header field of the condition there.
  var isFailedCondition: Bool {
    status == 412
      && preconditions.allSatisfy {
        ["if-match", "if-none-match", "if-schedule-tag-match"].contains($0)
      }
  }

  /// Whether the server rejects all writes instead of this item (RFC 3744 §7.1.1).
  var isReadOnly: Bool { status == 403 && preconditions.contains("need-privileges") }

  /// The reason on one line, with control characters of the server's message escaped.
  var reason: String {
    var text = "the server refuses it with status \(status)"
    if !preconditions.isEmpty {
      text += " (\(ServerText.escaped(preconditions.joined(separator: ", "))))"
    }
    if isReadOnly { text += ": this user may not change it" }
    if preconditions.contains("supported-calendar-component") {
      text += ": the calendar is not for items of this kind"
    }
    if status == 405 {
      let allowed = allowedMethods.isEmpty ? "" : ", only \(allowedMethods)"
      text += ": it does not support this request at this address\(allowed)"
    }
    let words = ServerText.escaped(ServerText.collapsed(words))
    return words.isEmpty ? text : "\(text): \(words)"
  }

  /// Parses the `DAV:error` document of a response, if there is one.
  private static func error(in body: [UInt8]) -> XMLElement? {
    var limits = XMLDocumentReader.Limits()
    limits.size = 1 << 16
    do throws(XMLDocumentError) {
      var reader = try XMLDocumentReader(body, limits: limits)
      var root = XMLElement(name: try reader.readRoot())
      while let child = try reader.readChild() { root.children.append(child) }
      return root.name == .dav("error") ? root : nil
    } catch {
      return nil
    }
  }
}
