// SPDX-License-Identifier: Apache-2.0

/// A promise that some bytes were found to break.
public struct OracleFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// Which promise, and how it was broken.
  public let description: String

  /// Creates a failure from what is said about it.
  public init(_ description: String) {
    self.description = description
  }
}

/// Throws unless a promise is kept.
public func promise(
  _ isKept: Bool, _ message: @autoclosure () -> String
) throws(OracleFailure) {
  guard isKept else { throw OracleFailure(message()) }
}
