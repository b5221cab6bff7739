// SPDX-License-Identifier: Apache-2.0

/// Why a remote could not be used, or a request to it not be answered.
///
/// The code tells a program what to do about it, the message tells a person. Neither ever holds a
/// password; what a server said is quoted with its control characters escaped.
public struct RemoteError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of a remote error, for programs.
  public struct Code: Hashable, Sendable {
    private enum Value: Hashable, Sendable {
      case configuration, ambiguous, credentials, forbidden
      case temporarilyUnavailable, unreachable, interrupted, untrusted
      case notFound, notCalendar, malformed, tooLarge, redirected, refused, failed
    }

    private let value: Value

    /// The address, or what is configured with it, cannot be used.
    public static let configuration = Code(value: .configuration)
    /// There are several calendars and none was chosen; the message names them.
    public static let ambiguous = Code(value: .ambiguous)
    /// The server does not accept the user name and password (status 401).
    public static let credentials = Code(value: .credentials)
    /// The server accepts the user, who may not do this (status 403).
    public static let forbidden = Code(value: .forbidden)
    /// The server asks to come back later (status 429 or 503).
    public static let temporarilyUnavailable = Code(value: .temporarilyUnavailable)
    /// No connection could be made, or no answer came in time.
    public static let unreachable = Code(value: .unreachable)
    /// The connection ended before the whole answer was there; a write may have been done.
    public static let interrupted = Code(value: .interrupted)
    /// The server's certificate is not trusted.
    public static let untrusted = Code(value: .untrusted)
    /// There is nothing at the address (status 404 or 410).
    public static let notFound = Code(value: .notFound)
    /// There is something at the address, which is not a calendar.
    public static let notCalendar = Code(value: .notCalendar)
    /// The answer breaks the protocol, so nothing of it is used.
    public static let malformed = Code(value: .malformed)
    /// The answer is larger than the limit.
    public static let tooLarge = Code(value: .tooLarge)
    /// The server sends on to a place where the request may not go.
    public static let redirected = Code(value: .redirected)
    /// The request is not allowed, by the server or by the access that was granted.
    public static let refused = Code(value: .refused)
    /// Anything else, as an error within the server.
    public static let failed = Code(value: .failed)
  }

  /// What kind of error it is.
  public let code: Code
  /// What it is about: an address without credentials, an href or a file name.
  public let subject: String
  /// What is wrong, for people; lower case, without a full stop.
  public let message: String

  /// Whether the request was sent, and a limit of time was reached before the whole answer was there.
  let isTimeout: Bool

  /// Creates an error.
  public init(code: Code, subject: String, message: String) {
    self.init(code: code, subject: subject, message: message, isTimeout: false)
  }

  /// Creates an error that may be one of a limit of time.
  init(code: Code, subject: String, message: String, isTimeout: Bool) {
    self.code = code
    self.subject = subject
    self.message = message
    self.isTimeout = isTimeout
  }

  /// The subject and what is wrong with it.
  public var description: String { "\(subject): \(message)" }
}
