// SPDX-License-Identifier: Apache-2.0

/// A request to a server.
public struct HTTPRequest: Hashable, Sendable {
  /// What is asked for.
  public var method: HTTPMethod
  /// Where it goes.
  public var url: RemoteURL
  /// The header fields, besides those that the transport adds itself.
  public var headers: HTTPHeaders
  /// The body; nil is a request without one.
  public var body: [UInt8]?
  /// Who asks, in the eyes of the origin of `url`, and of no other.
  public var credentials: Credentials?
  /// Whether the answer may come compressed (RFC 9110 §12.5.3).
  ///
  /// Not where the answer tells an entity tag that a later condition needs: some servers put a suffix on
  /// the tag of what they compress, and then know it no more.
  public var acceptsCompression: Bool

  /// Creates a request; reports and listings may come compressed.
  public init(
    method: HTTPMethod, url: RemoteURL, headers: HTTPHeaders = [:], body: [UInt8]? = nil,
    credentials: Credentials? = nil, acceptsCompression: Bool? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.credentials = credentials
    self.acceptsCompression = acceptsCompression ?? [.propfind, .report].contains(method)
  }
}
