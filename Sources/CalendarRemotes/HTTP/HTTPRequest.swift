// SPDX-License-Identifier: Apache-2.0

/// An HTTP request.
public struct HTTPRequest: Hashable, Sendable {
  /// The method.
  public var method: HTTPMethod
  /// The address.
  public var url: RemoteURL
  /// The header fields, in addition to those that the transport adds.
  public var headers: HTTPHeaders
  /// The body, or nil for none.
  public var body: [UInt8]?
  /// The credentials, which are sent only to the origin of `url`.
  public var credentials: Credentials?
  /// Whether the response may be compressed (RFC 9110 §12.5.3).
  ///
  /// It should be false if a later condition needs the response's entity tag: some servers add a
  /// suffix to the tag of a compressed response, and do not recognize it later.
  public var acceptsCompression: Bool

  /// Creates a request; by default, only listings and reports may be compressed.
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
