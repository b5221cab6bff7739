// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// Writes jCal (RFC 7265): a single calendar as such, several ones in an array.
///
/// The properties of a calendar come first in jCal, and anywhere in iCalendar. With an outline of
/// the calendars everything is written at once. Without one a calendar is buffered until it is
/// complete, and the first one until it is known whether it is the only one.
struct JCalDocumentWriter: CalendarWriter {
  let keepsMalformedLines = false
  private let writer = JCalWriter()
  private let outline: JCalOutline?
  private var properties: [UInt8] = []
  private var components: [UInt8] = []
  /// Whether a component of the calendar was written.
  private var hasComponents = false
  /// The number of properties after the first component that the calendar had so far.
  private var lateCount = 0
  /// The number of calendars that have begun, and of those that are complete.
  private var begunCount = 0
  private var count = 0
  /// The first calendar, as long as it may be the only one.
  private var first: [UInt8]?
  private var bytes: [UInt8] = []
  private(set) var isConsistent = true

  /// Creates a writer.
  ///
  /// - Parameter outline: What is known of the calendars that follow; nil to buffer them.
  init(_ outline: JCalOutline?) {
    self.outline = outline
  }

  mutating func begin() {
    properties = []
    components = []
    hasComponents = false
    lateCount = 0
    begunCount += 1
    guard let outline else { return }
    if begunCount == 1, outline.count > 1 { bytes += "[".utf8 }
    if begunCount > 1 { bytes += ",\n".utf8 }
  }

  mutating func write(_ property: Property) {
    guard property.isWellFormed else { return }
    if outline != nil, hasComponents {
      // It was written with the others.
      lateCount += 1
      return
    }
    if !properties.isEmpty { properties.append(UInt8(ascii: ",")) }
    writer.write(property, to: &properties)
  }

  mutating func write(encoded components: [UInt8]) {
    guard !components.isEmpty else { return }
    if outline != nil {
      if hasComponents { bytes += ",\n".utf8 } else { writeProperties() }
      bytes.append(moving: components)
    } else {
      if hasComponents { self.components += ",\n".utf8 }
      self.components.append(moving: components)
    }
    hasComponents = true
  }

  mutating func end() {
    count += 1
    guard outline == nil else {
      if !hasComponents { writeProperties() }
      bytes += "]]".utf8
      if lateCount != outline?.late[begunCount]?.count ?? 0 { isConsistent = false }
      return
    }
    var calendar = Array("[\"vcalendar\",[".utf8)
    calendar += properties
    calendar += "],[\n".utf8
    calendar += components
    calendar += "]]".utf8
    guard count > 1 else {
      first = calendar
      return
    }
    if let first { bytes += "[".utf8 + first }
    first = nil
    bytes += ",\n".utf8
    bytes += calendar
  }

  /// Writes all properties of the calendar, with those that come later.
  private mutating func writeProperties() {
    bytes += "[\"vcalendar\",[".utf8
    bytes += properties
    if let late = outline?.late[begunCount], late.count > 0 {
      if !properties.isEmpty { bytes.append(UInt8(ascii: ",")) }
      bytes += late.bytes
    }
    bytes += "],[\n".utf8
  }

  mutating func finish() {
    if let first { bytes += first }
    first = nil
    if count > 1 { bytes += "]".utf8 }
    if count > 0 { bytes += "\n".utf8 }
    if let outline, outline.count != count { isConsistent = false }
  }

  mutating func takeBytes() -> [UInt8] { bytes.takeAll() }
}

/// The facts about calendars that jCal needs before the first of them is written.
struct JCalOutline: Sendable {
  /// The properties of a calendar after its first component.
  struct LateProperties: Sendable {
    fileprivate(set) var count = 0
    /// The properties as jCal, with commas between them.
    fileprivate(set) var bytes: [UInt8] = []
  }

  /// The total size of files from which on they are read twice instead of buffered, in bytes.
  private static let sizeLimit = 4 << 20

  /// The number of calendars.
  private(set) var count = 0
  /// The properties after the first component, by the number of their calendar, from 1.
  private(set) var late: [Int: LateProperties] = [:]
  private var isOpen = false
  private var hasComponents = false

  /// Reads files, or returns nil for files that are small or cannot be read twice.
  ///
  /// - Throws: `CancellationError`; files that cannot be read are skipped.
  init?(of sources: [FileSource], options: ReadingOptions) throws {
    var size = 0
    for source in sources {
      guard case .file = source else { return nil }
      // A file that cannot be opened is reported when it is converted.
      guard let facts = try? source.open().facts() else { continue }
      guard facts.isRegular else { return nil }
      size += facts.size
    }
    guard size > Self.sizeLimit else { return nil }
    for source in sources {
      _ = try source.unreadable {
        var reader = try CalendarReader(source, options: options)
        while let element = try reader.next() { take(element) }
      }
      isOpen = false
    }
  }

  private mutating func take(_ element: ReaderElement) {
    switch element {
    case .calendarBegan: begin()
    case .property(let property):
      guard isOpen, hasComponents, property.isWellFormed else { return }
      var properties = late[count] ?? LateProperties()
      if properties.count > 0 { properties.bytes.append(UInt8(ascii: ",")) }
      late[count] = nil
      JCalWriter().write(property, to: &properties.bytes)
      properties.count += 1
      late[count] = properties
    case .component:
      // A component outside of a calendar gets a calendar of its own.
      if !isOpen { begin() }
      hasComponents = true
    case .calendarEnded: isOpen = false
    case .diagnostic: break
    }
  }

  private mutating func begin() {
    count += 1
    isOpen = true
    hasComponents = false
  }
}
