// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import Foundation

/// Requests to the JSON interface of a vendor on behalf of one user.
///
/// All requests go to the configured origin, and a redirect to another one is an error: a token has one
/// audience (RFC 6750 §5.2).
struct VendorSession: Sendable {
  /// The address that paths are relative to; it ends with a slash.
  let base: RemoteURL
  let credentials: Credentials?
  var transport: any HTTPTransport
  /// The header fields of each request.
  var headers: [(name: String, value: String)] = []

  /// Sends a request, and returns the response unless it is an error for all requests.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - path: The path below the base, with its query, percent-encoded; or an address of the vendor.
  ///   - body: The content, which is written as JSON.
  ///   - options: What else the request says.
  /// - Returns: The response, which may refuse the request.
  /// - Throws: `RemoteError` if there is no response, if the token is refused, or if the vendor asks for
  ///   a later retry.
  func send(
    _ method: HTTPMethod, _ path: String, body: (some Encodable)? = Never?.none,
    _ options: VendorOptions = VendorOptions()
  ) async throws -> VendorAnswer {
    let url = try base.resolving(path)
    guard url.origin == base.origin else {
      throw RemoteError(
        code: .redirected, subject: base.description,
        message: "the server refers to \(url), which is not asked with this user's token")
    }
    var fields = (headers + options.headers).map {
      HTTPHeaders.Field(name: $0.name, value: $0.value)
    }
    if let tag = options.tag, !tag.isEmpty { fields.append(.init(name: "If-Match", value: tag)) }
    var bytes: [UInt8]?
    if let body {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      bytes = Array(try encoder.encode(body))
      fields.append(.init(name: "Content-Type", value: "application/json"))
    }
    var request = HTTPRequest(
      method: method, url: url, headers: HTTPHeaders(fields), body: bytes,
      credentials: credentials, acceptsCompression: true)
    request.posts = options.posts
    let response: HTTPResponse
    do {
      response = try await transport.send(request)
    } catch let error as HTTPError {
      throw RemoteError(error)
    }
    return try checked(response, of: url)
  }

  /// The answer, unless it is an error for all requests.
  private func checked(_ response: HTTPResponse, of url: RemoteURL) throws -> VendorAnswer {
    guard response.url.origin == base.origin else {
      throw RemoteError(
        code: .redirected, subject: url.description,
        message:
          "the server redirects to \(response.url), which is not asked with this user's token")
    }
    let answer = VendorAnswer(response)
    let subject = url.withoutQuery
    switch response.status {
    case 401: throw RemoteError.unauthorized(url, credentials)
    case 429, 503: throw response.later(subject: subject)
    case 500...599:
      throw RemoteError(
        code: .failed, subject: subject,
        message: "the server answers with status \(response.status): \(answer.refusal)")
    case 403 where answer.isAboutScope:
      throw RemoteError(
        code: .forbidden, subject: subject,
        message: "the sign-in does not cover this: \(answer.refusal)")
    default: return answer
    }
  }
}

extension RemoteURL {
  /// The address without its query, which is long and says nothing to a person.
  fileprivate var withoutQuery: String { String(description.prefix { $0 != "?" }) }
}

/// The parts of a request to a vendor besides its method, its address and its content.
struct VendorOptions: Sendable {
  /// The entity tag that the resource must have.
  var tag: String?
  /// The effect of a POST.
  var posts = HTTPRequest.PostEffect.change
  /// More header fields.
  var headers: [(name: String, value: String)] = []

  /// The condition that the resource has a tag; none for an empty one.
  static func ifMatch(_ tag: String) -> VendorOptions { VendorOptions(tag: tag) }
  /// The statement that a POST can only add a resource.
  static let creation = VendorOptions(posts: .creation)
  /// The statement that a POST contains requests that only read.
  static let reading = VendorOptions(posts: .reading)
}

/// The response of a vendor.
struct VendorAnswer: Sendable {
  private struct Failure: Decodable {
    struct Reason: Decodable {
      var reason: String?
    }
    struct Content: Decodable {
      var message: String?
      var code: String?
      var errors: [Reason]?

      enum CodingKeys: String, CodingKey {
        case message, code, errors
      }

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        message = try? container.decode(String.self, forKey: .message)
        // Google's code is the status as a number, Microsoft's a word.
        code = try? container.decode(String.self, forKey: .code)
        errors = try? container.decode([Reason].self, forKey: .errors)
      }
    }
    var error: Content
  }

  /// The reasons for which a request may be sent again later (Google, "Handle API errors").
  static let limits: Set<String> = [
    "rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded", "dailyLimitExceeded",
  ]

  let response: HTTPResponse
  private let failure: Failure.Content?

  init(_ response: HTTPResponse) {
    self.response = response
    failure =
      response.status < 400
      ? nil : (try? JSONDecoder().decode(Failure.self, from: Data(response.body)))?.error
  }

  var status: Int { response.status }
  var isSuccess: Bool { (200...299).contains(status) }

  /// The words that name the reason of a refusal.
  var reasons: Set<String> {
    Set([failure?.code].compactMap(\.self) + (failure?.errors ?? []).compactMap(\.reason))
  }

  /// The reason of a refusal, in the words of the vendor.
  var refusal: String {
    let text = ServerText.collapsed(failure?.message ?? "status \(status)")
    return ServerText.escaped(text.isEmpty ? "status \(status)" : text)
  }

  /// Whether the sign-in does not cover the request.
  var isAboutScope: Bool {
    !reasons.isDisjoint(with: [
      "insufficientPermissions", "ErrorAccessDenied", "accessNotConfigured",
    ])
  }

  /// The content of a successful response.
  ///
  /// - Throws: `RemoteError` if the request was refused, or the content has another form.
  func content<Content: Decodable>(_ type: Content.Type = Content.self) throws -> Content {
    let subject = response.url.withoutQuery
    guard isSuccess else {
      let code: RemoteError.Code = [404, 410].contains(status) ? .notFound : .refused
      throw RemoteError(code: code, subject: subject, message: refusal)
    }
    do {
      return try JSONDecoder().decode(type, from: Data(response.body))
    } catch {
      throw RemoteError(
        code: .malformed, subject: subject,
        message: "the response is not the documented JSON: \(Self.words(of: error))")
    }
  }

  private static func words(of error: any Error) -> String {
    guard let error = error as? DecodingError else { return "it cannot be read" }
    let (context, what): (DecodingError.Context, String) =
      switch error {
      case .keyNotFound(let key, let context): (context, "\(key.stringValue) is missing")
      case .typeMismatch(_, let context): (context, "another type was expected")
      case .valueNotFound(_, let context): (context, "a value is missing")
      case .dataCorrupted(let context): (context, "it is damaged")
      @unknown default: (.init(codingPath: [], debugDescription: ""), "it cannot be read")
      }
    let path = context.codingPath.map(\.stringValue).joined(separator: ".")
    return ServerText.escaped(path.isEmpty ? what : "\(path): \(what)")
  }
}

/// A transport that treats a refusal for too many requests as one with status 429.
///
/// Google answers with status 403 in this case, and only the reason in the body tells it from others.
package struct RateLimitTransport: HTTPTransport {
  private let base: any HTTPTransport

  /// Creates a transport that sends through another one.
  package init(_ base: any HTTPTransport) {
    self.base = base
  }

  package var requestsAtOnce: Int { base.requestsAtOnce }

  package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    var response = try await base.send(request)
    if response.status == 403, !VendorAnswer(response).reasons.isDisjoint(with: VendorAnswer.limits)
    {
      response.status = 429
    }
    return response
  }
}
