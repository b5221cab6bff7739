// SPDX-License-Identifier: Apache-2.0

/// The rules for console sessions in documents.
///
/// A session is an excerpt of a transcript in `Fixtures/cli`, which a test repeats. It may leave out
/// steps. The output of a step is complete, or a line `…` stands for the omitted lines. Filters such
/// as `| head -3` at the end of a recorded command may be left out.
struct SessionRules {
  /// The transcripts of each document with sessions.
  static let transcripts: [String: [String]] = [
    "README.md": ["readme"],
    "Sources/Epact/Epact.docc/FirstSync.md": ["first-sync"],
    "Sources/Epact/Epact.docc/Guide.md": ["guide"],
    "Sources/Epact/Epact.docc/BulkFiles.md": ["bulk"],
    "Sources/Epact/Epact.docc/ManyAccounts.md": ["hosting"],
    "Sources/Epact/Epact.docc/FamilyCalendar.md": ["family"],
    "Sources/Epact/Epact.docc/BrowserPage.md": ["browser"],
    "Sources/Epact/Epact.docc/AccessToRemotes.md": ["guide"],
    "Sources/Epact/Epact.docc/Invitations.md": ["invitation", "meetings"],
    "Sources/Epact/Epact.docc/JSONOutput.md": ["json", "json-views", "invitation", "restore"],
    "Sources/Epact/Epact.docc/SyncInDepth.md": ["restore"],
  ]

  /// A command with its output.
  struct Step {
    /// The line number of the command, from 1.
    let line: Int
    let command: String
    var output: [String] = []
    var errors: [String] = []

    /// The possible forms of the complete output in a document.
    var shown: [[String]] { [output + errors, errors + output, output, errors] }

    /// Whether the step has the command of a step in a document.
    func repeats(_ step: Step) -> Bool {
      command == step.command || command.hasPrefix(step.command + " | ")
    }

    /// Whether the output of a step in a document is that of this step.
    func shows(_ step: Step) -> Bool { shown.contains { SessionRules.matches(step.output, $0) } }

    /// The likeness of a step in a document.
    func score(_ step: Step) -> Int {
      shows(step) ? 1000 : shown[0].count { step.output.contains($0) }
    }
  }

  let document: SourceFile
  private let steps: [[Step]]

  /// Creates the rules for a document with the transcripts of its sessions.
  init(_ document: SourceFile, transcripts: [SourceFile]) {
    self.document = document
    steps = transcripts.map(Self.steps(ofTranscript:))
  }

  // MARK: Checks

  /// The steps of the document that differ from their transcript.
  var violations: [Violation] {
    pairs.compactMap { step, recorded in
      guard let recorded else {
        return Violation(
          document.path, line: step.line, "is not in a transcript: \(step.command)")
      }
      guard !recorded.shows(step) else { return nil }
      return Violation(document.path, line: step.line, "has another output: \(step.command)")
    }
  }

  /// The document with the recorded output of each step, except for steps with omitted lines.
  var updated: String {
    var lines = document.lines.map(String.init)
    for (step, recorded) in pairs.reversed() where !step.output.contains("…") {
      guard let recorded, !recorded.shows(step) else { continue }
      let output = recorded.shown.max {
        Self.likeness($0, step.output) < Self.likeness($1, step.output)
      }
      lines.replaceSubrange(step.line..<(step.line + step.output.count), with: output ?? [])
    }
    return lines.joined(separator: "\n")
  }

  // MARK: Places

  /// The steps of the document with their recorded steps.
  ///
  /// A session starts at the place in a transcript where most of its outputs are equal. If several
  /// places are equal, it is the first one after the previous session.
  private var pairs: [(step: Step, recorded: Step?)] {
    var ends = steps.map { _ in 0 }
    return Self.sessions(in: document).flatMap { session -> [(Step, Step?)] in
      var best: (score: Int, transcript: Int, places: [Int?])?
      for (transcript, recorded) in steps.enumerated() {
        let starts = recorded.indices.filter { recorded[$0].repeats(session[0]) }
        let end = ends[transcript]
        for start in starts.filter({ $0 >= end }) + starts.filter({ $0 < end }) {
          let places = Self.places(of: session, in: recorded, from: start)
          let score = zip(session, places).map { step, place in
            place.map { recorded[$0].score(step) } ?? 0
          }.reduce(0, +)
          if score > best?.score ?? -1 { best = (score, transcript, places) }
        }
      }
      guard let best else { return session.map { ($0, nil) } }
      ends[best.transcript] = (best.places.compactMap(\.self).last ?? -1) + 1
      return zip(session, best.places).map { step, place in
        (step, place.map { steps[best.transcript][$0] })
      }
    }
  }

  /// The places of a session's steps, in order; those with the same output are preferred.
  private static func places(
    of session: [Step], in recorded: [Step], from start: Int
  ) -> [Int?] {
    var next = start
    return session.map { step in
      let places = (next..<recorded.count).filter { recorded[$0].repeats(step) }
      let place = places.first { recorded[$0].shows(step) } ?? places.first
      next = place.map { $0 + 1 } ?? next
      return place
    }
  }

  /// The number of equal lines, and as a tiebreaker the difference of the lengths.
  private static func likeness(_ output: [String], _ other: [String]) -> Int {
    100 * output.count { other.contains($0) } - abs(output.count - other.count)
  }

  /// Whether shown lines are the recorded ones, except for those that `…` stands for.
  static func matches(_ shown: [String], _ recorded: [String]) -> Bool {
    var rest = recorded[...]
    let parts = shown.split(separator: "…", omittingEmptySubsequences: false)
    guard let first = parts.first, let last = parts.last, parts.count > 1 else {
      return shown == recorded
    }
    guard rest.starts(with: first) else { return false }
    rest.removeFirst(first.count)
    for part in parts.dropFirst().dropLast() {
      guard let place = rest.firstRange(of: part) else { return false }
      rest = rest[place.upperBound...]
    }
    return rest.suffix(last.count) == last
  }

  // MARK: Reading

  /// The steps in each block of the document that begins with ```` ```console ````.
  private static func sessions(in document: SourceFile) -> [[Step]] {
    var sessions: [[Step]] = []
    var isSession = false
    for (index, line) in document.lines.enumerated() {
      if line.hasPrefix("```") {
        isSession = !isSession && line == "```console"
        if isSession { sessions.append([]) }
      } else if isSession, line.hasPrefix("$ ") || sessions[sessions.count - 1].isEmpty {
        let command = line.hasPrefix("$ ") ? line.dropFirst(2) : line
        sessions[sessions.count - 1].append(Step(line: index + 1, command: String(command)))
      } else if isSession {
        let session = sessions.count - 1
        sessions[session][sessions[session].count - 1].output.append(String(line))
      }
    }
    return sessions
  }

  /// The steps of a transcript, with readable placeholders.
  private static func steps(ofTranscript transcript: SourceFile) -> [Step] {
    var steps: [Step] = []
    var isInErrors = false
    for (index, line) in transcript.lines.enumerated() {
      if line.hasPrefix("$ ") {
        steps.append(Step(line: index + 1, command: readable(line.dropFirst(2))))
        isInErrors = false
      } else if line == "[stderr]" {
        isInErrors = true
      } else if !steps.isEmpty, !line.isEmpty, !line.hasPrefix("#"), !line.hasPrefix("[exit ") {
        let text = readable(line.hasPrefix("|") ? line.dropFirst() : line)
        if isInErrors {
          steps[steps.count - 1].errors.append(text)
        } else {
          steps[steps.count - 1].output.append(text)
        }
      }
    }
    return steps
  }

  /// A line with examples instead of the placeholders of a transcript.
  private static func readable(_ line: Substring) -> String {
    String(line).replacing("$DIR/config", with: "/home/ada/.config")
      .replacing("$DIR/state", with: "/home/ada/.local/state").replacing("$DIR", with: "/home/ada")
      .replacing("\"<time>\"", with: "\"2026-11-24T03:21:07Z\"")
      .replacing("<time>", with: "2026-11-24 03:21:07").replacing("<user>", with: "ada")
  }
}
