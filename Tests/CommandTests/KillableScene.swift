// SPDX-License-Identifier: Apache-2.0

/// Two sides with something to do for a sync that is killed, which can be put back to where they began.
protocol KillableScene {
  var sandbox: Sandbox { get }

  /// Puts everything back, and runs a sync that is killed.
  ///
  /// - Parameter prefix: What comes before the command, so that it is.
  /// - Returns: Whether it was killed; it was not if it came to its end before.
  /// - Throws: If the sync cannot be run at all.
  func run(_ prefix: String) throws -> Bool

  /// What is wrong once further runs came to their end; nil if nothing is.
  func problem() throws -> String?
}
