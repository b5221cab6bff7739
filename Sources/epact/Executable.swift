// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Finds programs as the system does.
enum Executable {
  /// The path of a program that can be run, found in `PATH` unless it is a path; nil if there is none.
  static func path(of program: String, _ machine: Dependencies) -> String? {
    let folders = (machine.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    let places = program.contains("/") ? [program] : folders.map { "\($0)/\(program)" }
    return places.first { unsafe access($0, X_OK) == 0 && FileMode($0)?.isFolder == false }
  }
}
