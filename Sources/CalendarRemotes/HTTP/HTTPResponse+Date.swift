// SPDX-License-Identifier: Apache-2.0

public import CivilTime

extension HTTPResponse {
  /// When the server says that it answered (RFC 9110 §6.6.1), or nil if it does not tell.
  public var date: Instant? { headers["Date"].flatMap(HTTPDate.parse) }
}
