// SPDX-License-Identifier: Apache-2.0

/// The name by which a remote knows an item: opaque, sent back exactly as it was received.
public struct Href: Hashable, Sendable, CustomStringConvertible {
  /// The remote's own spelling.
  public let rawValue: String

  /// Creates an href from the remote's own spelling.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  /// The remote's own spelling.
  public var description: String { rawValue }
}
