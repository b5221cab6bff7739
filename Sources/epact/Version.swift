// SPDX-License-Identifier: Apache-2.0

/// The version of the program and of what it is built on.
enum Version {
  /// The version of the program.
  static let program = "0.1.0"

  /// Prints the versions, one a line.
  static func print(on console: Console) {
    console.show("epact \(program)")
  }
}
