// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// A part of a file in another format, with what was found in its elements.
struct ConvertedPart: Sendable {
  /// Consecutive components of a calendar, in the format of the output.
  struct Run: Sendable {
    var bytes: [UInt8] = []
    /// The number of components without time zone definitions.
    var count = 0
    var malformedLineCount = 0
  }

  /// A step of the output.
  enum Piece: Sendable {
    case calendarBegan
    case property(Property)
    case components(Run)
    case calendarEnded
  }

  private(set) var pieces: [Piece] = []
  /// The elements, in order, for the checks.
  let examined: [ExaminedElement]

  init(_ part: ConvertedParts.Part, _ encode: CalendarForm.Encoder) {
    var examiner = part.examiner
    examined = part.elements.map { examiner.examine($0) }
    var components: [Component] = []
    for element in part.elements {
      switch element {
      case .component(let component):
        components.append(component)
        continue
      case .diagnostic: continue
      case .calendarBegan, .property, .calendarEnded: break
      }
      addRun(&components) { encode($0, part.file) }
      switch element {
      case .calendarBegan: pieces.append(.calendarBegan)
      case .property(let property): pieces.append(.property(property))
      case .calendarEnded: pieces.append(.calendarEnded)
      case .component, .diagnostic: break
      }
    }
    addRun(&components) { encode($0, part.file) }
  }

  private mutating func addRun(
    _ components: inout [Component], _ encode: ([Component]) -> [UInt8]
  ) {
    guard !components.isEmpty else { return }
    var run = Run(bytes: encode(components))
    for component in components {
      if component.name != .timeZone { run.count += 1 }
      run.malformedLineCount += Self.malformedLineCount(of: component)
    }
    pieces.append(.components(run))
    components = []
  }

  private static func malformedLineCount(of component: Component) -> Int {
    var count = 0
    component.properties.forEach { if !$0.isWellFormed { count += 1 } }
    component.components.forEach { count += malformedLineCount(of: $0) }
    return count
  }
}

/// The parts of a file that is converted.
///
/// It cannot be copied, because two copies would each read half of the file.
struct ConvertedParts: ~Copyable {
  /// The elements of a part, with the state of the stream before them.
  struct Part: Sendable {
    let elements: [ReaderElement]
    let examiner: ElementExaminer
    /// The label of the file.
    let file: String
  }

  private let file: String
  private var reader: CalendarReader
  private var examiner = ElementExaminer()
  /// The time zones of the table; nil for a format with calendars.
  private(set) var zones: TableZones?

  init(of source: FileSource, options: ReadingOptions, zones: TableZones?) throws {
    file = source.label
    reader = try CalendarReader(source, options: options)
    self.zones = zones
    self.zones?.beginCalendar()
  }

  /// The source charset; nil without conversion.
  var charset: FileCharset? { reader.charset }

  mutating func next() throws -> Part? {
    guard var elements = try reader.nextBatch() else { return nil }
    zones?.rename(in: &elements)
    let part = Part(elements: elements, examiner: examiner, file: file)
    for element in elements { examiner.skip(element) }
    return part
  }
}

/// The TZIDs in a table, whose rows come from several calendars.
///
/// A table has no definitions of time zones. A TZID that two calendars define differently has two
/// names in it, so that each row names its own definition (RFC 5545 §3.2.19). A component gets the other
/// name if the definition precedes it, as in nearly all files.
struct TableZones: Sendable {
  private var scope: ZoneScope
  /// The names of TZIDs of the current calendar that differ from the TZIDs.
  private var names: [String: String] = [:]

  init(zones: ZoneResolver) {
    scope = ZoneScope(zones: zones)
  }

  /// Begins another calendar.
  mutating func beginCalendar() { names = [:] }

  /// Renames TZIDs in the next elements of a file.
  mutating func rename(in elements: inout [ReaderElement]) {
    for (place, element) in elements.enumerated() {
      switch element {
      case .calendarBegan, .calendarEnded: beginCalendar()
      case .component(let component) where component.name == .timeZone:
        guard let (tzID, name) = scope.adopt(component), tzID != name else { continue }
        names[tzID] = name
      case .component(let component) where !names.isEmpty:
        elements[place] = .component(component.renamingTimeZones(names))
      case .component, .property, .diagnostic: break
      }
    }
  }
}
