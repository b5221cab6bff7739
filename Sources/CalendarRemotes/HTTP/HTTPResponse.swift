// SPDX-License-Identifier: Apache-2.0

/// A complete HTTP response.
public struct HTTPResponse: Hashable, Sendable {
  /// The status code (RFC 9110 §15).
  public var status: Int
  /// The header fields.
  public var headers: HTTPHeaders
  /// The body.
  public var body: [UInt8]
  /// The address that responded, which differs from the request's after a redirect.
  public var url: RemoteURL
  /// The new address of a resource that has moved permanently, or nil.
  ///
  /// It is the last address of the permanent redirects that came first (status 301 and 308, RFC
  /// 9110 §15.4.2, §15.4.9).
  public var permanentURL: RemoteURL?

  /// Creates a response.
  public init(
    status: Int, headers: HTTPHeaders = [:], body: [UInt8] = [], url: RemoteURL,
    permanentURL: RemoteURL? = nil
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
    self.permanentURL = permanentURL
  }
}
