// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import CivilTime
import Glibc

/// The figures of syncs in the text format of Prometheus, for the node exporter's textfile collector.
///
/// The file is written anew after each run. What it said of syncs that did not run this time stays, and
/// so does when a sync last succeeded.
struct MetricsFile: Sendable {
  /// A figure, what it is, and its labels beside the name of the sync.
  private struct Sample: Hashable {
    let metric: String
    let labels: String
    let value: String
  }

  /// The largest file that is read back, in bytes.
  private static let sizeLimit = 1 << 20
  private static let lastSuccess = "epact_sync_last_success_timestamp_seconds"
  /// What the metrics are, in their order; all are gauges.
  private static let metrics = [
    ("epact_sync_last_run_timestamp_seconds", "When the sync last ran."),
    (lastSuccess, "When the sync last ended with status 0."),
    ("epact_sync_duration_seconds", "How long the last run took."),
    ("epact_sync_exit_status", "How the last run ended, as the exit status of the program."),
    ("epact_sync_items", "How many items the last run dealt with, by what was done."),
    ("epact_sync_conflicts", "How many conflicts wait for a person."),
  ]

  /// The absolute path of the file.
  let path: String

  /// Writes the figures of a run.
  ///
  /// - Parameters:
  ///   - reports: What each sync did that ran.
  ///   - syncs: The names of all syncs of the configuration; of others nothing stays.
  /// - Throws: `StoreError`.
  func write(_ reports: [SyncReport], syncs: [String]) throws(StoreError) {
    let earlier = read()
    var samples: [String: [Sample]] = [:]
    for sync in syncs {
      guard let report = reports.first(where: { $0.name == sync }) else {
        samples[sync] = earlier[sync]
        continue
      }
      samples[sync] = Self.samples(of: report)
      if report.status != .done {
        samples[sync]? += Self.successes(earlier[sync] ?? [], before: report)
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

  /// When a sync last succeeded before a run that did not; a clock that ran ahead then counts as the
  /// present, or an alarm would stay silent for as long as it ran ahead.
  private static func successes(_ earlier: [Sample], before report: SyncReport) -> [Sample] {
    let now = report.startedAt.secondsSinceEpoch
    return earlier.filter { $0.metric == lastSuccess }.map { sample in
      let isAhead = Double(sample.value).map { $0 > Double(now) } ?? false
      return isAhead
        ? Sample(metric: sample.metric, labels: sample.labels, value: "\(now)") : sample
    }
  }

  private static func samples(of report: SyncReport) -> [Sample] {
    let start = report.startedAt.secondsSinceEpoch
    var samples = [
      Sample(metric: metrics[0].0, labels: "", value: "\(start)"),
      Sample(metric: metrics[2].0, labels: "", value: thousandths(report.seconds)),
      Sample(metric: metrics[3].0, labels: "", value: "\(report.status.rawValue)"),
      Sample(metric: metrics[5].0, labels: "", value: "\(report.conflicts)"),
    ]
    if report.status == .done {
      let end = start + Int64(report.seconds)
      samples.append(Sample(metric: lastSuccess, labels: "", value: "\(end)"))
    }
    samples += report.counts.map {
      Sample(metric: metrics[4].0, labels: ",action=\"\($0.action)\"", value: "\($0.number)")
    }
    return samples
  }

  /// A number of seconds with three decimals.
  private static func thousandths(_ seconds: Double) -> String {
    let total = Int((max(0, seconds) * 1000).rounded())
    let rest = String(total % 1000)
    return "\(total / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
  }

  /// A label's value as the format wants it.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in SafeText.escaped(text).unicodeScalars {
      if character == "\\" || character == "\"" { result += "\\" }
      result.unicodeScalars.append(character)
    }
    return result
  }

  // MARK: Reading

  /// What the file says so far, by the name of the sync; nothing if it cannot be read.
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

  /// A line as it was written here: a metric, the sync first among the labels, and a number.
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
