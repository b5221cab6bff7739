// SPDX-License-Identifier: Apache-2.0

import BenchmarkFiles
import ICalSyntax

/// Reads a file into memory, builds the component tree, parses all values, and keeps the tree.
struct Whole: Workload {
  private let input: String
  private var stream: CalendarStream?
  private var tally = ValueTally()

  init(input: String) {
    self.input = input
  }

  mutating func run() throws {
    stream = nil
    tally = ValueTally()
    let stream = try CalendarStream(parsing: try System.contents(of: input))
    for calendar in stream.calendars { try tally.add(calendar) }
    self.stream = stream
  }

  var answers: Answers { tally.answers }
}

/// Reads a file in chunks and processes each component as soon as it has ended.
struct Stream: Workload {
  private static let chunkSize = 1 << 15

  private let input: String
  private var tally = ComponentTally()

  init(input: String) {
    self.input = input
  }

  mutating func run() throws {
    tally = ComponentTally()
    let file = try InputFile(input)
    var chunk = [UInt8](repeating: 0, count: Self.chunkSize)
    var reader = ComponentReader()
    while case let count = try file.read(into: &chunk), count > 0 {
      try reader.consume(chunk.span.extracting(0..<count))
      while let element = reader.next() { try tally.add(element) }
    }
    try reader.finish()
    while let element = reader.next() { try tally.add(element) }
  }

  var answers: Answers { tally.answers }
}

/// Reads each file of a folder, builds its component tree and parses all values.
struct Files: Workload {
  private let folder: String
  private var tally = ValueTally()

  init(input: String) {
    folder = input
  }

  mutating func run() throws {
    tally = ValueTally()
    var number = 0
    while let file = InputFile(ifPresent: "\(folder)/\(number).ics") {
      let stream = try CalendarStream(parsing: try file.contents())
      for calendar in stream.calendars { try tally.add(calendar) }
      number += 1
    }
  }

  var answers: Answers { tally.answers }
}
