// SPDX-License-Identifier: Apache-2.0

import Epact
import ArgumentParser
import ICalSyntax

/// `epact bench`: measures how fast a file is parsed on this machine.
struct BenchCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measure how fast a file is parsed.",
    discussion: """
      The file is read into memory once, and then the same work is done on it again and again, after \
      a warm-up that does not count. Every pass has to find the same in it.
      """)

  /// The maximum size of the file, in bytes.
  private static let sizeLimit = 1 << 30
  /// The minimum duration of a run, in seconds; a run parses a small file several times.
  private static let runTime = 0.1

  @Argument(help: "A file, or - for standard input.", completion: .file())
  var file: String

  @Option(help: "How often to measure.")
  var runs = 10

  @Flag(help: "Print one JSON object instead of lines for people.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard (1...10_000).contains(runs) else {
      throw ValidationError("--runs is a number from 1 through 10000")
    }
  }

  func run(in context: Context) async throws -> ExitStatus {
    let bytes = try contents()
    let expected = try ParseCounts(parsing: bytes)
    guard expected.components > 0 else {
      throw Failure(.nothingDone, "\(file) holds no component that could be measured")
    }
    var figures: [BenchFigure] = []
    for work in BenchWork.allCases {
      figures.append(try await measure(work, over: bytes, in: context))
    }
    let report = BenchReport(
      file: file, input: expected, figures: figures, runs: runs, process: context.process)
    if json {
      context.console.write(report.json)
    } else {
      for line in report.lines { context.console.show(line) }
    }
    return .done
  }

  private func contents() throws -> [UInt8] {
    let source = InputFiles.Source(argument: file)
    do {
      var stream = try source.open()
      guard let bytes = try stream.readAll(limit: Self.sizeLimit) else {
        throw Failure(.nothingDone, "\(file) is larger than 1 GiB")
      }
      return bytes
    } catch let error as SystemError {
      throw Failure(.nothingDone, "\(file): \(error)")
    }
  }

  private func measure(
    _ work: BenchWork, over bytes: [UInt8], in context: Context
  ) async throws -> BenchFigure {
    let (stopwatch, process) = (context.machine.stopwatch, context.process)
    let warmUp = stopwatch()
    let expected = try await work.pass(over: bytes, cores: process.coreCount)
    let passes = max(1, Int((Self.runTime / max(stopwatch() - warmUp, 1e-6)).rounded(.up)))
    var seconds: [Double] = []
    for _ in 0..<runs {
      try Task.checkCancellation()
      let start = stopwatch()
      for _ in 0..<passes {
        guard try await work.pass(over: bytes, cores: process.coreCount) == expected else {
          throw Failure(
            .nothingDone, "two passes over the same bytes found different things in them")
        }
      }
      seconds.append((stopwatch() - start) / Double(passes))
    }
    return BenchFigure(work: work, seconds: seconds, passes: passes)
  }
}
