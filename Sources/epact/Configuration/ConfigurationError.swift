// SPDX-License-Identifier: Apache-2.0

/// Everything that is wrong with a configuration, each with its line.
package struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One thing that is wrong.
  package struct Problem: Sendable, Hashable {
    /// The line, from 1; nil if it is about the file as a whole.
    package let line: Int?
    /// What is wrong: lower case, without a full stop.
    package let message: String

    /// Creates a problem.
    package init(line: Int?, _ message: String) {
      self.line = line
      self.message = message
    }
  }

  /// The path of the configuration.
  package let path: String
  /// What is wrong, in order of line; never empty.
  package let problems: [Problem]

  /// Creates an error.
  package init(path: String, problems: [Problem]) {
    self.path = path
    self.problems = problems.sorted { ($0.line ?? 0) < ($1.line ?? 0) }
  }

  /// The problems, one after the other.
  package var description: String { lines.joined(separator: "; ") }

  /// The problems as `config.toml:12: unknown key "colection"`, one a line.
  package var lines: [String] {
    problems.map { problem in
      let place = problem.line.map { "\(path):\($0)" } ?? path
      return "\(place): \(problem.message)"
    }
  }
}
