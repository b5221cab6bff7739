// SPDX-License-Identifier: Apache-2.0

import BenchmarkFiles

/// The result of a row.
struct RowResult {
  let row: Row
  let input: Input
  let own: Measurement
  let others: [(name: String, measurement: Measurement)]

  var megabytesPerSecond: Double { megabytesPerSecond(of: own) }
  /// The peak memory as a multiple of the input.
  var peakPerByte: Double { peakPerByte(of: own) }

  /// The speedup over another measurement.
  private func times(_ other: Measurement) -> Double { other.median / own.median }

  private func peakPerByte(of measurement: Measurement) -> Double {
    Double(measurement.peak) / Double(input.byteCount)
  }

  private func megabytesPerSecond(of measurement: Measurement) -> Double {
    Double(input.byteCount) / 1e6 / measurement.median
  }

  /// The speed, in millions of instances or in megabytes per second.
  private func rate(_ measurement: Measurement) -> String {
    guard let operations = input.operations else {
      return "\(Text.number(megabytesPerSecond(of: measurement))) MB/s"
    }
    let each = measurement.median / Double(operations)
    let rate = "\(Text.number(1e-6 / each)) M/s"
    return each < 1e-6
      ? "\(rate), \(Text.number(each * 1e9)) ns" : "\(rate), \(Text.number(each * 1e6)) µs"
  }

  /// The result as a line of the text table.
  var line: String {
    var words = [
      row.name.padded(to: 13), rate(own).padded(to: 14, left: true),
      "±" + Text.number(own.spread / own.median * 100).padded(to: 5, left: true) + " %",
    ]
    if row.method != .passes {
      words += [Text.number(own.median * 1000).padded(to: 7, left: true), "ms"]
    }
    if row.method == .process {
      words += [
        Text.number(Double(own.peak) / 1e6).padded(to: 7, left: true), "MB peak",
        "(\(Text.number(peakPerByte)) × input)",
      ]
    }
    if let files = input.answers[.calendars], files > 1 {
      words.append("\(Text.number(Double(files) / own.median)) files/s")
    }
    for (name, other) in others {
      words.append("  \(Text.number(times(other))) × \(name)")
      let peak = row.method == .process ? ", \(Text.number(peakPerByte(of: other))) × input" : ""
      words.append("(\(rate(other))\(peak))")
    }
    return words.joined(separator: " ")
  }

  /// The header of the Markdown table.
  static let markdownHead = """
    | row | speed | spread | peak memory | compared in the same run |
    |---|---|---|---|---|
    """

  /// The result as a line of the Markdown table.
  var markdown: String {
    var peak = ""
    if row.method == .process {
      peak = "\(Text.number(Double(own.peak) / 1e6)) MB, \(Text.number(peakPerByte)) × input"
    }
    var compared: [String] = []
    if row.method == .program { compared.append("\(Text.number(own.median * 1000)) ms") }
    if let files = input.answers[.calendars], files > 1 {
      compared.append("\(Text.number(Double(files) / own.median)) files/s")
    }
    compared += others.map { name, other in
      "**\(Text.number(times(other))) ×** \(name), \(rate(other))"
    }
    let cells = [
      row.name, rate(own),
      "\(Text.number(own.spread / own.median * 100)) %", peak, compared.joined(separator: "; "),
    ]
    return "| \(cells.joined(separator: " | ")) |"
  }

  /// The result as an element of a JSON array.
  var json: JSON {
    var members: [(String, JSON)] = [
      ("name", .text(row.name)), ("why", .text(row.why)),
    ]
    if let operations = input.operations {
      members.append(("operations", .number(Double(operations))))
      members.append(("millionsPerSecond", .number(Double(operations) / 1e6 / own.median)))
    } else {
      members.append(("bytes", .number(Double(input.byteCount))))
      members.append(("megabytesPerSecond", .number(megabytesPerSecond)))
      members.append(("peakPerByte", .number(peakPerByte)))
    }
    members += [
      ("measurement", own.json),
      (
        "comparisons",
        .array(
          others.map { name, other in
            .object([
              ("with", .text(name)), ("times", .number(times(other))),
              ("measurement", other.json),
            ])
          })
      ),
    ]
    return .object(members)
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
