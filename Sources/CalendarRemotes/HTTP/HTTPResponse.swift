// SPDX-License-Identifier: Apache-2.0

/// The whole answer to a request.
public struct HTTPResponse: Hashable, Sendable {
  /// The status code (RFC 9110 §15).
  public var status: Int
  /// The header fields.
  public var headers: HTTPHeaders
  /// The body.
  public var body: [UInt8]
  /// The address that answered, which is another one than was asked after a redirect.
  public var url: RemoteURL
  /// Where the resource has moved for good: the last address of the permanent redirects that came
  /// first (status 301 and 308, RFC 9110 §15.4.2, §15.4.9), or nil if there were none.
  public var permanentURL: RemoteURL?

  /// Creates an answer.
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
