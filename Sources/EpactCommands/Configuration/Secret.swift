// SPDX-License-Identifier: Apache-2.0

import Epact

/// A text that is redacted in output, logs and errors.
package struct Secret: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// The text itself, for sending it.
  package let revealed: String

  /// Creates a secret.
  package init(_ text: String) {
    revealed = text
  }

  /// Always `[redacted]`.
  package var description: String { "[redacted]" }

  /// Hides the text from `dump` and from test failures.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
