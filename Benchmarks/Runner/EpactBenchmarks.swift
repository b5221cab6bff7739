// SPDX-License-Identifier: Apache-2.0

/// Measures Epact, checks every answer, and compares it with other programs in the same run.
@main
struct EpactBenchmarks {
  static func main() async {
    do {
      try await run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      System.show("epact-benchmarks: \(error)", on: 2)
      System.exit(1)
    }
  }

  private static func run(_ words: [String]) async throws {
    if words.first == "worker" { return try await Worker.run(Array(words.dropFirst())) }
    if words == ["--help"] { return print(Options.usage) }
    let options = try Options(words)
    if options.isList {
      for row in Row.all { print("\(row.suite) / \(row.name): \(row.why)") }
      return
    }
    let cache = InputCache(under: options.cache)
    if let size = options.input { return print(try cache.input(size).path) }
    var session = Session(options: options, cache: cache)
    try session.run()
  }
}
