// SPDX-License-Identifier: Apache-2.0

import BenchmarkFiles

/// One run over rows: measures each, checks its answers, and compares it.
struct Session {
  private static let program = ["/proc/self/exe", "worker"]

  private let options: Options
  private let cache: InputCache
  private var peers = Peers()
  /// What was measured already, by who did which work on what: several rows may refer to it.
  private var measurements: [String: Measurement] = [:]

  init(options: Options, cache: InputCache) {
    self.options = options
    self.cache = cache
  }

  mutating func run() throws {
    let rows = try options.rows()
    if options.hasPeers { peers = try Peers(builtIn: "\(options.cache)/peers") }
    var results: [RowResult] = []
    for row in rows {
      let result = try measure(row)
      if !options.onlyAnswers { System.show(result.line) }
      results.append(result)
    }
    if options.onlyAnswers { System.show("\(rows.count) benchmarks, every answer is right") }
    if let path = options.json {
      let report = Report(digest: cache.digest, results: results)
      try OutputFile(path).write(Array(report.json.utf8))
    }
  }

  private mutating func measure(_ row: Row) throws -> RowResult {
    let input = try cache.input(options.input(of: row))
    let own = try measurement(
      of: row.work, by: "epact", Self.program, row, input, required: row.answers)
    var ratios: [RowResult.Ratio] = []
    for reference in row.references where !options.onlyAnswers || options.hasPeers {
      guard let other = try measurement(of: reference, row, input) else { continue }
      ratios.append(RowResult.Ratio(to: reference, times: other.median / own.median, other))
    }
    return RowResult(row: row, input: input, own: own, ratios: ratios)
  }

  /// What a row is compared with; nil if it is not part of this run.
  private mutating func measurement(
    of reference: Row.Reference, _ row: Row, _ input: Input
  ) throws -> Measurement? {
    switch reference {
    case .row(let name):
      guard let other = Row.all.first(where: { $0.name == name }) else { return nil }
      return try measurement(
        of: other.work, by: "epact", Self.program, other, input, required: other.answers)
    case .peer(let name, let work):
      guard let command = peers.commands[name] else { return nil }
      return try measurement(of: work, by: name, command, row, input, required: [])
    }
  }

  /// Measures some work, unless that was done before in this run.
  private mutating func measurement(
    of work: String, by name: String, _ command: [String], _ row: Row, _ input: Input,
    required: [Answer]
  ) throws -> Measurement {
    let key = "\(name) \(work) \(input.path) \(row.method)"
    if let known = measurements[key] { return known }
    let measurement = try Measurement(
      command, work: work, input: input, method: options.onlyAnswers ? .process : row.method,
      samples: options.onlyAnswers ? 1 : options.samples)
    let mistakes = measurement.mistakes(expecting: input.answers, atLeast: required)
    guard mistakes.isEmpty, !measurement.answers.isEmpty else {
      throw Failure(
        "\(row.name): wrong answer of \(name): \(mistakes.joined(separator: "; "))")
    }
    measurements[key] = measurement
    return measurement
  }
}
