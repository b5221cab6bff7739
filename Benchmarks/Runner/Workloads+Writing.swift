// SPDX-License-Identifier: Apache-2.0

import BenchmarkFiles
import ICalSyntax

/// Writes components that were created in memory: every line is assembled and folded.
///
/// The files are folded like the serializer's output, so the result must equal the file.
struct Made: Workload {
  private let calendars: [Component]
  private var written: [UInt8] = []

  init(input: String) throws {
    let stream = try CalendarStream(parsing: try System.contents(of: input))
    calendars = stream.calendars.map(Self.madeInMemory)
  }

  mutating func run() {
    written.removeAll(keepingCapacity: true)
    for calendar in calendars { Serializer().write(calendar, to: &written) }
  }

  var answers: Answers { Answers(ofBytes: written) }

  /// A copy of a component without references to its source lines.
  private static func madeInMemory(_ component: Component) -> Component {
    Component(
      component.name,
      properties: component.properties.map {
        Property($0.name, rawValue: $0.rawValue, parameters: $0.parameters)
      }, components: component.components.map(madeInMemory))
  }
}

/// Writes parsed components in canonical form.
struct Canonical: Workload {
  private let calendars: [Component]
  private var written: [UInt8] = []

  init(input: String) throws {
    calendars = try CalendarStream(parsing: try System.contents(of: input)).calendars
  }

  mutating func run() {
    written.removeAll(keepingCapacity: true)
    let serializer = Serializer(form: .canonical)
    for calendar in calendars { serializer.write(calendar, to: &written) }
  }

  var answers: Answers {
    let answers = Answers(ofBytes: written)
    return [
      .canonicalBytes: answers[.bytes, default: 0],
      .canonicalByteSum: answers[.byteSum, default: 0],
    ]
  }
}

/// Writes parsed, unmodified components.
struct Untouched: Workload {
  private let calendars: [Component]
  private var written: [UInt8] = []

  init(input: String) throws {
    calendars = try CalendarStream(parsing: try System.contents(of: input)).calendars
  }

  mutating func run() {
    written.removeAll(keepingCapacity: true)
    for calendar in calendars { Serializer().write(calendar, to: &written) }
  }

  var answers: Answers { Answers(ofBytes: written) }
}
