// SPDX-License-Identifier: Apache-2.0

/// The result of a measurement, with all that is needed to compare it to another one.
struct BenchReport: Sendable {
  let file: String
  let input: ParseCounts
  /// How long each run took for one pass, in seconds.
  let seconds: [Double]
  /// How many passes a run is made of.
  let passes: Int
  let machine: Dependencies

  private static let megabyte = 1e6

  /// How the program was built, because a debug build says nothing about speed.
  private static var build: String {
    #if DEBUG
      "debug"
    #else
      "release"
    #endif
  }

  private var sorted: [Double] { seconds.sorted() }

  private var median: Double {
    let sorted = sorted
    guard !sorted.isEmpty else { return .nan }
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  /// The report for people.
  var lines: [ConsoleText] {
    let fastest = sorted.first ?? .nan
    let slowest = sorted.last ?? .nan
    let bytes = Double(input.bytes) / Self.megabyte
    var lines: [ConsoleText] = [
      "input    \(file): \(Count(input.bytes, "byte")), \(Count(input.calendars, "calendar")), \(Count(input.components, "component")), \(Count(input.properties, "property", plural: "properties")), \(Count(input.diagnostics, "diagnostic"))",
      "machine  \(machine.processor), \(Count(machine.coreCount, "core")); \(Self.build) build of epact \(Version.program)",
      "runs     \(seconds.count) of \(Count(passes, "pass", plural: "passes")), after a warm-up",
      "parse    \(Self.number(bytes / median), .bold) MB/s (from \(Self.number(bytes / slowest)) to \(Self.number(bytes / fastest)))",
      "         \(Count.grouped(Int(Double(input.components) / median)), .bold) components/s",
      "         \(Self.number(median * 1e3)) ms a pass (from \(Self.number(fastest * 1e3)) to \(Self.number(slowest * 1e3)))",
    ]
    if Self.build == "debug" {
      lines.append("A debug build is many times slower than a release build.")
    }
    return lines
  }

  /// The report for programs.
  var json: JSONValue {
    [
      "file": .string(file), "bytes": .integer(input.bytes),
      "calendars": .integer(input.calendars), "components": .integer(input.components),
      "properties": .integer(input.properties), "diagnostics": .integer(input.diagnostics),
      "processor": .string(machine.processor), "cores": .integer(machine.coreCount),
      "build": .string(Self.build), "version": .string(Version.program),
      "passesPerRun": .integer(passes),
      "secondsPerPass": .array(seconds.map { .number($0) }),
      "medianSeconds": .number(median),
      "megabytesPerSecond": .number(Double(input.bytes) / Self.megabyte / median),
      "componentsPerSecond": .number(Double(input.components) / median),
    ]
  }

  /// A number with three significant digits or so.
  private static func number(_ value: Double) -> String {
    guard value.isFinite else { return "?" }
    if value >= 100 { return Count.grouped(Int(min(value, 1e15).rounded())) }
    let digits = value >= 10 ? 1 : value >= 1 ? 2 : 3
    let scale = [1.0, 10, 100, 1000][digits]
    let whole = Int((value * scale).rounded())
    let fraction = String(whole % Int(scale))
    let zeros = String(repeating: "0", count: digits - fraction.count)
    return "\(whole / Int(scale)).\(zeros)\(fraction)"
  }
}
