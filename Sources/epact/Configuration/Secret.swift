// SPDX-License-Identifier: Apache-2.0

/// A text that never shows itself in output, logs or errors.
package struct Secret: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// The text itself, for the one place that sends it.
  package let revealed: String

  /// Creates a secret.
  package init(_ text: String) {
    revealed = text
  }

  /// Always `[redacted]`.
  package var description: String { "[redacted]" }

  /// Keeps the text out of `dump` and of test failures.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
