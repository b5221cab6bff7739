// SPDX-License-Identifier: Apache-2.0

import BenchmarkFiles
import ICalSyntax

/// Writes components that were made in memory: every line is put together and folded anew.
///
/// The files are folded as the serializer folds, so what it writes must be the bytes of the file.
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

  /// A component that says the same and knows nothing of the lines that it was read from.
  private static func madeInMemory(_ component: Component) -> Component {
    Component(
      component.name,
      properties: component.properties.map {
        Property($0.name, rawValue: $0.rawValue, parameters: $0.parameters)
      }, components: component.components.map(madeInMemory))
  }
}

/// Writes components that were read in their canonical form.
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

/// Writes components back that were read and not touched.
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
