// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import Epact
import Foundation
import Synchronization
import TestSupport
import Testing

/// One random history of an organizer who makes, edits and deletes meetings, and undoes and redoes that,
/// beside two guests who apply each mail.
///
/// The model knows no undo of the program: it keeps the organizer's items before and after each change.
/// After each step, the guests have what the organizer has (RFC 5546 §1.1).
struct MeetingUndoHistory {
  private struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// A person with one calendar.
  private struct Person {
    let address: String
    let scene: LibraryScene
    let editor: LibraryEditor

    init(_ name: String, _ now: @escaping @Sendable () -> Instant) throws {
      address = "\(name)@example.org"
      var scene = try LibraryScene(
        """
        addresses = ["\(address)"]
        default-calendar = "home"
        [calendar.home]
        path = "~/calendars/private"

        """, isLater: false)
      let uids = Mutex(0)
      scene.machine.now = now
      scene.machine.makeUID = {
        uids.withLock { value in
          value += 1
          return UID("\(name)\(value)")
        }
      }
      scene.machine.localZone = "Europe/Berlin"
      self.scene = scene
      editor = LibraryEditor(
        CalendarLibrary(machine: scene.machine),
        viewer: try scene.machine.viewerZone("Europe/Berlin"))
    }

    var items: [CalendarItem] {
      get throws {
        let calendar = try #require(try editor.library.calendars().first)
        return try editor.library.contents(of: calendar).entries.values.map(\.item)
      }
    }

    /// The occurrences of items that are not cancelled, as people see them.
    func meetings(where isMeant: (CalendarItem) -> Bool) throws -> Set<String> {
      let start = EditScene.noon
      let end = start.adding(seconds: 400 * 86_400) ?? start
      var query = OccurrenceQuery(
        in: start..<end, viewer: editor.viewer, zones: scene.machine.zoneResolver)
      for item in try items where isMeant(item) { query.add(item) }
      return Set(
        query.occurrences().filter { Event($0.component).status != .cancelled }.map { found in
          "\(found.uid) \(found.interval.lowerBound) \(found.duration) \(found.title)"
        })
    }
  }

  private let seed: UInt64
  private var random: SeededGenerator
  private let organizer: Person
  private let guests: [Person]
  private let set: SyncSet
  private var steps: [String] = []
  private var done: [(before: Set<String>, after: Set<String>)] = []
  private var undone: [(before: Set<String>, after: Set<String>)] = []

  /// The number of mails.
  private(set) var mails = 0

  init(seed: UInt64) throws {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    let ticks = Mutex<Int64>(0)
    let now: @Sendable () -> Instant = {
      let tick = ticks.withLock { value in
        value += 1
        return value
      }
      return EditScene.noon.adding(seconds: tick) ?? EditScene.noon
    }
    organizer = try Person("own", now)
    guests = [try Person("ana", now), try Person("bo", now)]
    set = try SyncSet(
      ConfigurationFile(machine: organizer.scene.machine).load(), machine: organizer.scene.machine)
  }

  private var told: String { "EPACT_SEED=\(seed): \(steps.joined(separator: "; "))" }

  mutating func play() async throws {
    for _ in 0..<Int.random(in: 5...14, using: &random) {
      switch Int.random(in: 0..<10, using: &random) {
      case 0...4: try await change()
      case 5...7: try await takeBack(isRedo: false)
      case 8: try await takeBack(isRedo: true)
      default: try await answer()
      }
      try check()
    }
  }

  /// The organizer's items, without the revision that an undo raises.
  private func snapshot() throws -> Set<String> {
    let revision = ["SEQUENCE:", "DTSTAMP:", "LAST-MODIFIED:"]
    return Set(
      try organizer.items.map { item in
        String(decoding: item.serialized(), as: UTF8.self).split(separator: "\r\n")
          .filter { line in !revision.contains { line.hasPrefix($0) } }.joined(separator: "\n")
      })
  }

  // MARK: Steps

  private mutating func change() async throws {
    let before = try snapshot()
    let items = try organizer.items.sorted { $0.uid.rawValue < $1.uid.rawValue }
    let kind = Int.random(in: 0..<10, using: &random)
    guard let item = items.randomElement(using: &random), kind > 1 else {
      return try await make(before)
    }
    let found = try ItemFinder(organizer.editor).item(item.uid.rawValue)
    let dates = try DateReading(machine: organizer.scene.machine, viewer: organizer.editor.viewer)
    var details = ItemDetails()
    var span = EditSpan.all
    if let time = try occurrence(of: item) {
      switch Int.random(in: 0..<5, using: &random) {
      case 0...1: span = .occurrence(time)
      case 2: span = .future(from: time)
      default: break
      }
    }
    steps.append("\(kind) \(span) of \(item.uid)")
    let edit: PreparedEdit?
    switch kind {
    case 2...3:
      details.title = "title \(steps.count)"
      edit = try organizer.editor.changing(found, details, span)
    case 4...5:
      details.start = try dates.newTime("\(Int.random(in: 8...18, using: &random)):00")
      edit = try? organizer.editor.changing(found, details, span)
    case 6...7: edit = try organizer.editor.deleting(found, span)
    case 8:
      details.invitation = invitation(guests.map(\.address))
      edit = try organizer.editor.changing(found, details, .all)
    default:
      details.alarms = [try AlarmTime(parsing: "\(steps.count)m")]
      edit = try organizer.editor.changing(found, details, .all)
    }
    if let edit, !edit.isEmpty { try await commit(edit, before) }
  }

  private func invitation(_ addresses: [String]) -> MeetingDetails {
    MeetingDetails(
      by: Organizer(CalendarAddress("mailto:\(organizer.address)")),
      addresses.map { Attendee(CalendarAddress("mailto:\($0)")) })
  }

  /// The original start of a random occurrence of a series; nil for a single item.
  private mutating func occurrence(of item: CalendarItem) throws -> EventTime? {
    guard let main = item.main, Event(main).recurrence.isRecurring else { return nil }
    var query = OccurrenceQuery(
      in: EditScene.noon..<(EditScene.noon.adding(seconds: 400 * 86_400) ?? EditScene.noon),
      viewer: organizer.editor.viewer, zones: organizer.scene.machine.zoneResolver)
    query.add(item)
    return query.occurrences().compactMap { $0.recurrenceID?.time }.randomElement(using: &random)
  }

  private mutating func make(_ before: Set<String>) async throws {
    let dates = try DateReading(machine: organizer.scene.machine, viewer: organizer.editor.viewer)
    var details = ItemDetails()
    details.title = "title \(steps.count)"
    let day = Int.random(in: 1...9, using: &random)
    details.start = try dates.newTime(
      "2026-12-0\(day) \(Int.random(in: 8...18, using: &random)):00")
    if Bool.random(using: &random) { details.repetition = Repetition("weekly", count: 5) }
    let invited = guests.filter { _ in Int.random(in: 0..<3, using: &random) > 0 }.map(\.address)
    if !invited.isEmpty { details.invitation = invitation(invited) }
    steps.append("new on \(day) for \(invited)")
    try await commit(try organizer.editor.adding(details, as: .event), before)
  }

  private mutating func commit(_ edit: PreparedEdit, _ before: Set<String>) async throws {
    let mails = try MeetingMails(for: edit, organizer.editor)
    try edit.commit()
    done.append((before, try snapshot()))
    undone = []
    try await deliver(mails)
  }

  /// A guest's answer, which the organizer imports.
  private mutating func answer() async throws {
    let before = try snapshot()
    let guest = guests[Int.random(in: 0..<guests.count, using: &random)]
    let invited = try guest.items.sorted { $0.uid.rawValue < $1.uid.rawValue }.filter {
      $0.main.map { Event($0).status != .cancelled } ?? false
    }
    guard let item = invited.randomElement(using: &random) else { return }
    steps.append("answer of \(guest.address) to \(item.uid)")
    let status: ParticipationStatus = Bool.random(using: &random) ? .accepted : .declined
    let reply = try SchedulingAnswer(status, by: CalendarAddress("mailto:\(guest.address)"))
      .reply(to: item, at: guest.scene.machine.now())
    let path = try organizer.scene.folder.write(OutgoingMail.Calendar(reply).bytes, to: "reply.ics")
    var request = ImportRequest(
      [path],
      into: CalendarLocation(path: organizer.scene.folder.path(of: "calendars/private")))
    request.isConfirmed = true
    try await CalendarImport.run(request, machine: organizer.scene.machine) { _ in }
    let after = try snapshot()
    guard before != after else { return }
    done.append((before, after))
    undone = []
  }

  private mutating func takeBack(isRedo: Bool) async throws {
    let before = try snapshot()
    steps.append(isRedo ? "redo" : "undo")
    let result: SyncResult
    do {
      result = isRedo ? try await set.redo() : try await set.undo()
    } catch let error as EpactError where error.remedy == .chooseRun {
      #expect((isRedo ? undone : done).isEmpty, "something is left; \(told)")
      return
    }
    let outcome = try #require(result.undo)
    let change = try #require(isRedo ? undone.popLast() : done.popLast(), "\(told)")
    let after = try snapshot()
    #expect(after == (isRedo ? change.after : change.before), "not the items; \(told)")
    #expect(result.outcome == .done, "\(told)")
    #expect(before == (isRedo ? change.before : change.after), "the model; \(told)")
    if isRedo { done.append(change) } else { undone.append(change) }
    try await deliver(try MeetingMails(for: outcome, organizer.editor))
  }

  // MARK: Mails

  private mutating func deliver(_ meeting: MeetingMails) async throws {
    for mail in try meeting.all() {
      mails += 1
      for guest in guests where mail.recipients.contains(where: { $0.address == guest.address }) {
        let path = try guest.scene.folder.write(mail.bytes, to: "mail.eml")
        let received = try ReceivedMail(reading: FileSource(path: path)) { _ in }
        let calendars = try InvitationCalendars(guest.editor.library, chosen: nil)
        for (calendar, sources) in try await calendars.destinations(of: [received]) {
          var request = ImportRequest(sources: sources, into: calendar)
          request.userAddresses = try guest.editor.library.userAddresses()
          let summary = try await CalendarImport.run(request, machine: guest.scene.machine) { _ in }
          #expect(summary.outcome == .complete, "\(guest.address) rejects \(mail.subject); \(told)")
        }
      }
    }
  }

  /// Each guest has the occurrences of the meetings to which the guest is invited, and no other ones.
  private func check() throws {
    for guest in guests {
      let address = CalendarAddress("mailto:\(guest.address)")
      let expected = try organizer.meetings { item in
        item.isMeeting
          && item.components.contains { component in
            Event(component).attendees.contains { $0.address == address }
          }
      }
      let found = try guest.meetings { _ in true }
      guard found != expected else { continue }
      let files = try guest.items.map { String(decoding: $0.serialized(), as: UTF8.self) }
      throw Failure(
        description: "\(guest.address) has \(found.subtracting(expected).sorted()) instead of "
          + "\(expected.subtracting(found).sorted()); \(told)\n\(files.joined())")
    }
  }
}
