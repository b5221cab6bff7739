// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import Dispatch
import Epact
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

/// New processes find by the index on disk what they would find by reading all files.
@Suite(.timeLimit(.minutes(60))) struct LibraryIndexTests {
  private let scene: LibraryScene
  private let folder: String
  private let calendar: CalendarInfo
  private let indexPath: String

  init() throws {
    scene = try LibraryScene()
    folder = scene.folder.path(of: "calendars/private")
    calendar = try scene.calendar("private")
    indexPath = ".cache/epact/\(calendar.id).index"
  }

  private struct Different: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
      self.description = description
    }
  }

  // MARK: Answers

  /// A library as a new process has it, with the index on disk or without any.
  private func newLibrary(withIndex: Bool = true) -> CalendarLibrary {
    var machine = scene.machine
    if !withIndex { machine.environment["XDG_CACHE_HOME"] = "/dev/null" }
    return CalendarLibrary(machine: machine)
  }

  /// A range of days after the start of 2026.
  private static func range(_ days: Range<Int64>) -> Range<Instant> {
    let start = IndexedItem.start
    return Instant(
      secondsSinceEpoch: start + days.lowerBound * 86_400)..<Instant(
        secondsSinceEpoch: start + days.upperBound * 86_400)
  }

  private static func text(_ entry: LocalEntry) -> String {
    "\(entry.name) \(entry.item.uid) \(entry.revision.rawValue) \(entry.item.title)"
  }

  /// The answers of a library to queries of all kinds; the first one reads the index.
  private func answers(_ library: CalendarLibrary, _ start: Int64) throws -> [String] {
    var lines: [String] = []
    for days in [start..<start + 31, start + 200..<start + 201, 4000..<4001, -900..<9000] {
      lines.append("days \(days)")
      lines += try library.entries(of: calendar, in: Self.range(days)).map(Self.text)
      let kinds: Set<ItemKind> = [.reminder]
      lines.append("reminders")
      lines += try library.entries(of: calendar, in: Self.range(days), kinds: kinds).map(Self.text)
    }
    for number in stride(from: 0, to: 60, by: 7) {
      let entry = try library.entry(UID("item-\(number)"), of: calendar)
      lines.append("\(number): \(entry.map(Self.text) ?? "none")")
    }
    lines += try library.entries(of: calendar, kinds: [.reminder]).map(Self.text).sorted()
    let contents = try library.contents(of: calendar)
    lines += contents.entries.values.map(Self.text).sorted()
    lines += contents.unreadable.map { "\($0.name): \($0.reason)" }
    return lines
  }

  /// What views show, and which items names find.
  private func views(withIndex: Bool, _ start: Int64) throws -> [String] {
    var lines: [String] = []
    let library = newLibrary(withIndex: withIndex)
    let viewer = try scene.machine.viewerZone("Asia/Tokyo")
    var machine = scene.machine
    if !withIndex { machine.environment["XDG_CACHE_HOME"] = "/dev/null" }
    let indexed: Set<String> = withIndex ? [calendar.location.path] : []
    for collectsOverdue in [false, true] {
      let days = collectsOverdue ? start + 200..<start + 201 : start..<start + 7
      var request = ViewRequest([calendar.location], in: Self.range(days), viewer: viewer)
      (request.indexedPaths, request.collectsOverdue) = (indexed, collectsOverdue)
      request.reminders = collectsOverdue ? .due : .span
      let view = try OccurrenceView(request, machine: machine) { event in
        if event.isFailure { lines.append("\(event)") }
      }
      lines += view.occurrences().prefix(1000).map { "\($0.uid) \($0.interval) \($0.title)" }
      lines += view.overdue().map { "overdue \($0.uid) \($0.interval)" }
      lines.append("\(view.outcome)")
    }
    let phrases = try DatePhrases(machine: machine, zone: viewer)
    // Each call tries a few of the queries and names.
    for number in 0..<3 {
      let text = Self.queries[abs(Int(start) + number) % Self.queries.count]
      let query = try ItemQuery(parsing: text, phrases: phrases)
      let search = try ItemSearch(
        QueryMatcher(query, machine: machine, viewer: viewer), in: [calendar.location],
        indexedPaths: indexed, machine: machine
      ) { event in if event.isFailure { lines.append("\(event)") } }
      lines.append("\(text): \(search.outcome)")
      lines += search.matches.map { "\($0.uid) \($0.component[.summary]?.text ?? "")" }.sorted()
    }
    let finder = try ItemFinder(LibraryEditor(library, viewer: viewer))
    let numbers = (0..<6).map { abs(Int(start) + 10 * $0) % 60 }
    for name in numbers.map({ "changed \($0)" }) + ["item 7", "item-1"] {
      let found = (try? finder.items(name)) ?? []
      lines.append("\(name): \(found.map { "\(Self.text($0.entry)) \($0.title)" })")
    }
    return lines
  }

  private func expectSame(_ start: Int64, _ history: [String]) throws {
    let wanted = try answers(newLibrary(withIndex: false), start) + views(withIndex: false, start)
    // A view writes the index, too.
    let first = try views(withIndex: true, start)
    let found = try answers(newLibrary(), start) + first
    guard found != wanted else { return }
    let lines = found.difference(from: wanted)
    throw Different("\(history.suffix(3)): \(lines)")
  }

  /// Items that are not in ``IndexedItem``: of several components, without a time, with RSCALE.
  private static let others = [
    "rscale": "DTSTART:20260217\nRRULE:RSCALE=CHINESE;FREQ=YEARLY;COUNT=30",
    "rdate": "DTSTART:20260101T120000Z\nRDATE;VALUE=PERIOD:20300101T000000Z/P40D",
    "floating": "DTSTART:20260301T000000\nRRULE:FREQ=MONTHLY",
    "far": "DTSTART:99991231T235959Z", "odd": "DTSTART:yesterday",
    "umlaut": "DTSTART:20260301\nSUMMARY:Übung\\, item 7",
    "folded": "DTSTART:20260301\nSUMMARY:Ite\n m 7",
    "place": "DTSTART:20260301\nLOCATION:Room\\nitem\\;7",
    "escaped": "DTSTART:20260301\nSUMMARY:It\\em 7",
    "control": "DTSTART:20260301\nSUMMARY:It\u{1}em 7",
    "encoded": "DTSTART:20260301\nSUMMARY;ENCODING=QUOTED-PRINTABLE:=49tem",
  ]

  private static let queries = [
    "item", "ITEM 7", "changed and 5", "title~'item 7'", "title:'Item 7'", "not item",
    "item or ubung", "ubung", "übung", "location~room", "tem", "recurring:yes and item",
    "description~item", "(changed or room) 7", "item start>=2026-06-01",
  ]

  private func writeItems(_ count: Int, _ random: inout SeededGenerator) throws {
    for number in 0..<count {
      try scene.write(
        IndexedItem.random(number, &random), to: "calendars/private/\(number).ics")
    }
    for (name, lines) in Self.others {
      let text =
        "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//Example//EN\nBEGIN:VEVENT\nUID:\(name)\n"
        + "DTSTAMP:20260101T000000Z\n\(lines)\nEND:VEVENT\nEND:VCALENDAR\n"
      try scene.folder.write(
        text.replacing("\n", with: "\r\n").utf8, to: "calendars/private/\(name).ics")
    }
    try scene.folder.write([], to: "calendars/private/empty.ics")
    try scene.folder.write("BEGIN:VCALENDAR".utf8, to: "calendars/private/cut.ics")
  }

  /// A change by another program, which leaves as few traces as possible.
  private static func command(_ random: inout SeededGenerator) -> String {
    let (name, second) = (
      Int.random(in: 0..<50, using: &random), Int.random(in: 0..<60, using: &random)
    )
    return switch Int.random(in: 0..<12, using: &random) {
    // An edit that keeps the size and the time of the last change.
    case 0:
      "touch -r \(name).ics .t; sed 's/DTSTART:2026/DTSTART:2028/' \(name).ics > .n; "
        + "cat .n > \(name).ics; touch -r .t \(name).ics"
    case 1:
      "sed 's/item-/Item-/' \(name).ics > .n; cat .n > \(name).ics; "
        + "touch -d @1700000000 \(name).ics"
    case 2: "mv \(name).ics \(second).ics"
    case 3: "rm \(name).ics"
    case 4: "cp \(name).ics 0\(second).ics"
    case 5: "cp -p \(name).ics \(second).ics; touch -d @1600000000 \(second).ics"
    case 6: "truncate -s 60 \(name).ics"
    case 7: "touch -r \(second).ics .t; cat \(name).ics > \(second).ics; touch -r .t \(second).ics"
    case 8: "mv \(name).ics .x; mv \(second).ics \(name).ics; mv .x \(second).ics"
    case 9: "rm -f \(name).ics; ln -s \(second).ics \(name).ics"
    case 10: "rm -f \(name).ics; mkdir \(name).ics"
    default: "cd ..; cp -a private p; rm -r private; mv p private; cd private"
    }
  }

  @Test("Answers with an index are those without, after every kind of change")
  func randomChanges() throws {
    let other = try OtherProcess(in: folder)
    forAll(1) { random in
      try other.run("rm -rf ./* .[a-z]* ../../.cache")
      try writeItems(100, &random)
      var history: [String] = []
      for _ in 0..<15 {
        let start = Int64.random(in: -30..<800, using: &random)
        // The first answers write the index, and the second ones use it.
        for _ in 0..<2 { try expectSame(start, history) }
        guard scene.exists(indexPath) else { throw Different("no index was written") }
        // The clock of file systems may advance only every few milliseconds.
        usleep(20_000)
        for _ in 0..<Int.random(in: 1..<4, using: &random) {
          let command = Self.command(&random)
          history.append(command)
          try other.run(command)
        }
      }
    }
  }

  // MARK: Reading

  /// Writes an event for each of a hundred days, and waits until an index has them.
  private func writeDays() throws {
    for number in 0..<100 {
      let instant = Instant(secondsSinceEpoch: IndexedItem.start + Int64(number) * 86_400)
      let date = try #require(instant.civil()).date
      let text = TestItem.text(uid: "day-\(number)", kind: number % 10 == 0 ? .reminder : .event)
        .replacing("20260301T120000Z", with: "\(date)T120000Z")
      try scene.folder.write(text.utf8, to: "calendars/private/\(number).ics")
    }
    _ = try newLibrary().entries(of: calendar, in: Self.range(0..<1))
    try #require(scene.exists(indexPath))
  }

  @Test("A new process reads only the files of the items that it asks for")
  func fewFiles() async throws {
    try writeDays()
    let opened = try await OpenedFiles(in: folder)
    let library = newLibrary()
    let found = try library.entries(of: calendar, in: Self.range(50..<51))
    #expect(opened.names() == found.map(\.name).sorted())
    #expect(found.contains { $0.name == "50.ics" } && found.count < 12)
    #expect(try library.entries(of: calendar, in: Self.range(50..<51)).count == found.count)
    #expect(opened.names() == [])
    let last = try newLibrary().entries(of: calendar) { $0.rawValue.hasSuffix("9") }
    #expect(opened.names() == last.map(\.name).sorted() && last.count == 10)
    #expect(try library.entry("day-20", of: calendar)?.name == "20.ics")
    #expect(opened.names() == ["20.ics"])
    #expect(try newLibrary().entries(of: calendar, kinds: [.reminder]).count == 10)
    #expect(opened.names().allSatisfy { $0.hasSuffix("0.ics") })
    #expect(try library.contents(of: calendar).entries.count == 100)
    #expect(opened.names().count == 100 - found.count - 1)
    #expect(try newLibrary().contents(of: calendar).entries.count == 100)
  }

  @Test("Nothing is written to the cache if the configuration switches it off")
  func withoutCache() throws {
    let scene = try LibraryScene("cache = false\n" + LibraryScene.configuration)
    for number in 0..<100 {
      try scene.write(TestItem.make(uid: "\(number)"), to: "calendars/private/\(number).ics")
    }
    let calendar = try scene.calendar("private")
    #expect(try scene.library.entries(of: calendar, kinds: [.event]).count == 100)
    #expect(!scene.exists(".cache/epact"))
    #expect(try ConfigurationFile(machine: scene.machine).load().indexedPaths == [])
  }

  @Test("A view reads only the files that it needs, and only of a calendar that has an index")
  func views() async throws {
    try writeDays()
    let opened = try await OpenedFiles(in: folder)
    let viewer = try scene.machine.viewerZone("UTC")
    var request = ViewRequest([calendar.location], in: Self.range(50..<51), viewer: viewer)
    _ = try OccurrenceView(request, machine: scene.machine) { _ in }
    #expect(opened.names().count == 100)
    request.indexedPaths = [calendar.location.path]
    let view = try OccurrenceView(request, machine: scene.machine) { _ in }
    #expect(view.outcome == .complete && view.occurrences().map(\.uid.rawValue) == ["day-50"])
    let names = opened.names()
    #expect(names.contains("50.ics") && names.count < 12)
  }

  @Test("The watch lists a folder, and the first query after it does not")
  func survey() async throws {
    try writeDays()
    let opened = try await OpenedFiles(in: folder)
    let library = newLibrary()
    let watch = try library.watch {}
    _ = opened.names()
    #expect(opened.isListed)
    let found = try library.entries(of: calendar, in: Self.range(50..<51))
    #expect(opened.names() == found.map(\.name).sorted())
    #expect(!opened.isListed)
    watch.cancel()
  }

  @Test("A damaged index and one of an older version are ignored and replaced")
  func damage() async throws {
    try writeDays()
    let bytes = try scene.folder.bytes(of: indexPath)
    let wanted = try answers(newLibrary(withIndex: false), 50)
    let opened = try await OpenedFiles(in: folder)
    var others: [[UInt8]] = stride(from: 0, to: bytes.count, by: bytes.count / 40).map { length in
      Array(bytes.prefix(length))
    }
    for place in stride(from: 1, to: bytes.count, by: bytes.count / 40) {
      var changed = bytes
      changed[place] ^= 0x10
      others.append(changed)
    }
    others.append(Array("epact index 0".utf8) + bytes.dropFirst(13))
    others.append(bytes + bytes)
    for other in others {
      try scene.folder.write(other, to: indexPath)
      _ = opened.names()
      let library = newLibrary()
      _ = try library.entries(of: calendar, in: Self.range(50..<51))
      // All files are read. A slow machine opens some of them again.
      #expect(Set(opened.names()).count == 100)
      #expect(try scene.folder.bytes(of: indexPath) == bytes)
      try scene.folder.write(other, to: indexPath)
      #expect(try answers(newLibrary(), 50) == wanted)
    }
  }

  @Test("A file that was read just after its change is read again by the next process")
  func racyFile() async throws {
    try writeDays()
    let opened = try await OpenedFiles(in: folder)
    try FileManager.default.removeItem(atPath: scene.folder.path(of: indexPath))
    // No file had been changed two seconds before its reading: the time of the change is later.
    var recent = scene.machine
    let now = Machine.live().now
    recent.now = { now().adding(seconds: -3600) ?? now() }
    let (first, second) = (CalendarLibrary(machine: recent), CalendarLibrary(machine: recent))
    #expect(try first.entry("day-50", of: calendar)?.item.title == "Lunch")
    #expect(!scene.exists(indexPath))
    try scene.folder.write(
      TestItem.text(uid: "day-50", summary: "Snack").utf8, to: "calendars/private/50.ics")
    _ = opened.names()
    #expect(try second.entry("day-50", of: calendar)?.item.title == "Snack")
    #expect(opened.names().count == 100)
    // The next process that can be certain writes the index.
    #expect(try newLibrary().entry("day-50", of: calendar)?.item.title == "Snack")
    #expect(scene.exists(indexPath))
  }

  @Test("Two processes that write the index at once leave a valid one")
  func concurrentWriting() throws {
    try writeDays()
    let wanted = try scene.folder.bytes(of: indexPath)
    let expected = try newLibrary().entries(of: calendar, in: Self.range(50..<51)).count
    for _ in 0..<10 {
      try FileManager.default.removeItem(atPath: scene.folder.path(of: indexPath))
      // Each has looked for the index before another one writes it.
      let libraries = (0..<4).map { _ in newLibrary() }
      let watches = try libraries.map { try $0.watch {} }
      let counts = Mutex<[Int?]>([])
      DispatchQueue.concurrentPerform(iterations: libraries.count) { number in
        let found = try? libraries[number].entries(of: calendar, in: Self.range(50..<51))
        counts.withLock { $0.append(found?.count) }
      }
      for watch in watches { watch.cancel() }
      #expect(counts.withLock { $0.count == 4 && Set($0) == [expected] })
      #expect(try scene.folder.bytes(of: indexPath) == wanted)
    }
    let names = try FileManager.default.contentsOfDirectory(
      atPath: scene.folder.path(of: ".cache/epact"))
    #expect(names.count == 1)
  }

  @Test("Indexes that were not written for half a year are removed with the next one")
  func oldIndexes() throws {
    try scene.folder.makeFolder(".cache/epact")
    let month: Int64 = 30 * 86_400
    for (name, age) in [("gone.index", 7 * month), ("kept.index", 5 * month), ("other", 7 * month)]
    {
      try scene.folder.write("old".utf8, to: ".cache/epact/" + name)
      let date = Date(timeIntervalSinceNow: -Double(age))
      try FileManager.default.setAttributes(
        [.modificationDate: date], ofItemAtPath: scene.folder.path(of: ".cache/epact/" + name))
    }
    try writeDays()
    #expect(!scene.exists(".cache/epact/gone.index"))
    #expect(scene.exists(".cache/epact/kept.index") && scene.exists(".cache/epact/other"))
  }

  @Test("Without a place for it there is no index, and small calendars have none")
  func noIndex() throws {
    _ = try newLibrary(withIndex: false).entries(of: calendar, in: Self.range(0..<1))
    for number in 0..<20 {
      try scene.write(TestItem.make(uid: "\(number)"), to: "calendars/private/\(number).ics")
    }
    try scene.folder.write("a file".utf8, to: ".cache")
    #expect(try newLibrary().entries(of: calendar, kinds: [.event]).count == 20)
    try FileManager.default.removeItem(atPath: scene.folder.path(of: ".cache"))
    #expect(try newLibrary().entries(of: calendar, kinds: [.event]).count == 20)
    #expect(!scene.exists(".cache"))
    try scene.folder.write("a file".utf8, to: ".cache")
    for number in 20..<60 {
      try scene.write(TestItem.make(uid: "\(number)"), to: "calendars/private/\(number).ics")
    }
    #expect(try newLibrary().entries(of: calendar, kinds: [.event]).count == 60)
  }
}
