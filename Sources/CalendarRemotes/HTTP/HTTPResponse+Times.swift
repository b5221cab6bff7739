// SPDX-License-Identifier: Apache-2.0

public import CivilTime

extension HTTPResponse {
  /// When the server says that it answered (RFC 9110 §6.6.1), or nil if it does not tell.
  public var date: Instant? { headers["Date"].flatMap(HTTPDate.parse) }

  /// The error of a server that asks to be left alone, and for how long if it tells
  /// (RFC 9110 §10.2.3): seconds, or until a date.
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
