// SPDX-License-Identifier: Apache-2.0

import BenchmarkFiles

/// A run: measures each row, checks its answers, and compares it.
struct Session {
  /// A participant in a row: this program, a reference row, or a peer.
  private struct Participant {
    let name: String
    let command: [String]
    let work: String
    /// The answers that it must provide.
    let answers: [Answer]
    /// Whether it is the program `epact`, whose answers are parsed from its output.
    var isProgram = false
    var measurement = Measurement()
  }

  private static let program = ["/proc/self/exe", "worker"]
  /// The number of rounds in which the participants of a row take turns.
  private static let rounds = 3

  private let options: Options
  private let cache: InputCache
  private var peers = Peers()

  init(options: Options, cache: InputCache) {
    self.options = options
    self.cache = cache
  }

  mutating func run() throws {
    let rows = try options.rows()
    if Report.build == "debug", !options.onlyAnswers {
      System.show("This is a debug build: its times say nothing about speed.")
    }
    if options.hasPeers { peers = try Peers(builtIn: "\(options.cache)/peers") }
    if options.isMarkdown { System.show(RowResult.markdownHead) }
    var results: [RowResult] = []
    for row in rows {
      if row.method == .program, InputFile(ifPresent: try Self.epact()) == nil {
        System.show("\(row.name) is left out: swift build -c release --product epact")
        continue
      }
      let result = try measure(row)
      if !options.onlyAnswers { System.show(options.isMarkdown ? result.markdown : result.line) }
      results.append(result)
    }
    if options.onlyAnswers { System.show("\(results.count) benchmarks, every answer is right") }
    if let path = options.json {
      let report = Report(digest: cache.digest, results: results)
      try OutputFile(path).write(Array(report.json.utf8))
    }
  }

  /// Measures a row and its references in turns.
  ///
  /// Other load on the machine then affects all of them.
  private func measure(_ row: Row) throws -> RowResult {
    let input =
      try row.rule.map { Input($0, isSmall: options.onlyAnswers) }
      ?? cache.input(options.input(of: row))
    var participants = [
      row.method == .program ? try program(row) : participant(row, named: "epact")
    ]
    if !options.onlyAnswers || options.hasPeers {
      participants += row.references.compactMap(participant)
    }
    for _ in 0..<(options.onlyAnswers ? 1 : Self.rounds) {
      for index in participants.indices {
        try measure(&participants[index], row, on: input)
      }
    }
    return RowResult(
      row: row, input: input, own: participants[0].measurement,
      others: participants.dropFirst().map { ($0.name, $0.measurement) })
  }

  private func measure(_ participant: inout Participant, _ row: Row, on input: Input) throws {
    let command =
      participant.command + (participant.isProgram ? [] : [participant.work]) + [input.path]
    if participant.isProgram {
      let samples = (options.samples + Self.rounds - 1) / Self.rounds
      for _ in 0..<(options.onlyAnswers ? 1 : samples) {
        try participant.measurement.addAgenda(command)
      }
    } else if options.onlyAnswers {
      try participant.measurement.addProcess(command)
    } else {
      let samples = (options.samples + Self.rounds - 1) / Self.rounds
      switch row.method {
      case .passes: try participant.measurement.addSamples(samples, of: command)
      case .process, .program:
        for _ in 0..<samples { try participant.measurement.addProcess(command) }
      }
    }
    let mistakes = participant.measurement.mistakes(
      expecting: input.answers, atLeast: participant.answers)
    guard mistakes.isEmpty else {
      throw Failure(
        "\(row.name): wrong answer of \(participant.name): \(mistakes.joined(separator: "; "))")
    }
  }

  /// The path of `epact`, which is in the same build folder as this program.
  private static func epact() throws -> String {
    let path = try System.path(ofLink: "/proc/self/exe")
    return path.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/epact"
  }

  private func program(_ row: Row) throws -> Participant {
    Participant(
      name: "epact", command: [try Self.epact()] + AgendaOutput.arguments, work: row.work,
      answers: row.answers, isProgram: true)
  }

  private func participant(_ row: Row, named name: String) -> Participant {
    Participant(name: name, command: Self.program, work: row.work, answers: row.answers)
  }

  /// The participant for a reference, or nil if it is not available in this run.
  private func participant(_ reference: Row.Reference) -> Participant? {
    switch reference {
    case .row(let name):
      return Row.all.first { $0.name == name }.map { participant($0, named: name) }
    case .peer(let name, let work, let answers):
      guard let command = peers.commands[name] else { return nil }
      return Participant(name: name, command: command, work: work, answers: answers)
    }
  }
}
