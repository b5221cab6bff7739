// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import Epact
import EpactConsole
import ArgumentParser

/// `epact bench`: measures how fast a file is parsed on this machine.
struct BenchCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measure how fast a file is parsed.",
    discussion: """
      Reads the file into memory once, and repeats the same work, after a warm-up that does not \
      count. Every pass has to find the same contents.
      """)

  @Argument(help: "A file, or - for standard input.", completion: .file())
  var file: String

  @Option(help: "Measure this many times.")
  var runs = 10

  @Flag(help: "Print one JSON object.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard (1...10_000).contains(runs) else {
      throw ValidationError("--runs is a number from 1 through 10000")
    }
  }

  func run(in context: Context) async throws -> ExitStatus {
    let benchmark = try ParsingBenchmark(
      of: FileSource(path: file), cores: context.process.coreCount,
      stopwatch: context.machine.stopwatch)
    var figures: [ParsingBenchmark.Figure] = []
    for work in ParsingWork.allCases {
      figures.append(try await benchmark.measure(work, runs: runs))
    }
    let report = BenchmarkReport(
      file: file, input: benchmark.counts, figures: figures, runs: runs, process: context.process)
    return context.console.write(report, asJSON: json)
  }
}
