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
    let report = BenchReport(
      file: file, input: benchmark.counts, figures: figures, runs: runs, process: context.process)
    if json {
      context.console.write(report.json)
    } else {
      for line in report.lines { context.console.show(line) }
    }
    return .done
  }
}

/// The result of a measurement, with the details that make it comparable with others.
private struct BenchReport: Sendable {
  let file: String
  let input: ParseCounts
  let figures: [ParsingBenchmark.Figure]
  /// The number of measurements of each kind of work.
  let runs: Int
  let process: HostProcess

  private static let megabyte = 1e6

  /// The build configuration, because the speed of a debug build is meaningless.
  private static var build: String {
    #if DEBUG
      "debug"
    #else
      "release"
    #endif
  }

  /// The text output.
  var lines: [ConsoleText] {
    var lines: [ConsoleText] = [
      "input      \(file): \(Count(input.bytes, "byte")), \(Count(input.calendars, "calendar")), "
        + "\(Count(input.components, "component")), "
        + "\(Count(input.properties, "property", plural: "properties")), "
        + "\(Count(input.diagnostics, "diagnostic"))",
      "machine    \(process.processor()), \(Count(process.coreCount, "core")); \(Self.build) build "
        + "of epact \(Version.program)",
      "runs       \(runs) of each, after a warm-up; the median, and the range",
    ]
    let megabytes = Double(input.bytes) / Self.megabyte
    for figure in figures {
      let name = DisplayWidth.padded(figure.work.rawValue, to: 10)
      let median = Count.rounded(megabytes / figure.median)
      let range =
        "\(Count.rounded(megabytes / figure.slowest)) to \(Count.rounded(megabytes / figure.fastest))"
      lines.append(
        "\(name) \(median, .bold) MB/s (\(range)): \(figure.work.summary)")
    }
    if Self.build == "debug" {
      lines.append("A debug build is many times slower than a release build.")
    }
    return lines
  }

  /// The JSON representation.
  var json: JSONValue {
    .object(
      [.init("file", .string(file))] + input.members + [
        .init("processor", .string(process.processor())),
        .init("cores", .integer(process.coreCount)), .init("build", .string(Self.build)),
        .init("version", .string(Version.program)),
        .init("figures", .array(figures.map { $0.json(bytes: input.bytes) })),
      ])
  }
}
