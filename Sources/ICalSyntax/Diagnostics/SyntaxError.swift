// SPDX-License-Identifier: Apache-2.0

/// An error that stops the parser, because a limit was reached.
///
/// All other problems of a file are diagnostics, which do not stop the parser.
public struct SyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The exceeded limit and its position.
  public let diagnostic: Diagnostic

  /// Creates an error from its diagnostic.
  package init(_ diagnostic: Diagnostic) {
    self.diagnostic = diagnostic
  }

  /// The position and the message.
  public var description: String { "\(diagnostic.position): \(diagnostic.message)" }
}
