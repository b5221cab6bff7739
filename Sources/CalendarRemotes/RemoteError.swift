// SPDX-License-Identifier: Apache-2.0

/// An error that prevented the use of a remote or a response from it.
///
/// The code is for programs, the message for people. Neither contains a password. Quoted server
/// texts have their control characters escaped.
public struct RemoteError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of a remote error, for programs.
  public struct Code: Hashable, Sendable {
    private enum Value: Hashable, Sendable {
      case configuration, ambiguous, credentials, forbidden
      case temporarilyUnavailable, unreachable, interrupted, untrusted
      case notFound, notCalendar, malformed, tooLarge, redirected, refused, failed
    }

    private let value: Value

    /// The address or another setting is invalid.
    public static let configuration = Code(value: .configuration)
    /// The server has several calendars and none is configured; the message lists them.
    public static let ambiguous = Code(value: .ambiguous)
    /// The server rejected the user name and password (status 401).
    public static let credentials = Code(value: .credentials)
    /// The user is not permitted to do this (status 403).
    public static let forbidden = Code(value: .forbidden)
    /// The server is temporarily unavailable (status 429 or 503).
    public static let temporarilyUnavailable = Code(value: .temporarilyUnavailable)
    /// The connection failed or timed out.
    public static let unreachable = Code(value: .unreachable)
    /// The connection ended before the complete response; a write may have been executed.
    public static let interrupted = Code(value: .interrupted)
    /// The server's certificate is not trusted.
    public static let untrusted = Code(value: .untrusted)
    /// There is no resource at the address (status 404 or 410).
    public static let notFound = Code(value: .notFound)
    /// The resource at the address is not a calendar.
    public static let notCalendar = Code(value: .notCalendar)
    /// The response violates the protocol, so none of it is used.
    public static let malformed = Code(value: .malformed)
    /// The response exceeds the size limit.
    public static let tooLarge = Code(value: .tooLarge)
    /// The server redirects to a forbidden address.
    public static let redirected = Code(value: .redirected)
    /// The server or the granted access does not allow the request.
    public static let refused = Code(value: .refused)
    /// Any other error, such as an internal error of the server.
    public static let failed = Code(value: .failed)
  }

  /// The kind of error.
  public let code: Code
  /// The subject: an address without credentials, an href or a file name.
  public let subject: String
  /// The message for people; lower case, without a full stop.
  public let message: String

  /// Whether the request was sent, but a time limit was exceeded before the complete response.
  let isTimeout: Bool
  /// Whether a server began a response and stopped in the middle of it.
  let isStalled: Bool

  /// Creates an error.
  public init(code: Code, subject: String, message: String) {
    self.init(code: code, subject: subject, message: message, isTimeout: false)
  }

  /// Creates an error that may be one of a limit of time.
  init(
    code: Code, subject: String, message: String, isTimeout: Bool, isStalled: Bool = false
  ) {
    self.code = code
    self.subject = subject
    self.message = message
    self.isTimeout = isTimeout
    self.isStalled = isStalled
  }

  /// The subject and the message.
  public var description: String { "\(subject): \(message)" }
}

/// Sanitizes untrusted text for error messages.
enum ServerText {
  /// The maximum length of a quotation, in characters.
  private static let lengthLimit = 300

  /// The text on one line, with characters escaped that could control a terminal or mislead.
  static func escaped(_ text: String) -> String {
    var result = ""
    for (count, scalar) in text.unicodeScalars.enumerated() {
      guard count < lengthLimit else { return result + "…" }
      if scalar == "\n" || scalar == "\r" || scalar == "\t" {
        result += " "
      } else if isHarmless(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      }
    }
    return result
  }

  /// Whether a character neither controls a terminal nor changes the text direction.
  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
      .unassigned:
      false
    default: true
    }
  }

  /// The text with white space collapsed to single spaces, and trimmed.
  static func collapsed(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
