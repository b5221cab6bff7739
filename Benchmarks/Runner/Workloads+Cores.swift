// SPDX-License-Identifier: Apache-2.0

import BenchmarkFiles
import ICalSyntax

/// Builds the component tree on one core, measured in elapsed time.
struct OneCore: Workload {
  static let clock = System.Clock.wall

  private let bytes: [UInt8]
  private var events = 0

  init(input: String) throws {
    bytes = try System.contents(of: input)
  }

  mutating func run() throws {
    events = try CalendarStream(parsing: bytes).eventCount
  }

  var answers: Answers { [.events: events] }
}

/// Builds the same tree on two cores, measured in elapsed time.
struct TwoCores: Workload {
  static let clock = System.Clock.wall

  private let bytes: [UInt8]
  private var events = 0

  init(input: String) throws {
    bytes = try System.contents(of: input)
  }

  mutating func run() async throws {
    events = try await CalendarStream(parsing: bytes, inParallel: 2).eventCount
  }

  var answers: Answers { [.events: events] }
}

extension CalendarStream {
  /// The number of events; nothing else is accessed, so that mostly the parsing is measured.
  fileprivate var eventCount: Int {
    let event = ComponentName.event
    return calendars.reduce(0) { count, calendar in
      count + calendar.components.count { $0.name == event }
    }
  }
}
