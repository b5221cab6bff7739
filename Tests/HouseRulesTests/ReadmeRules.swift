// SPDX-License-Identifier: Apache-2.0

/// What holds for the README: what it shows of the program is what the program does.
enum ReadmeRules {
  /// The two commands that it promises, each on a line of its own.
  static let promises = [
    ".ci/setup && swift run -c release epact tour",
    ".ci/setup && swift test",
  ]

  /// Promised commands that a README lacks.
  static func promiseViolations(in readme: SourceFile) -> [Violation] {
    promises.filter { promise in !readme.lines.contains { $0 == promise } }
      .map { Violation(readme.path, "lacks the line: \($0)") }
  }

  /// Lines of the README's examples that do not come from a transcript, which a test repeats.
  ///
  /// The examples may leave out lines of the transcript, but not invent or reorder any.
  static func sessionViolations(
    in readme: SourceFile, transcript: SourceFile
  ) -> [Violation] {
    var rest = transcript.lines[...]
    var isSession = false
    var found: [Violation] = []
    for (offset, line) in readme.lines.enumerated() {
      if line.hasPrefix("```") {
        isSession = line == "```console"
      } else if isSession {
        if let place = rest.firstIndex(of: line) {
          rest = rest[(place + 1)...]
        } else {
          found.append(
            Violation(readme.path, line: offset + 1, "is not in \(transcript.path): \(line)"))
        }
      }
    }
    return found
  }

  /// The rows of the README's table of exit statuses, as `4 check found something`.
  static func statuses(in readme: SourceFile) -> [String] {
    readme.lines.compactMap { line in
      line.wholeMatch(of: /\| (\d+) \| (.+) \|/).map { "\($0.1) \($0.2)" }
    }
  }

  /// The rows of the table in the program's help, as `4 check found something`.
  static func statuses(inHelp transcript: SourceFile) -> [String] {
    transcript.lines.compactMap { line in
      line.wholeMatch(of: /\|? +(\d+)  (\S.*)/).map { "\($0.1) \($0.2)" }
    }
  }
}
