// SPDX-License-Identifier: Apache-2.0

/// The result of a scheduling request (RFC 5545 §3.8.8.3).
public struct RequestStatus: Hashable, Sendable {
  /// The status code, such as `2.0` or `3.1`.
  public var code: String
  /// The description of the status, for display.
  public var text: String
  /// The exceptional data, such as the property that was not understood; nil if there is none.
  public var data: String?

  /// Creates a status.
  public init(code: String, text: String, data: String? = nil) {
    self.code = code
    self.text = text
    self.data = data
  }
}
