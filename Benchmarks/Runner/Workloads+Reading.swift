// SPDX-License-Identifier: Apache-2.0

import BenchmarkFiles
import ICalSyntax

/// Unfolds and splits every line, by the lowest way in that is public.
struct Tokens: Workload {
  private let bytes: [UInt8]
  private var tally = ComponentTally()

  init(input: String) throws {
    bytes = try System.contents(of: input)
  }

  mutating func run() throws {
    tally = ComponentTally()
    var reader = ComponentReader()
    try reader.consume(bytes.span)
    try reader.finish()
    while let element = reader.next() { try tally.add(element) }
  }

  var answers: Answers { tally.answers }
}

/// Builds the tree of components and reads no value.
struct Tree: Workload {
  private let bytes: [UInt8]
  private var tally = ComponentTally()

  init(input: String) throws {
    bytes = try System.contents(of: input)
  }

  mutating func run() throws {
    tally = ComponentTally()
    let stream = try CalendarStream(parsing: bytes)
    for calendar in stream.calendars { tally.add(calendar) }
  }

  var answers: Answers { tally.answers }
}

/// Builds the tree of components and reads every value as its type.
struct Typed: Workload {
  private let bytes: [UInt8]
  private var tally = ValueTally()

  init(input: String) throws {
    bytes = try System.contents(of: input)
  }

  mutating func run() throws {
    tally = ValueTally()
    let stream = try CalendarStream(parsing: bytes)
    for calendar in stream.calendars { try tally.add(calendar) }
  }

  var answers: Answers { tally.answers }
}

/// Makes every item of the file an `Event`, a `Reminder` or a `Journal`.
struct Model: Workload {
  private let bytes: [UInt8]
  private var tally = ModelTally()

  init(input: String) throws {
    bytes = try System.contents(of: input)
  }

  mutating func run() throws {
    tally = ModelTally()
    for calendar in try CalendarStream(parsing: bytes).calendars {
      for component in calendar.components { tally.add(component) }
    }
  }

  var answers: Answers { tally.answers }
}
