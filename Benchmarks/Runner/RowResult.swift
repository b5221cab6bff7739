// SPDX-License-Identifier: Apache-2.0

import BenchmarkFiles

/// What a row came to.
struct RowResult {
  /// How many times as fast as something else ours is.
  struct Ratio {
    let name: String
    let times: Double
    let other: Measurement

    init(to reference: Row.Reference, times: Double, _ other: Measurement) {
      switch reference {
      case .row(let row): name = row
      case .peer(let peer, _): name = peer
      }
      self.times = times
      self.other = other
    }
  }

  let row: Row
  let input: Input
  let own: Measurement
  let ratios: [Ratio]

  var megabytesPerSecond: Double { megabytesPerSecond(of: own) }
  /// The most memory that was held, as a multiple of the input.
  var peakPerByte: Double { Double(own.peak) / Double(input.byteCount) }

  private func megabytesPerSecond(of measurement: Measurement) -> Double {
    Double(input.byteCount) / 1e6 / measurement.median
  }

  /// The result as a line of a table.
  var line: String {
    var words = [
      row.name.padded(to: 13), Text.number(megabytesPerSecond).padded(to: 7, left: true), "MB/s",
      "±" + Text.number(own.spread / own.median * 100).padded(to: 5, left: true) + " %",
    ]
    if row.method == .process {
      words += [
        Text.number(own.median * 1000).padded(to: 7, left: true), "ms",
        Text.number(Double(own.peak) / 1e6).padded(to: 7, left: true), "MB peak",
        "(\(Text.number(peakPerByte)) × input)",
      ]
    }
    if let files = input.answers[.calendars], files > 1 {
      words.append("\(Text.number(Double(files) / own.median)) files/s")
    }
    for ratio in ratios {
      words.append("  \(Text.number(ratio.times)) × \(ratio.name)")
      words.append("(\(Text.number(megabytesPerSecond(of: ratio.other))) MB/s)")
    }
    return words.joined(separator: " ")
  }

  /// The result as a member of a JSON array.
  var json: JSON {
    .object([
      ("name", .text(row.name)), ("why", .text(row.why)),
      ("bytes", .number(Double(input.byteCount))),
      ("megabytesPerSecond", .number(megabytesPerSecond)),
      ("measurement", own.json),
      ("peakPerByte", .number(peakPerByte)),
      (
        "comparisons",
        .array(
          ratios.map {
            .object([
              ("with", .text($0.name)), ("times", .number($0.times)),
              ("measurement", $0.other.json),
            ])
          })
      ),
    ])
  }
}

extension Measurement {
  fileprivate var json: JSON {
    .object([
      ("medianSeconds", .number(median)), ("spreadSeconds", .number(spread)),
      ("seconds", .array(seconds.map { .number($0) })),
      ("systemSeconds", .array(systemSeconds.map { .number($0) })),
      ("peakBytes", .number(Double(peak))),
      (
        "answers",
        .object(
          Answer.allCases.compactMap { name in
            answers[name].map { (name.rawValue, .number(Double($0))) }
          })
      ),
    ])
  }
}
