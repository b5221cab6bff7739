// SPDX-License-Identifier: Apache-2.0

import Epact

/// All errors in a configuration, with their lines.
package struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// An error in the configuration.
  package struct Problem: Sendable, Hashable {
    /// The line, from 1; nil if the error concerns the whole file.
    package let line: Int?
    /// The message in lower case, without a full stop.
    package let message: String

    /// Creates a problem.
    package init(line: Int?, _ message: String) {
      self.line = line
      self.message = message
    }
  }

  /// The path of the configuration.
  package let path: String
  /// The errors, sorted by line; never empty.
  package let problems: [Problem]

  /// Creates an error.
  package init(path: String, problems: [Problem]) {
    self.path = path
    self.problems = problems.sorted { ($0.line ?? 0) < ($1.line ?? 0) }
  }

  /// The errors in one string.
  package var description: String { lines.joined(separator: "; ") }

  /// The errors with their positions, such as `config.toml:12: unknown key "colection"`.
  package var lines: [String] {
    problems.map { problem in
      let place = problem.line.map { "\(path):\($0)" } ?? path
      return "\(place): \(problem.message)"
    }
  }
}
