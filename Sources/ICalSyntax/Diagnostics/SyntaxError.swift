// SPDX-License-Identifier: Apache-2.0

/// A limit of the parser was reached; reading cannot go on.
///
/// Everything else that can be wrong with a file is a `Diagnostic` and does not stop the reading.
public struct SyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was reached and where, as it is shown to people.
  public let diagnostic: Diagnostic

  /// Creates an error from the diagnostic that describes it.
  package init(_ diagnostic: Diagnostic) {
    self.diagnostic = diagnostic
  }

  /// The position and the message.
  public var description: String { "\(diagnostic.position): \(diagnostic.message)" }
}
