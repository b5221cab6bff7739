// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
package import Epact

/// The result of a measurement, with the details that make it comparable with others.
package struct BenchmarkReport: Report {
  private let file: String
  private let input: ParseCounts
  private let figures: [ParsingBenchmark.Figure]
  /// The number of measurements of each kind of work.
  private let runs: Int
  private let process: HostProcess

  /// Takes a measurement.
  package init(
    file: String, input: ParseCounts, figures: [ParsingBenchmark.Figure], runs: Int,
    process: HostProcess
  ) {
    (self.file, self.input, self.figures) = (file, input, figures)
    (self.runs, self.process) = (runs, process)
  }

  private static let megabyte = 1e6

  /// The build configuration, because the speed of a debug build is meaningless.
  private static var build: String {
    #if DEBUG
      "debug"
    #else
      "release"
    #endif
  }

  package var status: ExitStatus { .done }

  package var messages: [Message] { lines.map { .show($0) } }

  private var lines: [ConsoleText] {
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

  package var json: JSONValue {
    .object(
      [.init("file", .string(file))] + input.members + [
        .init("processor", .string(process.processor())),
        .init("cores", .integer(process.coreCount)), .init("build", .string(Self.build)),
        .init("version", .string(Version.program)),
        .init("figures", .array(figures.map { $0.json(bytes: input.bytes) })),
      ])
  }
}
