// SPDX-License-Identifier: Apache-2.0

import Foundation

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

extension KillableScene {
  /// Puts an event into a folder of the sandbox, as another program would.
  static func write(
    _ uid: String, _ summary: String, location: String? = nil, to folder: String,
    of sandbox: Sandbox
  ) throws {
    try Data(KillScene.text(uid, summary, location: location).utf8).write(
      to: sandbox.folder.appending(path: "\(folder)/\(uid).ics"))
  }

  /// Puts an event into a folder of the sandbox, as another program would.
  func write(
    _ uid: String, _ summary: String, location: String? = nil, to folder: String
  ) throws {
    try Self.write(uid, summary, location: location, to: folder, of: sandbox)
  }
}
