// SPDX-License-Identifier: Apache-2.0

import CCurl
import Synchronization

/// A network transport: HTTP/2 or HTTP/1.1 with libcurl on a separate thread.
///
/// Credentials are sent only to the origin of the request. They are sent with the first request,
/// because some servers never ask for them, and as Digest if the server requires it (RFC 7616). TLS
/// is always verified. Connections are reused; a stale one is replaced once, if no byte of the
/// response has arrived.
///
/// A server with HTTP/2 over TLS gets all requests on one connection. One that answers by HTTP/1.1,
/// or loses a connection, gets HTTP/1.1 from then on: there a failure concerns one request only.
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
  /// The servers that get HTTP/1.1 only.
  private let plainOrigins = Mutex<Set<RemoteURL.Origin>>([])
  /// The maximum number of open connections to a server.
  public let requestsAtOnce: Int

  /// Starts a transport, which stops when it is released.
  ///
  /// - Parameters:
  ///   - userAgent: The name of the program, such as `epact/0.1`.
  ///   - identity: The trusted servers and the client certificate.
  ///   - connections: The maximum number of open connections to a server.
  ///   - limits: The time and size limits.
  /// - Throws: `RemoteError` if libcurl is not installed, or memory or a thread is not available.
  public init(
    userAgent: String, identity: NetworkIdentity = NetworkIdentity(), connections: Int = 8,
    limits: HTTPLimits = HTTPLimits()
  ) throws(RemoteError) {
    if let problem = unsafe ccurl_problem() {
      throw unsafe RemoteError(
        code: .failed, subject: "network",
        message: "expected libcurl, found \(ServerText.escaped(String(cString: problem)))")
    }
    requestsAtOnce = max(1, connections)
    guard let loop = CurlLoop(connectionsPerHost: requestsAtOnce) else {
      throw RemoteError(
        code: .failed, subject: "network", message: "no thread or memory available")
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
      if let audience = source.audience, audience != request.url.origin {
        throw HTTPError(
          code: .refused, url: request.url,
          message: "the access token is for \(audience), and is not sent to another server")
      }
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
      guard response.status == 401, Self.offersDigest(response.headers) else { return response }
    }
    // A server can offer Basic and reject it, such as for users whose passwords it only has hashed.
    let response = try await sendOnce(request, proof: .digest(user: user, password: password))
    if response.status != 401 { digestOrigins.withLock { _ = $0.insert(origin) } }
    return response
  }

  /// Whether the server offers Digest, alone or beside other schemes.
  private static func offersDigest(_ headers: HTTPHeaders) -> Bool {
    let challenges = headers.values(of: "WWW-Authenticate").joined(separator: ", ").lowercased()
    let schemes = challenges.split(separator: ",").compactMap { part in
      part.split(separator: " ", omittingEmptySubsequences: true).first
    }
    return schemes.contains("digest")
  }

  /// The rejections of a repeated write that the first attempt may have caused.
  ///
  /// A created resource exists already, a changed one has another ETag, and a deleted or moved one
  /// is gone.
  private static let contradictions: Set<Int> = [404, 405, 409, 410, 412]

  private func sendOnce(
    _ request: HTTPRequest, proof: CurlTransfer.Proof?
  ) async throws -> HTTPResponse {
    guard proof?.isSendable ?? true else {
      throw HTTPError(
        code: .invalidRequest, url: request.url,
        message: "expected an access token of visible ASCII characters (RFC 6750 §2.1)")
    }
    guard request.headers.areWellFormed, request.credentials?.areSendable ?? true,
      let transfer = CurlTransfer(
        request, proof: proof, userAgent: userAgent, identity: identity, limits: limits)
    else {
      throw HTTPError(
        code: .invalidRequest, url: request.url,
        message: "the header or the user name cannot be sent")
    }
    let origin = request.url.origin
    let mayShare =
      origin.scheme == .https && !plainOrigins.withLock { $0.contains(origin) }
      && transfer.shareConnection()
    try await loop.run(transfer)
    var response: HTTPResponse
    do {
      response = try transfer.response(to: request)
    } catch {
      if mayShare, error.code == .interrupted { plainOrigins.withLock { _ = $0.insert(origin) } }
      throw error
    }
    if transfer.isResent, !request.method.isSafe, Self.contradictions.contains(response.status) {
      throw HTTPError(
        code: .interrupted, url: request.url,
        message: "the connection was lost, and the second attempt has status \(response.status)")
    }
    if mayShare, !transfer.hasStreams { plainOrigins.withLock { _ = $0.insert(origin) } }
    // Only a proxy has this status (RFC 9110 §15.5.8).
    guard response.status != 407 else {
      throw HTTPError(
        code: .proxy, url: request.url, message: HTTPError.refusedByProxy("status 407"))
    }
    // Errors quote rejected responses, and some servers include the whole request in them.
    if let proof, response.status >= 400 {
      response.body = SecretRedaction(proof).redacted(response.body)
    }
    return response
  }
}

/// The time and size limits of requests and responses.
public struct HTTPLimits: Hashable, Sendable {
  /// The time limit for connecting.
  public var connect = Duration.seconds(30)
  /// The maximum time without data in either direction before the response begins, in whole
  /// seconds.
  ///
  /// It is long because a server with a cold cache reads all items of a calendar before it sends
  /// the first byte. The default is that of aiohttp, which vdirsyncer uses.
  public var answer = Duration.seconds(300)
  /// The maximum time without data while the response arrives, in whole seconds.
  public var idle = Duration.seconds(60)
  /// The maximum total time, which only stops responses that arrive endlessly slowly.
  public var total = Duration.seconds(3600)
  /// The maximum size of a response header, in bytes.
  public var headerSize = 256 << 10
  /// The maximum size of a response body, in bytes, after decompression.
  public var bodySize = 64 << 20

  /// Creates the default limits.
  public init() {}
}

/// The TLS identities: the trusted servers and the client certificate.
///
/// It never weakens TLS: a certificate is always verified against an authority, the system's or
/// that of `caFile`. A pin is an additional condition.
public struct NetworkIdentity: Hashable, Sendable {
  /// A client certificate.
  public struct Client: Hashable, Sendable {
    /// The path of the certificate, in PEM format.
    public let certificateFile: String
    /// The path of the unencrypted private key, in PEM format; one file may contain both.
    public let keyFile: String

    /// Creates a client certificate.
    public init(certificateFile: String, keyFile: String) {
      self.certificateFile = certificateFile
      self.keyFile = keyFile
    }
  }

  /// The path of a PEM file with certificates that are trusted instead of the system's.
  public var caFile: String?
  /// The public keys of which the server must use one; empty for any.
  public var pins: [PublicKeyPin]
  /// The client certificate.
  public var client: Client?

  /// Creates an identity; without arguments, connections use the system defaults.
  public init(caFile: String? = nil, pins: [PublicKeyPin] = [], client: Client? = nil) {
    self.caFile = caFile
    self.pins = pins
    self.client = client
  }

  /// The pins in libcurl's format.
  var pinText: String { pins.map(\.description).joined(separator: ";") }
}

/// The SHA-256 digest of the public key in a server's certificate (RFC 7469 §2.4).
///
/// It pins the key instead of the certificate, so that renewing a certificate with the same key has
/// no effect.
public struct PublicKeyPin: Hashable, Sendable, CustomStringConvertible {
  /// The digest in Base64, which has 44 characters.
  private let digest: String

  /// The length of 32 bytes in Base64, including one `=` at the end.
  private static let length = 44

  /// Parses a pin of `sha256//` and 44 characters of Base64, or returns nil.
  public init?(_ text: String) {
    let prefix = "sha256//"
    guard text.hasPrefix(prefix) else { return nil }
    let digest = text.dropFirst(prefix.count)
    guard digest.utf8.count == Self.length, digest.hasSuffix("="),
      digest.utf8.dropLast().allSatisfy({
        PercentEncoding.isAlphanumeric($0) || "+/".utf8.contains($0)
      })
    else { return nil }
    self.digest = String(digest)
  }

  /// `sha256//` and the digest.
  public var description: String { "sha256//\(digest)" }
}
