// SPDX-License-Identifier: Apache-2.0

/// Why there is no whole answer to a request.
public struct HTTPError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of a transport error, for programs.
  public struct Code: Hashable, Sendable {
    private enum Value: Hashable, Sendable {
      case unreachable, timeout, interrupted, untrusted, tooLarge, malformed
      case redirected, refused, invalidRequest, failed
    }

    private let value: Value

    /// No connection could be made; the request was not sent.
    public static let unreachable = Code(value: .unreachable)
    /// A limit of time was reached; the server may have done what was asked.
    public static let timeout = Code(value: .timeout)
    /// The connection ended too early; the server may have done what was asked.
    public static let interrupted = Code(value: .interrupted)
    /// TLS could not be agreed on, or the certificate is not trusted.
    public static let untrusted = Code(value: .untrusted)
    /// The answer is larger than the limit.
    public static let tooLarge = Code(value: .tooLarge)
    /// The answer is not HTTP, or is encoded as was not asked for.
    public static let malformed = Code(value: .malformed)
    /// The server sends on to where the request may not go, or on and on.
    public static let redirected = Code(value: .redirected)
    /// The transport does not send such requests; nothing was sent.
    public static let refused = Code(value: .refused)
    /// The request cannot be put on the wire; nothing was sent.
    public static let invalidRequest = Code(value: .invalidRequest)
    /// Anything else.
    public static let failed = Code(value: .failed)
  }

  /// What kind of error it is.
  public let code: Code
  /// The address of the request, which never holds credentials.
  public let url: RemoteURL
  /// What is wrong, for people.
  public let message: String
  /// Whether not a single byte of an answer had come.
  public let isBeforeAnswer: Bool

  /// Creates an error.
  public init(code: Code, url: RemoteURL, message: String, isBeforeAnswer: Bool = false) {
    self.code = code
    self.url = url
    self.message = message
    self.isBeforeAnswer = isBeforeAnswer
  }

  /// The address and what is wrong.
  public var description: String { "\(url): \(message)" }
}
