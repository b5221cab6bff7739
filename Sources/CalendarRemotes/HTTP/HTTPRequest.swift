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

  /// Creates a request.
  public init(
    method: HTTPMethod, url: RemoteURL, headers: HTTPHeaders = [:], body: [UInt8]? = nil,
    credentials: Credentials? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.credentials = credentials
  }
}
