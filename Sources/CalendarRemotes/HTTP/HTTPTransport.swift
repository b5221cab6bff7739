// SPDX-License-Identifier: Apache-2.0

/// A transport that sends requests: the network, or a script in a test.
public protocol HTTPTransport: Sendable {
  /// The maximum number of requests to one server that are in flight at once; at least 1.
  ///
  /// Further requests wait. Default implementation: returns 1.
  var requestsAtOnce: Int { get }

  /// Sends a request and returns the complete response, whatever its status.
  ///
  /// - Throws: `HTTPError` if there is no complete response, `CancellationError` if the task is
  ///   cancelled.
  func send(_ request: HTTPRequest) async throws -> HTTPResponse
}

extension HTTPTransport {
  /// Default implementation: one request after another.
  public var requestsAtOnce: Int { 1 }
}

/// An error that prevented a complete response to a request.
public struct HTTPError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The message for a server that answers without TLS.
  package static let noTLS = "the server does not speak TLS"

  /// The message for a proxy that refuses a connection.
  static func refusedByProxy(_ details: String) -> String {
    let isDenied = details.contains("407")
    return "the proxy refuses the connection"
      + (isDenied
        ? ": it requires a user name and a password, or rejects those in the address of the proxy "
          + "(status 407)" : ": \(details)")
  }

  /// The kind of a transport error, for programs.
  public struct Code: Hashable, Sendable {
    private enum Value: Hashable, Sendable {
      case unreachable, timeout, interrupted, untrusted, tooLarge, malformed
      case redirected, refused, invalidRequest, proxy, failed
    }

    private let value: Value

    /// The connection failed; the request was not sent.
    public static let unreachable = Code(value: .unreachable)
    /// A time limit was exceeded; the server may have executed the request.
    public static let timeout = Code(value: .timeout)
    /// The connection ended too early; the server may have executed the request.
    public static let interrupted = Code(value: .interrupted)
    /// The TLS handshake failed, or the certificate is not trusted.
    public static let untrusted = Code(value: .untrusted)
    /// The response exceeds the size limit.
    public static let tooLarge = Code(value: .tooLarge)
    /// The response is not HTTP, or has an encoding that was not requested.
    public static let malformed = Code(value: .malformed)
    /// The server redirects to a forbidden address, or too often.
    public static let redirected = Code(value: .redirected)
    /// The transport does not allow such requests; nothing was sent.
    public static let refused = Code(value: .refused)
    /// The request cannot be represented in HTTP; nothing was sent.
    public static let invalidRequest = Code(value: .invalidRequest)
    /// A proxy refuses the connection; nothing was sent to the server.
    public static let proxy = Code(value: .proxy)
    /// Any other error.
    public static let failed = Code(value: .failed)
  }

  /// The kind of error.
  public let code: Code
  /// The address of the request, without credentials.
  public let url: RemoteURL
  /// The message for people.
  public let message: String
  /// Whether the error occurred before the first byte of the response.
  public let isBeforeAnswer: Bool

  /// Creates an error.
  public init(code: Code, url: RemoteURL, message: String, isBeforeAnswer: Bool = false) {
    self.code = code
    self.url = url
    self.message = message
    self.isBeforeAnswer = isBeforeAnswer
  }

  /// The address and the message.
  public var description: String { "\(url): \(message)" }
}

extension RemoteError {
  /// Converts an error of the transport.
  init(_ error: HTTPError) {
    let code: Code =
      switch error.code {
      case .unreachable, .timeout: .unreachable
      case .interrupted: .interrupted
      case .untrusted: .untrusted
      case .tooLarge: .tooLarge
      case .malformed: .malformed
      case .redirected: .redirected
      case .refused: .refused
      case .invalidRequest, .proxy: .configuration
      default: .failed
      }
    self.init(
      code: code, subject: error.url.description, message: error.message,
      isTimeout: error.code == .timeout,
      isStalled: error.code == .timeout && !error.isBeforeAnswer)
  }
}
