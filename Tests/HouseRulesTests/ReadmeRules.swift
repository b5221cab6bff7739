// SPDX-License-Identifier: Apache-2.0

/// The rules for the README and the other documents outside of the articles.
enum ReadmeRules {
  /// The two promised commands, each on a line of its own.
  static let promises = [
    ".ci/setup && swift run epact tour",
    ".ci/setup && swift test",
  ]
  /// The maximum number of lines of the README.
  static let lineLimit = 170

  /// Promised commands that the README lacks.
  static func promiseViolations(in readme: SourceFile) -> [Violation] {
    promises.filter { promise in !readme.lines.contains { $0 == promise } }
      .map { Violation(readme.path, "lacks the line: \($0)") }
  }

  /// Relative links to files that do not exist.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - exists: Whether a path of the repository is a file or a folder.
  /// - Returns: The violations in the order of the lines.
  static func linkViolations(in document: SourceFile, exists: (String) -> Bool) -> [Violation] {
    let folder = document.path.split(separator: "/").dropLast()
    return document.lines.enumerated().flatMap { index, line -> [Violation] in
      line.matches(of: /\]\(([^)#: ]+)(#[^)]*)?\)/).compactMap { match in
        var path = folder
        for part in match.1.split(separator: "/") {
          if part == ".." { path = path.dropLast() } else { path.append(part) }
        }
        guard !exists(path.joined(separator: "/")) else { return nil }
        return Violation(document.path, line: index + 1, "has a link to nothing: \(match.1)")
      }
    }
  }
}
