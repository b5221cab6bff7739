// SPDX-License-Identifier: Apache-2.0

/// The answer of a user to a form, which is all that the other program learns.
package enum HandoffOutcome: Hashable, Sendable {
  /// The prepared event was saved.
  case saved
  /// The shown event, or a part of it, was deleted.
  case deleted
  /// The shown event was closed.
  case closed
  /// The shown event, or a part of it, was changed; the other program learns that it was closed.
  case changed
  /// The identifiers of the chosen calendars.
  case chosen([String])
  /// The form was dismissed, or got no answer in time.
  case cancelled

  /// The lines on standard output.
  package var lines: [String] {
    switch self {
    case .deleted: ["deleted"]
    case .chosen(let ids): ids
    case .saved, .closed, .changed, .cancelled: []
    }
  }
}
