// SPDX-License-Identifier: Apache-2.0

import ICalSyntax
import Testing

/// The tables are data; these tests hold them together.
@Suite("Tables of names")
struct NameTableTests {
  @Test("Every name finds its own row")
  func rows() {
    for row in PropertyTable.rows {
      #expect(PropertyTable.row(for: PropertyName(row.name))?.name == row.name)
    }
    for row in ParameterTable.rows {
      #expect(ParameterTable.row(for: ParameterName(row.name))?.name == row.name)
    }
    for row in ComponentTable.rows {
      #expect(ComponentTable.row(for: row.name)?.name == row.name)
      #expect(ComponentSet(row.name).rawValue.nonzeroBitCount == 1)
    }
    #expect(PropertyTable.row(for: "X-ANYTHING") == nil)
    #expect(ComponentSet("X-ANYTHING").isEmpty)
  }

  @Test("No name has two rows, and the spelling of a name does not matter")
  func names() {
    #expect(Set(PropertyTable.rows.map(\.name)).count == PropertyTable.rows.count)
    #expect(Set(ParameterTable.rows.map(\.name)).count == ParameterTable.rows.count)
    #expect(PropertyTable.row(for: "dtStart") == PropertyTable.row(for: .dtStart))
  }

  @Test("A name with one other letter is another name")
  func otherLetters() {
    for row in PropertyTable.rows {
      for place in row.name.utf8.indices {
        for letter in UInt8(ascii: "A")...UInt8(ascii: "Z") {
          var spelling = Array(row.name.utf8)
          spelling[row.name.utf8.distance(from: row.name.utf8.startIndex, to: place)] = letter
          let name = String(decoding: spelling, as: UTF8.self)
          for spelled in [name, name.lowercased()] {
            let found = PropertyTable.row(for: PropertyName(spelled))?.name
            #expect(found == nil || found == name, "\(spelled)")
          }
        }
      }
    }
  }

  @Test("A type with one other letter is not left out as the usual one")
  func otherTypes() throws {
    let lines =
      "BEGIN:VCALENDAR\r\nTZOFFSETFROM;VALUE=TTC-OFFSET:-0500\r\nEND:VCALENDAR\r\n"
    let component = try #require(try CalendarStream(parsing: Array(lines.utf8)).calendars.first)
    let written = Serializer(form: .canonical).bytes(of: component)
    #expect(String(decoding: written, as: UTF8.self) == lines)
  }

  @Test("Every property stands somewhere, and nowhere in two ways")
  func places() {
    for row in PropertyTable.rows {
      #expect(!row.one.union(row.upToOne).union(row.any).isEmpty, "\(row.name)")
      #expect(row.one.isDisjoint(with: row.upToOne), "\(row.name)")
      #expect(
        row.any == .all || row.any.isDisjoint(with: row.one.union(row.upToOne)), "\(row.name)")
    }
  }

  struct Case: CustomTestStringConvertible {
    let property: PropertyName
    let component: ComponentName
    let occurrence: PropertyTable.Occurrence?
    var testDescription: String { "\(property) in \(component)" }
  }

  static let cases: [Case] = [
    Case(property: .uid, component: .event, occurrence: .one),
    Case(property: .uid, component: .alarm, occurrence: .upToOne),
    Case(property: .dtStart, component: .event, occurrence: .upToOne),
    Case(property: .dtStart, component: .daylight, occurrence: .one),
    Case(property: .dtStart, component: .available, occurrence: .one),
    Case(property: .descriptionText, component: .journal, occurrence: .any),
    Case(property: .descriptionText, component: .reminder, occurrence: .upToOne),
    Case(property: .contact, component: .freeBusy, occurrence: .upToOne),
    Case(property: .contact, component: .event, occurrence: .any),
    Case(property: .due, component: .event, occurrence: nil),
    Case(property: .color, component: .calendar, occurrence: .upToOne),
    Case(property: .participantType, component: .participant, occurrence: .one),
    Case(property: .link, component: .timeZone, occurrence: .any),
  ]

  @Test("How often a property may stand is as the RFCs say", arguments: cases)
  func occurrence(_ item: Case) {
    let row = PropertyTable.row(for: item.property)
    #expect(row?.occurrence(in: ComponentSet(item.component)) == item.occurrence)
  }

  @Test("What a component must have follows from the rows of its properties")
  func required() {
    #expect(ComponentTable.row(for: .event)?.required == [.uid, .dtStamp])
    #expect(ComponentTable.row(for: .calendar)?.required == [.productID, .version])
    #expect(
      ComponentTable.row(for: .standard)?.required == [.dtStart, .tzOffsetFrom, .tzOffsetTo])
    #expect(ComponentTable.row(for: .alarm)?.required == [.action, .trigger])
  }
}
