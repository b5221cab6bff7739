// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import CivilTime
import Epact
import Foundation
import ICalSyntax
import Synchronization
import TestSupport
import Testing

/// One random history of own changes, syncs, edits by others, undos and redos, and what must hold.
///
/// The model knows no undo of the program. It keeps the files and the items before and after each
/// own change, in two stacks.
struct UndoHistory {
  /// The place of an item.
  private struct Place: Hashable {
    let calendar: String
    let uid: UID
  }

  /// The local files with their bytes, and the items in them.
  private struct Snapshot {
    var files: [String: [UInt8]] = [:]
    var items: [Place: CalendarItem] = [:]
  }

  /// The difference that an own change made.
  private struct Own {
    let id: RunID
    let files: [String: (before: [UInt8]?, after: [UInt8]?)]
    let items: [Place: (before: CalendarItem?, after: CalendarItem?)]

    init(_ id: RunID, from before: Snapshot, to after: Snapshot) {
      self.id = id
      let paths = Set(before.files.keys).union(after.files.keys)
      files = Dictionary(
        uniqueKeysWithValues: paths.filter { before.files[$0] != after.files[$0] }.map {
          ($0, (before.files[$0], after.files[$0]))
        })
      let places = Set(before.items.keys).union(after.items.keys)
      items = Dictionary(
        uniqueKeysWithValues: places.filter { before.items[$0] != after.items[$0] }.map {
          ($0, (before.items[$0], after.items[$0]))
        })
    }
  }

  private static let configuration = """
    default-calendar = "home"
    [calendar.home]
    path = "~/synced/work"
    [calendar.attic]
    path = "~/calendars/private"
    [calendar.one]
    path = "~/one.ics"
    [remote.disk]
    kind = "folder"
    path = "~/disk"
    [[sync]]
    name = "disk"
    calendar = "home"
    remote = "disk"

    """
  private static let calendars = [
    "home": "synced/work", "attic": "calendars/private", "one": "one.ics",
  ]
  private static let fields = ["SUMMARY", "LOCATION", "DESCRIPTION", "RRULE"]

  private let seed: UInt64
  /// Whether other programs and people change nothing.
  private let isAlone: Bool
  private var random: SeededGenerator
  private let scene: LibraryScene
  private let editor: LibraryEditor
  private var set: SyncSet
  private var steps: [String] = []
  private var edits = 0
  private var done: [Own] = []
  private var undone: [Own] = []

  /// The numbers of undos and redos that restored all bytes, and of those that met other edits.
  private(set) var exact = 0
  private(set) var merged = 0
  private(set) var refused = 0

  init(seed: UInt64) async throws {
    self.seed = seed
    isAlone = seed.isMultiple(of: 3)
    random = SeededGenerator(seed: seed)
    var scene = try LibraryScene(Self.configuration, isLater: false)
    let ticks = Mutex(0)
    let uids = Mutex(0)
    scene.machine.now = {
      let tick = ticks.withLock { value in
        value += 1
        return value
      }
      return EditScene.noon.adding(seconds: Int64(tick)) ?? EditScene.noon
    }
    scene.machine.makeUID = {
      let number = uids.withLock { value in
        value += 1
        return value
      }
      return UID("own\(number)")
    }
    scene.machine.localZone = "Europe/Berlin"
    self.scene = scene
    editor = LibraryEditor(
      CalendarLibrary(machine: scene.machine),
      viewer: try scene.machine.viewerZone("Europe/Berlin"))
    set = try SyncSet(
      ConfigurationFile(machine: scene.machine).load(), machine: scene.machine)
    set.options.jobs = 1
    set.options.allowedDeletions = 1_000
    var access = try await set.access(to: "disk")
    try await access.store(.full, purpose: "Keeps a copy of my calendar on a disk.")
    for uid in ["a", "b"] {
      try scene.folder.write(
        TestItem.text(uid: uid, summary: uid).utf8, to: "synced/work/\(uid).ics")
    }
    let series = TestItem.text(uid: "series").replacing(
      "SEQUENCE:0\r\n", with: "RRULE:FREQ=DAILY;COUNT=9\r\nSEQUENCE:0\r\n")
    try scene.folder.write(series.utf8, to: "synced/work/series.ics")
  }

  private var told: String { "EPACT_SEED=\(seed): \(steps.joined(separator: "; "))" }

  mutating func play() async throws {
    for _ in 0..<Int.random(in: 5...14, using: &random) {
      switch Int.random(in: 0..<10, using: &random) {
      case 0...3: try await change()
      case 4: try await sync()
      case 5 where !isAlone, 6 where !isAlone: try edit()
      case 5, 6, 7, 8: try await takeBack(isRedo: false)
      default: try await takeBack(isRedo: true)
      }
    }
    for _ in 1...3 { try await sync() }
    try expectStep()
  }

  // MARK: Snapshots

  private func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: scene.folder.path(of: folder))
      .filter { $0.hasSuffix(".ics") }.map { "\(folder)/\($0)" }.sorted()
  }

  private func snapshot() throws -> Snapshot {
    var snapshot = Snapshot()
    let files =
      try names(in: "synced/work") + names(in: "calendars/private")
      + (scene.exists("one.ics") ? ["one.ics"] : [])
    for file in files { snapshot.files[file] = try scene.folder.bytes(of: file) }
    for (name, path) in Self.calendars where path != "one.ics" || scene.exists(path) {
      let calendar = try LocalCalendars.openEditable(
        path: scene.folder.path(of: path), for: .reading)
      let listing = try calendar.scan()
      for entry in listing.entries {
        snapshot.items[Place(calendar: name, uid: entry.item.uid)] = entry.item
      }
    }
    return snapshot
  }

  private func remote() throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in try names(in: "disk") { files[name] = try scene.folder.bytes(of: name) }
    return files
  }

  private static func value(_ field: String, of item: CalendarItem?) -> String? {
    item?.main?[PropertyName(field)]?.rawValue
  }

  /// The last run of the history.
  private func lastRun() throws -> PastRun? {
    let ledger = try LedgerFolder(machine: scene.machine, isReadOnly: true).openDatabase()
    return try ledger.read { try $0.runs(of: nil) }.first
  }

  // MARK: Steps

  /// An own change by a random command.
  private mutating func change() async throws {
    let before = try snapshot()
    edits += 1
    var details = ItemDetails()
    let value = "mine\(edits)"
    let place = before.items.keys.sorted { "\($0.calendar)\($0.uid)" < "\($1.calendar)\($1.uid)" }
      .randomElement(using: &random)
    let kind = Int.random(in: 0..<8, using: &random)
    guard let place, kind > 0 else { return try add(value, before) }
    let found = try ItemFinder(editor, in: [try info(place.calendar)]).item(place.uid.rawValue)
    let other = try info(Self.calendars.keys.sorted().randomElement(using: &random) ?? "home")
    let edit: PreparedEdit?
    switch kind {
    case 1: edit = try editor.deleting(found, .all)
    case 2:
      let isTaken = before.items[Place(calendar: other.name, uid: place.uid)] != nil
      edit = isTaken ? nil : try editor.moving(found, to: other)
    case 3: edit = try editor.copying(found, to: other)
    case 4: return try await imports(found, place, value, before)
    case 5 where Self.value("RRULE", of: found.item) != nil:
      details.title = value
      let dates = try DateReading(machine: scene.machine, viewer: editor.viewer)
      let day = Int.random(in: 2...7, using: &random)
      let moment = try dates.moment("2026-03-0\(day)")
      edit = try? editor.changing(found, details, editor.span(.future(moment), of: found))
    default:
      switch Int.random(in: 0..<3, using: &random) {
      case 0: details.title = value
      case 1: details.location = value
      default: details.note = value
      }
      edit = try editor.changing(found, details, .all)
    }
    steps.append("own \(kind) \(place.uid) in \(place.calendar) \(value)")
    guard let run = try edit?.commit() else { return }
    try note(run, before)
  }

  private func info(_ name: String) throws -> CalendarInfo {
    try #require(try editor.library.calendars().first { $0.name == name })
  }

  private mutating func add(_ title: String, _ before: Snapshot) throws {
    var details = ItemDetails()
    details.title = title
    details.start = CivilDate(year: 2026, month: 12, day: 1).map { .date($0) }
    let name = Self.calendars.keys.sorted().randomElement(using: &random) ?? "home"
    steps.append("own new \(title) in \(name)")
    let run = try editor.adding(details, as: .event, to: try info(name)).commit()
    try note(try #require(run), before)
  }

  /// Imports a later revision of an item, and a new one.
  private mutating func imports(
    _ found: FoundItem, _ place: Place, _ value: String, _ before: Snapshot
  ) async throws {
    let text = String(decoding: found.item.serialized(), as: UTF8.self)
    let revision = text.replacing(
      "SUMMARY:\(Self.value("SUMMARY", of: found.item) ?? "")\r\n", with: "SUMMARY:\(value)\r\n"
    ).replacing(
      "SEQUENCE:\(Self.value("SEQUENCE", of: found.item) ?? "")\r\n",
      with: "SEQUENCE:\(100 + edits)\r\n")
    let path = try scene.folder.write(
      (revision + TestItem.text(uid: "in\(edits)", summary: value)).utf8, to: "incoming.ics")
    let calendar = CalendarLocation(
      path: scene.folder.path(of: Self.calendars[place.calendar] ?? ""))
    steps.append("own import \(place.uid) in \(place.calendar) \(value)")
    try await CalendarImport.run(ImportRequest([path], into: calendar), machine: scene.machine) {
      _ in
    }
    let run = try #require(try lastRun())
    try #require(run.binding?.isImport == true, "\(told)")
    try note(run.id, before)
  }

  private mutating func note(_ run: RunID, _ before: Snapshot) throws {
    let own = Own(run, from: before, to: try snapshot())
    guard !own.files.isEmpty else { return }
    done.append(own)
    undone = []
  }

  private mutating func sync() async throws {
    steps.append("sync")
    let result = try #require(try await set.run().syncs.first)
    let outcomes: [SyncOutcome] = isAlone ? [.done] : [.done, .conflicts]
    #expect(outcomes.contains(result.outcome), "\(told): \(result.error?.text ?? "")")
    if isAlone { #expect(result.summary.conflicts == 0, "a conflict with oneself; \(told)") }
  }

  /// A change by another program or person, on either side.
  private mutating func edit() throws {
    edits += 1
    let value = "theirs\(edits)"
    let folders = ["synced/work", "disk", "disk", "calendars/private", "one.ics"]
    let folder = folders.randomElement(using: &random) ?? "disk"
    let files = folder == "one.ics" ? (scene.exists(folder) ? [folder] : []) : try names(in: folder)
    let kind = Int.random(in: 0..<6, using: &random)
    // Most interesting is the item of the own last change, here or on the remote.
    let touched = (done.last?.files.keys.sorted() ?? []).flatMap { path in
      [path, path.replacing("synced/work/", with: "disk/")]
    }.filter { scene.exists($0) }
    let isTouched = Int.random(in: 0..<3, using: &random) > 0
    let chosen = (isTouched ? touched : files).randomElement(using: &random)
    guard let file = chosen, kind > 0 else {
      guard folder != "one.ics" else { return }
      steps.append("other new \(value) in \(folder)")
      try scene.folder.write(
        TestItem.text(uid: value, summary: value).utf8, to: "\(folder)/\(value).ics")
      return
    }
    guard kind > 1 || file == "one.ics" else {
      steps.append("other delete \(file)")
      return try FileManager.default.removeItem(atPath: scene.folder.path(of: file))
    }
    steps.append("other edit \(file) \(kind) \(value)")
    var lines = String(decoding: try scene.folder.bytes(of: file), as: UTF8.self)
      .components(separatedBy: "\r\n")
    let field = Self.fields[Int.random(in: 0..<3, using: &random)]
    guard let end = lines.lastIndex(of: "END:VEVENT"),
      let start = lines[..<end].lastIndex(of: "BEGIN:VEVENT")
    else { return }
    if let index = lines[start..<end].firstIndex(where: { $0.hasPrefix("\(field):") }) {
      lines[index] = "\(field):\(value)"
    } else {
      lines.insert("\(field):\(value)", at: end)
    }
    try scene.folder.write(lines.joined(separator: "\r\n").utf8, to: file)
  }

  // MARK: Undo and redo

  private mutating func takeBack(isRedo: Bool) async throws {
    let (before, there) = (try snapshot(), try remote())
    let stack = isRedo ? undone : done
    steps.append(isRedo ? "redo" : "undo")
    let result: SyncResult
    do {
      result = isRedo ? try await set.redo() : try await set.undo()
    } catch let error as EpactError where error.remedy == .chooseRun {
      #expect(stack.allSatisfy { isTakenBack($0, in: before) }, "something is left; \(told)")
      #expect(try snapshot().files == before.files, "\(told)")
      return
    }
    let run = try #require(result.undo?.run.id)
    let index = try #require(
      stack.lastIndex { $0.id == run }, "run \(run.rawValue) is not own; \(told)")
    #expect(
      stack[(index + 1)...].allSatisfy { isTakenBack($0, in: before) },
      "it is not the last one; \(told)")
    let (own, after) = (stack[index], try snapshot())
    #expect(try remote() == there, "an undo sends nothing; \(told)")
    if own.files.allSatisfy({ before.files[$0.key] == $0.value.after }) {
      exact += 1
      let expected = before.files.merging(own.files.mapValues { $0.before ?? [] }) { $1 }
        .filter { own.files[$0.key].map { $0.before != nil } ?? true }
      #expect(after.files == expected, "not the bytes; \(told)")
      #expect(result.outcome == .done, "\(told)")
    } else {
      check(own, before, after, result.outcome)
    }
    #expect(
      result.undo?.isRefused == (before.files == after.files && result.outcome != .done), "\(told)")
    if result.undo?.isRefused == true {
      if isRedo { undone.remove(at: index) } else { done.remove(at: index) }
    }
    try move(index, before, after, isRedo: isRedo)
  }

  /// Moves an own change to the other stack, unless the undo changed nothing.
  private mutating func move(
    _ index: Int, _ before: Snapshot, _ after: Snapshot, isRedo: Bool
  ) throws {
    guard before.files != after.files else { return }
    let run = try #require(try lastRun())
    let reverse = Own(run.id, from: before, to: after)
    if isRedo {
      undone.remove(at: index)
      done.append(reverse)
    } else {
      done.remove(at: index)
      undone.append(reverse)
    }
  }

  /// Whether the items do not have an own change any more.
  private func isTakenBack(_ own: Own, in now: Snapshot) -> Bool {
    own.items.allSatisfy { place, change in
      let item = now.items[place]
      guard let before = change.before, let after = change.after, let item else {
        return item?.fingerprint == change.before?.fingerprint
      }
      return item.fingerprint == before.fingerprint
        || changed(before, after).allSatisfy {
          Self.value($0, of: item) == Self.value($0, of: before)
        }
    }
  }

  private func changed(_ before: CalendarItem, _ after: CalendarItem) -> [String] {
    Self.fields.filter { Self.value($0, of: before) != Self.value($0, of: after) }
  }

  /// Checks the undo of a change whose files were changed by others since.
  private mutating func check(
    _ own: Own, _ before: Snapshot, _ after: Snapshot, _ outcome: SyncOutcome
  ) {
    if outcome == .done { merged += 1 } else { refused += 1 }
    #expect([.done, .someFailed].contains(outcome), "\(told)")
    let places = Set(before.items.keys).union(after.items.keys)
    for place in places where before.items[place] != after.items[place] {
      guard let change = own.items[place] else {
        Issue.record("\(place.uid) was changed, too; \(told)")
        continue
      }
      let (now, new) = (before.items[place], after.items[place])
      switch (now, new) {
      case (let now?, nil):
        #expect(change.before == nil, "only an own addition is removed; \(told)")
        #expect(now.fingerprint == change.after?.fingerprint, "an edit is lost; \(told)")
      case (nil, let new):
        #expect(new?.fingerprint == change.before?.fingerprint, "\(told)")
      case (let now?, let new?):
        for field in Self.fields {
          let (value, result) = (Self.value(field, of: now), Self.value(field, of: new))
          let earlier = Self.value(field, of: change.before)
          if earlier == Self.value(field, of: change.after) {
            #expect(result == value, "\(field) of \(place.uid) is no own change; \(told)")
          } else {
            #expect(result == earlier, "\(field) of \(place.uid) is not taken back; \(told)")
            #expect(
              [earlier, Self.value(field, of: change.after)].contains(value),
              "\(field) of \(place.uid) was edited since, which is lost; \(told)")
          }
        }
      }
    }
    guard outcome == .done else { return }
    #expect(isTakenBack(own, in: after), "not taken back; \(told)")
  }

  // MARK: The end

  /// After the last syncs, the remote has what is here.
  private func expectStep() throws {
    guard isAlone else { return }
    let here = try snapshot().items.filter { $0.key.calendar == "home" }
    let calendar = try LocalCalendars.openEditable(
      path: scene.folder.path(of: "disk"), for: .reading)
    let there = try calendar.scan().entries.map(\.item)
    #expect(
      Set(here.values.map(\.fingerprint)) == Set(there.map(\.fingerprint)), "not in step; \(told)")
    #expect(here.count == there.count, "\(told)")
  }
}
