// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import CalendarRemotes
import CalendarStore
import CalendarSync
import ICalSyntax

/// The properties by which a calendar is known in an iCalendar file: its name, colour and
/// description (RFC 7986 §5.1, §5.2, §5.9).
///
/// Each is written in the form of RFC 7986 and in the older form that more programs read. COLOR has
/// only the names of CSS, so that most colours are in the older form alone.
struct CalendarHeading {
  /// The properties of a file that belong to its calendar, and not to a program or a message.
  private static let kept: Set<PropertyName> = [
    .name, .descriptionText, .color, "X-WR-CALNAME", "X-WR-CALDESC", "X-APPLE-CALENDAR-COLOR",
    "X-OUTLOOK-COLOR",
  ]

  /// The properties in the order in which they are written.
  let properties: [Property]

  /// Reads the properties of a calendar: those of a folder, or those of a file as they are.
  ///
  /// - Throws: `EpactError` if a file cannot be read.
  init(of calendar: CalendarLocation) throws {
    properties =
      calendar.isFile
      ? try Self.properties(of: FileSource(path: calendar.path))
      : CalendarHeading(calendar.properties).properties
  }

  /// The kept properties of a file, which are before its components (RFC 5545 §3.4).
  private static func properties(of source: FileSource) throws -> [Property] {
    try source.reporting {
      var reader = try CalendarReader(source, options: ReadingOptions())
      var properties: [Property] = []
      while let element = try reader.next() {
        switch element {
        case .property(let property):
          if kept.contains(property.name) { properties.append(property) }
        case .calendarBegan, .diagnostic: continue
        case .calendarEnded, .component: return properties
        }
      }
      return properties
    }
  }

  /// Creates the properties of a calendar.
  init(_ collection: CollectionProperties) {
    var properties: [Property] = []
    func add(_ property: CollectionProperty, as names: PropertyName...) {
      guard let value = collection[property].flatMap(property.canonical) else { return }
      for name in names { properties.append(Property(name, text: value)) }
    }
    add(.name, as: .name, "X-WR-CALNAME")
    add(.description, as: .descriptionText, "X-WR-CALDESC")
    if let color = collection[.color].flatMap(HexColor.init)?.text {
      if let name = ColorName.name(of: color) {
        properties.append(Property(.color, text: name))
      }
      properties.append(Property("X-APPLE-CALENDAR-COLOR", text: color.uppercased()))
    }
    self.properties = properties
  }
}
