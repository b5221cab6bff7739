// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import TestSupport
import Testing

@testable import Epact

/// One random history of a mirror: people edit its calendars and its copies while runs fail, lose answers and are
/// killed.
///
/// After each run without a fault, each item that is shown is there exactly once, as the documentation says, and
/// another run does nothing. No run changes the shown calendars or an item that the mirror did not make. No hidden
/// text is in the copies. Each edit of a copy is there or in the journal.
struct MirrorHistory {
  private static let name = "family"
  private static let itemCount = 9
  private static let machine = Machine.live()
  private static let key = ProjectionKey(Array(repeating: 7, count: 32))

  private let seed: UInt64
  private var random: SeededGenerator
  private let faults = FaultPlan()
  private let calendars: [(name: String, items: MemoryLocalCalendar)]
  private let target: MemoryLocalCalendar
  private let ledger: MemoryLedger
  private let onEdit: MirrorSettings.OnEdit
  private var settings = ProjectionSettings()
  private var projector: ItemProjector
  private var now: Int64 = 1_798_761_600
  private var steps: [String] = []
  private var counter = 0

  /// What the authors have in each calendar.
  private var drafts: [[Int: MirroredItem]]
  /// The bytes of the items that the mirror did not make, by their names.
  private var foreign: [String: [UInt8]] = [:]
  /// The copies that were edited or deleted under `release`, as they were left; nil for deleted ones.
  private var released: [Int: [UInt8]?] = [:]
  /// The items whose deleted copies a run that was cut off may have forgotten.
  private var uncertain: Set<Int> = []
  /// The items that were hidden while their copies were edited or deleted.
  private var forgotten: Set<Int> = []
  /// The items whose copies an undo changed under `release`.
  private var undone: Set<Int> = []
  /// The UIDs of the copies that were seen.
  private var copies: [Int: String] = [:]
  /// The edits of copies that are there or in the journal.
  private var owed: Set<String> = []
  /// Whether the last run came to its end, so that the ledger knows all copies.
  private var isSettled = false
  /// The number of runs that ended by a fault.
  private(set) var faulted = 0

  init(seed: UInt64) throws {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    let faults = faults
    calendars = ["a", "b", "c"].prefix(seed.isMultiple(of: 3) ? 2 : 3).map { name in
      (
        name,
        MemoryLocalCalendar(
          location: "/calendars/\(name)", faults: faults,
          isHandledAsWhole: seed % 7 == 1 && name == "b")
      )
    }
    target = MemoryLocalCalendar(
      location: "/calendars/shared", faults: faults, isHandledAsWhole: seed % 4 == 3)
    ledger = MemoryLedger(faults: faults)
    target.ask { [ledger] in await ledger.names(of: $0, in: "/calendars/shared") }
    drafts = calendars.map { _ in [:] }
    onEdit = seed.isMultiple(of: 2) ? .restore : .release
    projector = try Self.projector(settings)
    try changeSettings()
  }

  private static func projector(_ settings: ProjectionSettings) throws -> ItemProjector {
    guard let ada = CalendarAddress(ofUser: "ada@example.com") else {
      preconditionFailure("an e-mail address")
    }
    return try ItemProjector(settings, name: name, key: key, user: [ada], machine: machine)
  }

  mutating func play() async throws {
    for _ in 0..<Int.random(in: 3...8, using: &random) {
      for _ in 0..<Int.random(in: 0...5, using: &random) { try act() }
      now += Int64([1, 3_600, 86_400].randomElement(using: &random) ?? 1)
      for _ in 0..<Int.random(in: 0...2, using: &random) { try await runWithFaults() }
      if chance(10) { try await undo() }
      if chance(8) { try await rehearse() }
      if chance(65) { try await runToTheEnd() }
    }
    try await runToTheEnd()
  }

  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &random) < percent
  }

  // MARK: What people do

  private mutating func act() throws {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<50: edit()
    case 50..<58: move()
    case 58..<64: rename()
    case 64..<74: changeForeign()
    case 74..<94: changeCopy()
    case 94..<97: try changeSettings()
    default: spoil()
    }
  }

  private mutating func write(_ item: MirroredItem, to place: Int) {
    drafts[place][item.number] = item
    let calendar = calendars[place].items
    let name = calendar.name(of: MirroredItem.uid(item.number)) ?? "SECRET \(item.number).ics"
    calendar.write(item.bytes(settings), as: name)
  }

  private mutating func remove(_ number: Int, from place: Int) {
    drafts[place][number] = nil
    calendars[place].items.remove(MirroredItem.uid(number))
  }

  private mutating func edit() {
    let place = Int.random(in: calendars.indices, using: &random)
    let number = Int.random(in: 0..<Self.itemCount, using: &random)
    counter += 1
    if var known = drafts[place][number], chance(60) {
      if chance(35) {
        steps.append("delete \(number) in \(place)")
        return remove(number, from: place)
      }
      steps.append("edit \(number) in \(place)")
      switch Int.random(in: 0..<4, using: &random) {
      case 0: known.hidden = counter
      case 1: known.series.title = counter
      case 2: known.series.isPrivate.toggle()
      default:
        for index in 0..<known.count where chance(30) && known.overrides[index] == nil {
          known.excluded.insert(index)
        }
      }
      return write(known, to: place)
    }
    steps.append("write \(number) in \(place)")
    write(.random(number, title: counter, using: &random), to: place)
  }

  private mutating func move() {
    let places = calendars.indices.shuffled(using: &random)
    guard let number = drafts[places[0]].keys.sorted().randomElement(using: &random),
      let item = drafts[places[0]][number]
    else { return }
    steps.append("move \(number) from \(places[0]) to \(places[1])")
    write(item, to: places[1])
    remove(number, from: places[0])
  }

  private mutating func rename() {
    let number = Int.random(in: 0..<Self.itemCount, using: &random)
    counter += 1
    if chance(50), let uid = copies[number], released[number] == nil {
      steps.append("rename the copy of \(number)")
      return target.rename(uid, to: "renamed-\(counter).ics")
    }
    let place = Int.random(in: calendars.indices, using: &random)
    steps.append("rename \(number) in \(place)")
    calendars[place].items.rename(MirroredItem.uid(number), to: "SECRET-\(counter).ics")
  }

  private mutating func changeForeign() {
    if let name = foreign.keys.sorted().randomElement(using: &random), chance(30) {
      steps.append("delete \(name)")
      foreign[name] = nil
      return target.removeFile(name)
    }
    counter += 1
    // Its own item may have a UID like those of copies of another mirror.
    let uid = chance(20) ? "\(counter)-00000000@copy.epact" : "own-\(counter)"
    let name = "own-\(counter).ics"
    steps.append("write \(name)")
    let bytes = TestItem.make(uid: uid, summary: "Own \(counter)").serialized()
    foreign[name] = bytes
    target.write(bytes, as: name)
  }

  private mutating func changeCopy() {
    // After a run that was cut off, the ledger may not know of a copy yet.
    guard onEdit == .restore || isSettled,
      let number = copies.keys.sorted().randomElement(using: &random), let uid = copies[number],
      !undone.contains(number),
      let name = target.name(of: uid), let bytes = target.contents[name]
    else { return }
    let text = String(decoding: bytes, as: UTF8.self)
    for value in owed where text.contains("X-MINE:\(value)\r\n") { owed.remove(value) }
    if chance(40) {
      steps.append("delete the copy of \(number)")
      target.removeFile(name)
      guard onEdit == .release else { return }
      if forgotten.contains(number) {
        released[number] = nil
        uncertain.insert(number)
      } else {
        released[number] = .some(nil)
      }
      return
    }
    counter += 1
    steps.append("edit the copy of \(number)")
    let edited = Array(
      text.replacing(/X-MINE:.*\r\n/, with: "")
        .replacing("DTSTAMP", with: "X-MINE:mine\(counter)\r\nDTSTAMP").utf8)
    owed.insert("mine\(counter)")
    target.write(edited, as: name)
    if onEdit == .release { released[number] = edited }
  }

  private mutating func changeSettings() throws {
    settings.detail = ProjectionSettings.Detail.allCases.randomElement(using: &random) ?? .busy
    settings.privateItems =
      ProjectionSettings.PrivateItems.allCases.randomElement(using: &random) ?? .busy
    let titles = [nil, "Busy ({calendar})", "{title} ({calendar})"]
    settings.title = try (titles.randomElement(using: &random) ?? nil).map { try .init($0) }
    if settings.detail == .busy, settings.title?.showsTitle == true { settings.title = nil }
    settings.query = chance(50) ? "not category:hidden" : nil
    // The authors mark as secret what the new settings hide.
    for (place, items) in drafts.enumerated() {
      for item in items.values.sorted(by: { $0.number < $1.number }) { write(item, to: place) }
    }
    steps.append(
      "show \(settings.detail) private \(settings.privateItems) title \(settings.title?.description ?? "-") "
        + "where \(settings.query ?? "-")")
    projector = try Self.projector(settings)
  }

  private mutating func spoil() {
    let place = Int.random(in: calendars.indices, using: &random)
    steps.append("garbage in \(place)")
    calendars[place].items.write(Array("SECRET".utf8), as: "SECRET.ics")
  }

  // MARK: Runs

  private func engine(isDryRun: Bool = false) -> SyncEngine {
    var options = SyncOptions()
    (options.direction, options.edits) = (.pull, onEdit.edits)
    options.ownSuffix = ProjectionKey.suffix(of: Self.name)
    options.safeguards.allowed = 1_000
    options.isDryRun = isDryRun
    options.batchSize = 1 + Int(seed % 4)
    options.partSize = [1, 2, 500][Int(seed / 4 % 3)]
    let sources = calendars.map { calendar in
      MirrorSource(
        calendar: ProjectedCalendar(name: calendar.name, title: calendar.name.uppercased()),
        items: calendar.items)
    }
    let (projector, now) = (projector, Instant(secondsSinceEpoch: now))
    return SyncEngine(
      name: Self.name, local: target,
      remote: MirrorRemote(name: Self.name, now: { now }) { (sources, projector) },
      tier: .full, ledger: ledger, options: options, merge: ThreeWayMerge(), now: { now },
      report: { _ in })
  }

  private func contents() -> [[String: [UInt8]]] { calendars.map(\.items.contents) }

  private mutating func rehearse() async throws {
    let before = (target.contents, contents())
    _ = try? await engine(isDryRun: true).run()
    #expect((target.contents, contents()) == before, "a dry run writes nothing; \(told)")
  }

  private mutating func runWithFaults() async throws {
    var planned: [Int: FaultPlan.Fault] = [:]
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      planned[Int.random(in: 0..<40, using: &random)] = FaultPlan.Fault.allCases.randomElement(
        using: &random)
    }
    faults.restart(planned)
    steps.append("run \(planned.sorted { $0.key < $1.key }.map { "\($0.value)@\($0.key)" })")
    let before = contents()
    do {
      _ = try await engine().run()
    } catch is FaultPlan.Crash {
      steps.append("killed at \(faults.calls.last ?? "nothing")")
      faulted += 1
    } catch is FaultPlan.Failure {
      steps.append("failed at \(faults.calls.last ?? "nothing")")
      faulted += 1
    } catch is EpactError {
      // A file cannot be read.
    }
    faults.restart()
    isSettled = false
    forgetReleases(isCertain: false)
    #expect(contents() == before, "the calendars are unchanged; \(told)")
    try await expectOthers()
  }

  private mutating func undo() async throws {
    // The undo is merged with what was left, which is a rule of its own. It reads the calendars, too.
    guard released.isEmpty, contents().allSatisfy({ $0["SECRET.ics"] == nil }) else { return }
    for run in await ledger.runs(of: Self.name)
    where await ledger.journal(of: run.id).contains(where: \.isDone) {
      steps.append("undo \(run.id.rawValue)")
      let before = contents()
      let earlier = target.contents
      _ = try await engine().undo(run, ledger)
      if onEdit == .release { noteUndo(since: earlier) }
      #expect(contents() == before, "an undo leaves the calendars unchanged; \(told)")
      isSettled = false
      return try await expectOthers()
    }
  }

  /// Notes the copies that an undo changed.
  ///
  /// Under `release`, they may count as edited by the user, or follow their items again.
  private mutating func noteUndo(since earlier: [String: [UInt8]]) {
    let later = target.contents
    for name in Set(earlier.keys).union(later.keys) where earlier[name] != later[name] {
      let bytes = later[name] ?? earlier[name] ?? []
      if let number = MirroredItem.number(ofCopy: Self.lines(of: bytes)) { undone.insert(number) }
    }
  }

  private mutating func runToTheEnd() async throws {
    for place in calendars.indices where calendars[place].items.contents["SECRET.ics"] != nil {
      let before = target.contents
      await #expect(throws: EpactError.self, "a file cannot be read; \(told)") {
        try await engine().run()
      }
      #expect(target.contents == before, "nothing is changed; \(told)")
      calendars[place].items.removeFile("SECRET.ics")
    }
    steps.append("run")
    let before = contents()
    let summary = try await engine().run()
    #expect(summary.failed == 0 && summary.conflicts == 0 && summary.deferred == 0, "\(told)")
    #expect(contents() == before, "the calendars are unchanged; \(told)")
    forgetReleases(isCertain: true)
    try await expectOthers()
    try expectCopies()
    let after = target.contents
    let second = try await engine().run()
    #expect(second == RunSummary(), "a second run does nothing; \(told)")
    #expect(target.contents == after, "a second run writes nothing; \(told)")
    isSettled = true
  }

  // MARK: What must hold

  /// The copies that the documentation promises, by the numbers of the items.
  private var promised: [Int: Set<Set<String>>] {
    var result: [Int: Set<Set<String>>] = [:]
    for (place, items) in drafts.enumerated() {
      for (number, item) in items where result[number] == nil {
        result[number] = item.copy(settings, in: calendars[place].name.uppercased())
      }
    }
    return result
  }

  /// A deleted copy is forgotten with its item, and a new item has a copy again.
  private mutating func forgetReleases(isCertain: Bool) {
    let shown = promised
    // An edited copy whose item is hidden is no copy any more: once it is deleted, the item can have another one.
    forgotten.formUnion(released.keys.filter { shown[$0] == nil })
    for (number, left) in released where left == nil && shown[number] == nil {
      released[number] = nil
      if !isCertain { uncertain.insert(number) }
    }
    if isCertain { uncertain.formIntersection(shown.keys) }
  }

  /// Expects the items of others to be there, byte for byte, edits to be kept, and no hidden text.
  private func expectOthers() async throws {
    let contents = target.contents
    for (name, bytes) in foreign {
      #expect(contents[name] == bytes, "\(name) is unchanged; \(told)")
    }
    for (name, bytes) in contents where foreign[name] == nil {
      let isMarked = (name + String(decoding: bytes, as: UTF8.self)).contains(MirroredItem.secret)
      #expect(!isMarked, "no hidden text is in \(name); \(told)")
    }
    var kept = contents.values.map { String(decoding: $0, as: UTF8.self) }.joined()
    for run in await ledger.runs(of: nil) {
      for line in await ledger.journal(of: run.id) {
        kept += line.before.map { String(decoding: $0, as: UTF8.self) } ?? ""
      }
    }
    for value in owed { #expect(kept.contains("X-MINE:\(value)\r\n"), "\(value) is lost; \(told)") }
  }

  /// Expects the copies that the documentation promises, each once, and nothing else.
  private mutating func expectCopies() throws {
    var found: [Int: String] = [:]
    let promised = promised
    for (name, bytes) in target.contents where foreign[name] == nil {
      let item = try CalendarItem(parsing: bytes)
      let number = try #require(
        MirroredItem.number(ofCopy: Self.lines(of: bytes)), "\(name) is a copy; \(told)")
      #expect(found[number] == nil, "\(number) is there once; \(told)")
      found[number] = item.uid.rawValue
      #expect(item.uid.rawValue.hasSuffix("@copy.epact"), "\(told)")
      let known = copies[number]
      #expect(known == nil || known == item.uid.rawValue, "\(number) keeps its UID; \(told)")
      copies[number] = item.uid.rawValue
      if undone.contains(number) { continue }
      if let left = released[number] {
        #expect(left == bytes, "\(number) stays as it was left; \(told)")
      } else {
        let expected = promised[number] ?? []
        let actual = MirroredItem.components(of: bytes)
        #expect(actual == expected, "the copy of \(number); \(told)")
      }
    }
    for number in uncertain where found[number] == nil { released[number] = .some(nil) }
    uncertain = []
    for number in promised.keys where found[number] == nil && !undone.contains(number) {
      #expect(released[number] == .some(nil), "\(number) is there; \(told)")
    }
    for (number, left) in released where left != nil {
      #expect(found[number] != nil, "\(number) stays; \(told)")
    }
    #expect(Set(found.values).count == found.count, "each copy has a UID of its own; \(told)")
  }

  private static func lines(of bytes: [UInt8]) -> [String] {
    String(decoding: bytes, as: UTF8.self).replacing("\r\n ", with: "")
      .split(separator: "\r\n").map(String.init)
  }

  private var told: String { "EPACT_SEED=\(seed): \(onEdit); \(steps.joined(separator: "; "))" }
}
