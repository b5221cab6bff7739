// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Locates programs as the system does.
enum Executable {
  /// The path of an executable program, searched in `PATH` unless it is a path; nil if not found.
  static func path(of program: String, _ machine: Dependencies) -> String? {
    let folders = (machine.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    let places = program.contains("/") ? [program] : folders.map { "\($0)/\(program)" }
    return places.first { unsafe access($0, X_OK) == 0 && FileMode($0)?.isFolder == false }
  }
}
