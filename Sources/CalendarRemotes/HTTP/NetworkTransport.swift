// SPDX-License-Identifier: Apache-2.0

import CCurl
import Synchronization

/// The network: HTTP/1.1 by libcurl, on one thread of its own.
///
/// Credentials go to the origin of the request and no further: with the first request, since some
/// servers never ask for them, and as a digest where the server wants only that (RFC 7616). TLS is
/// always verified. Connections are kept for the next request; one that has gone stale meanwhile is
/// replaced once, silently, as long as no byte of the answer had come.
public final class NetworkTransport: HTTPTransport {
  /// The library that does the work and those below it, as `libcurl/7.88.1 OpenSSL/3.0.17`.
  public static var libraryVersion: String { unsafe String(cString: ccurl_version()) }

  /// How many connections to one server are open at most.
  private static let connectionsPerHost = 6

  private let loop: CurlLoop
  private let userAgent: String
  private let caFile: String?
  private let limits: HTTPLimits
  private let digestOrigins = Mutex<Set<RemoteURL.Origin>>([])

  /// Starts a transport, which ends with its last reference.
  ///
  /// - Parameters:
  ///   - userAgent: What the program calls itself, as `epact/0.1`.
  ///   - caFile: A file of certificates in PEM form to trust besides the system's, for a server
  ///     whose certificate a private authority has signed.
  ///   - limits: How long requests may take, and how large answers may be.
  /// - Throws: `RemoteError` if the system gives no memory or no thread.
  public init(
    userAgent: String, caFile: String? = nil, limits: HTTPLimits = HTTPLimits()
  ) throws(RemoteError) {
    guard let loop = CurlLoop(connectionsPerHost: Self.connectionsPerHost) else {
      throw RemoteError(
        code: .failed, subject: "network", message: "the system gives no thread for it")
    }
    self.loop = loop
    self.userAgent = userAgent
    self.caFile = caFile
    self.limits = limits
  }

  deinit {
    loop.stop()
  }

  /// Sends a request, follows its redirects as far as they are safe, and returns the whole answer.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    var request = request
    for hops in 0... {
      let response = try await sendAuthenticated(request)
      guard let next = try RedirectPolicy.next(after: response, to: request, hops: hops) else {
        return response
      }
      request = next
    }
    preconditionFailure("the policy ends every chain of redirects")
  }

  private func sendAuthenticated(_ request: HTTPRequest) async throws -> HTTPResponse {
    let origin = request.url.origin
    if digestOrigins.withLock({ $0.contains(origin) }) {
      return try await sendOnce(request, scheme: .digest)
    }
    let response = try await sendOnce(request, scheme: .basic)
    guard response.status == 401, request.credentials != nil,
      Self.wantsOnlyDigest(response.headers)
    else {
      return response
    }
    digestOrigins.withLock { _ = $0.insert(origin) }
    return try await sendOnce(request, scheme: .digest)
  }

  /// Whether a digest is asked for and a password is not; a password that was refused stays refused.
  private static func wantsOnlyDigest(_ headers: HTTPHeaders) -> Bool {
    let challenges = headers.values(of: "WWW-Authenticate").joined(separator: ", ").lowercased()
    let schemes = challenges.split(separator: ",").compactMap { part in
      part.split(separator: " ", omittingEmptySubsequences: true).first
    }
    return schemes.contains("digest") && !schemes.contains("basic")
  }

  private func sendOnce(
    _ request: HTTPRequest, scheme: ccurl_scheme
  ) async throws -> HTTPResponse {
    guard request.headers.areWellFormed, request.credentials?.areSendable ?? true,
      let transfer = CurlTransfer(
        request, scheme: scheme, userAgent: userAgent, caFile: caFile, limits: limits)
    else {
      throw HTTPError(
        code: .invalidRequest, url: request.url,
        message: "the header or the user name cannot be sent")
    }
    try await loop.run(transfer)
    return try transfer.response(to: request)
  }
}
