// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax
import Testing

/// Edits of properties that the content of an item has no field for.
@Suite struct EditedComponentTests {
  typealias Lines = ItemEditorTests

  private static func mark(_ component: inout Component) {
    component["X-MARK"] = Property("X-MARK", rawValue: "1")
  }

  private static func edit(_ item: CalendarItem, _ span: EditSpan) throws -> EditedItem {
    try Lines.editor.edit(
      item, span, { (_: inout Event) in }, component: { mark(&$0) })
  }

  @Test("The component changes, is stamped, and its changed occurrence follows")
  func all() throws {
    let item = try Lines.item(Lines.main, Lines.override)
    let edited = try #require(try Self.edit(item, .all).item)
    let lines = Lines.main(("DTSTAMP", nil)) + Lines.stamps + ["X-MARK:1"]
    let override = Lines.sorted(Lines.override) + Lines.stamps + ["X-MARK:1"]
    #expect(Lines.lines(edited) == [lines.sorted(), override.sorted()])
  }

  @Test("A component without a change leaves the item as it is")
  func nothing() throws {
    let item = try Lines.item(Lines.main)
    let edited = try Lines.editor.edit(
      item, .all, { (_: inout Event) in }, component: { _ in })
    #expect(edited.item?.serialized() == item.serialized())
  }

  @Test("Only the override of an occurrence is marked, or the later part of a split")
  func parts() throws {
    let item = try Lines.item(Lines.main, Lines.override)
    for time in ["20260304T090000", "20260306T090000"] {
      let edited = try #require(try Self.edit(item, .occurrence(Lines.at(time))).item)
      let marked = edited.components.filter { $0["X-MARK"] != nil }
      #expect(marked.map { $0[.recurrenceID]?.rawValue } == [time])
    }
    let split = try Self.edit(item, .future(from: Lines.at("20260304T090000")))
    #expect(split.item?.components.allSatisfy { $0["X-MARK"] == nil } == true)
    #expect(split.successor?.main?["X-MARK"] != nil)
    // The changed occurrences follow, because they had the same values in this property.
    #expect(split.successor?.overrides.allSatisfy { $0["X-MARK"] != nil } == true)
  }
}
