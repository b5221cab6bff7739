// SPDX-License-Identifier: Apache-2.0

import CCurl
import Synchronization

/// A network transport: HTTP/1.1 with libcurl on a separate thread.
///
/// Credentials are sent only to the origin of the request. They are sent with the first request,
/// because some servers never ask for them, and as Digest if the server requires it (RFC 7616). TLS
/// is always verified. Connections are reused; a stale one is replaced once, if no byte of the
/// response has arrived.
public final class NetworkTransport: HTTPTransport {
  /// The version of libcurl and its libraries, such as `libcurl/7.88.1 OpenSSL/3.0.17`.
  ///
  /// It is nil if libcurl is not installed. Reading it loads libcurl.
  public static var libraryVersion: String? {
    unsafe ccurl_version().map { unsafe String(cString: $0) }
  }

  private let loop: CurlLoop
  private let userAgent: String
  private let identity: NetworkIdentity
  private let limits: HTTPLimits
  private let digestOrigins = Mutex<Set<RemoteURL.Origin>>([])

  /// Starts a transport, which stops when it is released.
  ///
  /// - Parameters:
  ///   - userAgent: The name of the program, such as `epact/0.1`.
  ///   - identity: The trusted servers and the client certificate.
  ///   - connections: The maximum number of open connections to a server.
  ///   - limits: The time and size limits.
  /// - Throws: `RemoteError` if libcurl is not installed, or memory or a thread is not available.
  public init(
    userAgent: String, identity: NetworkIdentity = NetworkIdentity(), connections: Int = 6,
    limits: HTTPLimits = HTTPLimits()
  ) throws(RemoteError) {
    if let problem = unsafe ccurl_problem() {
      throw unsafe RemoteError(
        code: .failed, subject: "network",
        message: "expected libcurl, found \(ServerText.escaped(String(cString: problem)))")
    }
    guard let loop = CurlLoop(connectionsPerHost: max(1, connections)) else {
      throw RemoteError(
        code: .failed, subject: "network", message: "the system gives no thread for it")
    }
    self.loop = loop
    self.userAgent = userAgent
    self.identity = identity
    self.limits = limits
  }

  deinit {
    loop.stop()
  }

  /// Sends a request, follows safe redirects, and returns the complete response.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    var request = request
    var permanentURL: RemoteURL?
    var isPermanent = true
    for hops in 0... {
      var response = try await sendAuthenticated(request)
      guard let next = try RedirectPolicy.next(after: response, to: request, hops: hops) else {
        response.permanentURL = permanentURL
        return response
      }
      isPermanent = isPermanent && RedirectPolicy.isPermanent(response.status)
      if isPermanent { permanentURL = next.url }
      request = next
    }
    preconditionFailure("the policy ends every chain of redirects")
  }

  private func sendAuthenticated(_ request: HTTPRequest) async throws -> HTTPResponse {
    switch request.credentials?.secret {
    case nil: return try await sendOnce(request, proof: nil)
    case .password(let password): return try await send(request, password: password)
    case .tokens(let source):
      let token = try await source.token()
      let response = try await sendOnce(request, proof: .token(token))
      guard response.status == 401 else { return response }
      let newer = try await source.token(replacing: token)
      // A repetition with the same token would be rejected again.
      guard newer != token else { return response }
      return try await sendOnce(request, proof: .token(newer))
    }
  }

  private func send(_ request: HTTPRequest, password: String) async throws -> HTTPResponse {
    let origin = request.url.origin
    let user = request.credentials?.user ?? ""
    if !digestOrigins.withLock({ $0.contains(origin) }) {
      let response = try await sendOnce(request, proof: .basic(user: user, password: password))
      guard response.status == 401, Self.wantsOnlyDigest(response.headers) else { return response }
      digestOrigins.withLock { _ = $0.insert(origin) }
    }
    return try await sendOnce(request, proof: .digest(user: user, password: password))
  }

  /// Whether the server offers Digest but not Basic; otherwise a rejected password stays rejected.
  private static func wantsOnlyDigest(_ headers: HTTPHeaders) -> Bool {
    let challenges = headers.values(of: "WWW-Authenticate").joined(separator: ", ").lowercased()
    let schemes = challenges.split(separator: ",").compactMap { part in
      part.split(separator: " ", omittingEmptySubsequences: true).first
    }
    return schemes.contains("digest") && !schemes.contains("basic")
  }

  private func sendOnce(
    _ request: HTTPRequest, proof: CurlTransfer.Proof?
  ) async throws -> HTTPResponse {
    guard request.headers.areWellFormed, request.credentials?.areSendable ?? true,
      let transfer = CurlTransfer(
        request, proof: proof, userAgent: userAgent, identity: identity, limits: limits)
    else {
      throw HTTPError(
        code: .invalidRequest, url: request.url,
        message: "the header or the user name cannot be sent")
    }
    try await loop.run(transfer)
    var response = try transfer.response(to: request)
    // Errors quote rejected responses, and some servers include the whole request in them.
    if let proof, response.status >= 400 {
      response.body = SecretRedaction(proof).redacted(response.body)
    }
    return response
  }
}
