// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
package import CalendarStore
import CalendarSync
package import CivilTime
import Glibc

/// The metrics of syncs in Prometheus text format, for the node exporter's textfile collector.
///
/// The file is rewritten after each run. The metrics of syncs that did not run, and the time of the
/// last success, are preserved.
package struct MetricsFile: Sendable {
  /// A metric with its value, and its labels apart from the name of the sync.
  private struct Sample: Hashable {
    let metric: String
    let labels: String
    let value: String
  }

  /// The maximum size of a file that is read back, in bytes.
  private static let sizeLimit = 1 << 20
  private static let lastSuccess = "epact_sync_last_success_timestamp_seconds"
  /// The metrics in order, with their help texts; all are gauges.
  private static let metrics = [
    ("epact_sync_last_run_timestamp_seconds", "When the sync last ran."),
    (lastSuccess, "When the sync last ended with status 0, or with 3 because of conflicts."),
    ("epact_sync_duration_seconds", "How long the last run took."),
    ("epact_sync_exit_status", "How the last run ended, as the exit status of the program."),
    ("epact_sync_items", "How many items the last run dealt with, by what was done."),
    ("epact_sync_conflicts", "How many conflicts wait for a person."),
  ]

  /// The absolute path of the file.
  private let path: String

  /// Creates the file at an absolute path.
  package init(path: String) {
    self.path = path
  }

  /// Writes the metrics of a run.
  ///
  /// - Parameters:
  ///   - results: The results of the syncs that ran.
  ///   - syncs: The names of all configured syncs; metrics of other syncs are removed.
  ///   - successes: The times of the last successes, for a file that does not contain them.
  /// - Throws: `StoreError`.
  package func write(
    _ results: [SyncResult], syncs: [String], knowing successes: [String: Instant] = [:]
  ) throws(StoreError) {
    let earlier = read()
    var samples: [String: [Sample]] = [:]
    for sync in syncs {
      guard let result = results.first(where: { $0.name == sync }) else {
        samples[sync] = earlier[sync]
        continue
      }
      samples[sync] = Self.samples(of: result)
      if !Self.isSuccess(result) {
        let known = successes[sync].map { Self.success(at: $0.secondsSinceEpoch) }
        let written = (earlier[sync] ?? []).filter { $0.metric == Self.lastSuccess }
        let last = written.isEmpty ? known.map { [$0] } ?? [] : written
        samples[sync]? += Self.successes(last, before: result)
      }
    }
    var text = ""
    for (metric, help) in Self.metrics {
      text += "# HELP \(metric) \(help)\n# TYPE \(metric) gauge\n"
      for sync in syncs {
        for sample in samples[sync] ?? [] where sample.metric == metric {
          text += "\(metric){sync=\"\(Self.escaped(sync))\"\(sample.labels)} \(sample.value)\n"
        }
      }
    }
    try AtomicFile.write(Array(text.utf8), to: path, permissions: .shared)
  }

  /// Whether both sides are in step, apart from conflicts that wait for a person.
  private static func isSuccess(_ result: SyncResult) -> Bool {
    [.done, .conflicts].contains(result.outcome)
  }

  private static func success(at seconds: Int64) -> Sample {
    Sample(metric: lastSuccess, labels: "", value: "\(seconds)")
  }

  /// The time of the last success before a failed run, at most the current time.
  ///
  /// A time in the future is from a clock that ran ahead, and would suppress alerts.
  private static func successes(_ earlier: [Sample], before result: SyncResult) -> [Sample] {
    let now = result.startedAt.secondsSinceEpoch
    return earlier.map { sample in
      let isAhead = Double(sample.value).map { $0 > Double(now) } ?? false
      return isAhead ? success(at: now) : sample
    }
  }

  private static func samples(of result: SyncResult) -> [Sample] {
    let start = result.startedAt.secondsSinceEpoch
    var samples = [
      Sample(metric: metrics[0].0, labels: "", value: "\(start)"),
      Sample(metric: metrics[2].0, labels: "", value: thousandths(result.seconds)),
      Sample(metric: metrics[3].0, labels: "", value: "\(result.outcome.rawValue)"),
      Sample(metric: metrics[5].0, labels: "", value: "\(result.summary.conflicts)"),
    ]
    if isSuccess(result) { samples.append(success(at: result.endedAt.secondsSinceEpoch)) }
    samples += result.counts.map {
      Sample(metric: metrics[4].0, labels: ",action=\"\($0.action)\"", value: "\($0.number)")
    }
    return samples
  }

  /// Formats seconds with three decimals.
  private static func thousandths(_ seconds: Double) -> String {
    let total = Int((max(0, seconds) * 1000).rounded())
    let rest = String(total % 1000)
    return "\(total / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
  }

  /// An escaped label value.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in SafeText.escaped(text).unicodeScalars {
      if character == "\\" || character == "\"" { result += "\\" }
      result.unicodeScalars.append(character)
    }
    return result
  }

  // MARK: Reading

  /// The samples in the file by sync; empty if the file cannot be read.
  private func read() -> [String: [Sample]] {
    guard var file = try? InputStream(path: path),
      let bytes = try? file.readAll(limit: Self.sizeLimit)
    else { return [:] }
    var result: [String: [Sample]] = [:]
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      guard let (sync, sample) = Self.sample(line) else { continue }
      result[sync, default: []].append(sample)
    }
    return result
  }

  /// Parses a line that this program wrote: a metric, the sync as the first label, and a number.
  private static func sample(_ line: Substring) -> (sync: String, Sample)? {
    let opening = "{sync=\""
    guard let start = line.firstRange(of: opening), let end = line.lastIndex(of: "}"),
      end > start.upperBound, metrics.contains(where: { $0.0 == line[..<start.lowerBound] })
    else { return nil }
    var name = ""
    var index = start.upperBound
    while index < end, line[index] != "\"" {
      if line[index] == "\\" { index = line.index(after: index) }
      guard index < end else { return nil }
      name.append(line[index])
      index = line.index(after: index)
    }
    guard index < end else { return nil }
    let labels = line[line.index(after: index)..<end]
    let value = line[line.index(after: end)...].drop { $0 == " " }
    guard Double(value) != nil else { return nil }
    return (
      name,
      Sample(
        metric: String(line[..<start.lowerBound]), labels: String(labels), value: String(value))
    )
  }
}
