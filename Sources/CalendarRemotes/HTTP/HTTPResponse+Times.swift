// SPDX-License-Identifier: Apache-2.0

public import CivilTime

extension HTTPResponse {
  /// The time of the response by the server's clock (RFC 9110 §6.6.1), or nil if not stated.
  public var date: Instant? { headers["Date"].flatMap(HTTPDate.parse) }

  /// Creates the error for a server that is temporarily unavailable.
  ///
  /// The message includes Retry-After, in seconds or as a date (RFC 9110 §10.2.3).
  func later(subject: String) -> RemoteError {
    let delay = headers["Retry-After"].map { text in
      let isSeconds = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
      return ", after \(ServerText.escaped(text))\(isSeconds ? " seconds" : "")"
    }
    return RemoteError(
      code: .temporarilyUnavailable, subject: subject,
      message: "the server asks to come back later\(delay ?? "") (status \(status))")
  }
}
