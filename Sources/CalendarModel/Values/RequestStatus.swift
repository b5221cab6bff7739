// SPDX-License-Identifier: Apache-2.0

/// What became of a scheduling request (RFC 5545 §3.8.8.3).
public struct RequestStatus: Hashable, Sendable {
  /// The numbers of the status, such as `2.0` or `3.1`.
  public var code: String
  /// What it means, for people.
  public var text: String
  /// What it is about, such as the property that was not understood; nil if nothing is said.
  public var data: String?

  /// Creates a status.
  public init(code: String, text: String, data: String? = nil) {
    self.code = code
    self.text = text
    self.data = data
  }
}
