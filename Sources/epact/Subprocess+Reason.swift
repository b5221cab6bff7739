// SPDX-License-Identifier: Apache-2.0

extension Subprocess.Failure: CustomStringConvertible {
  /// What went wrong, where the program is not named beside it.
  var description: String { "the program \(reason)" }

  /// What went wrong, to stand behind the name of the program.
  var reason: String {
    switch self {
    case .notStarted(let error): "cannot be started: \(error)"
    case .timedOut: "did not end in time"
    case .tooMuchOutput: "printed too much"
    case .exited(let status): "ended with status \(status)"
    }
  }
}
