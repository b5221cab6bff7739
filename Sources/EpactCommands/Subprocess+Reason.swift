// SPDX-License-Identifier: Apache-2.0

extension Subprocess.Failure: CustomStringConvertible {
  /// The error without the name of the program.
  var description: String { "the program \(reason)" }

  /// The error as a phrase that follows the name of the program.
  var reason: String {
    switch self {
    case .notStarted(let error): "cannot be started: \(error)"
    case .timedOut: "did not end in time"
    case .tooMuchOutput: "printed too much"
    case .exited(let status): "ended with status \(status)"
    }
  }
}
