// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Recurrence
import TestSupport
import Testing

/// The examples of the documentation, each between two marks: they compile, and do what is said.
@Suite("Examples of the documentation")
struct DocumentationExamples {
  @Test("Every example of an article is here, and the landing page leads to every article")
  func articles() throws {
    let catalogue = CatalogueExamples(of: "Recurrence", in: #filePath)
    try catalogue.check()
    try catalogue.checkLinks()
  }

  @Test("The landing page")
  func landing() throws {
    // example: Recurrence
    let rule = try RecurrenceRule(parsing: "FREQ=MONTHLY;BYDAY=-1FR;COUNT=10")
    let expansion = try Expansion(of: rule, from: try CivilDateTime(parsing: "19971128T090000"))
    let first = Array(expansion.prefix(2))  // 19971128T090000, 19971226T090000
    let june = try CivilDateTime(parsing: "19980601T000000")
    let next = expansion.first(from: june)  // 19980626T090000
    // end
    #expect(first.map(\.description) == ["19971128T090000", "19971226T090000"])
    #expect(next?.description == "19980626T090000")
  }

  @Test("A rule, and a series in a time zone")
  func expanding() throws {
    let database = ZoneDatabase(folders: ZoneDatabase.systemFolders)
    let berlin = try database.rules(named: "Europe/Berlin")
    var printed: [String] = []
    func print(_ time: CivilDateTime) { printed.append("\(time)") }
    // example: ExpandingARule
    let rule = try RecurrenceRule(parsing: "FREQ=WEEKLY;BYDAY=MO,WE")
    let start = try CivilDateTime(parsing: "20261130T090000")
    let expansion = try Expansion(of: rule, from: start)
    let first = Array(expansion.prefix(3))  // 20261130T090000, 20261202T090000, 20261207T090000
    // end
    #expect(first.map(\.description) == ["20261130T090000", "20261202T090000", "20261207T090000"])
    // example: ExpandingARule
    let year3000 = try CivilDateTime(parsing: "30000101T000000")
    let far = expansion.first(from: year3000)  // 30000101T090000
    // end
    #expect(far?.description == "30000101T090000")
    // example: ExpandingARule
    var set = RecurrenceSet(start: start, clock: .zone(berlin))
    set.rules = [rule]
    set.excludedDates = [.date(try CivilDate(parsing: "20261202"))]
    set.dates = [.local(try CivilDateTime(parsing: "20261204T150000"))]
    let instances = try set.instances()
    for instance in instances.prefix(3) { print(instance.local) }
    // end
    #expect(printed == ["20261130T090000", "20261204T150000", "20261207T090000"])
    // example: ExpandingARule
    let january = try CivilDateTime(parsing: "20270101T000000")
    let next = instances.starting(at: january).first { _ in true }  // at 20270104T090000
    // end
    #expect(next?.local.description == "20270104T090000")
  }
}
