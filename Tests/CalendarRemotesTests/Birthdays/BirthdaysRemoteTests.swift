// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarRemotes
import CalendarSync
import CivilTime
import Synchronization
import TestSupport
import Testing

struct BirthdaysRemoteTests {
  let contacts = MemoryContacts()
  let local = MemoryLocalCalendar()
  let ledger = MemoryLedger()

  private func remote(_ contacts: MemoryContacts, _ titles: ContactEventTitles) -> BirthdaysRemote {
    BirthdaysRemote(
      source: contacts, titles: titles, now: { Instant(secondsSinceEpoch: 1_795_251_600) })
  }

  /// Syncs the contacts with the local calendar.
  ///
  /// - Returns: The failures.
  @discardableResult
  private func sync(
    _ titles: ContactEventTitles = ContactEventTitles(), isVerifying: Bool = false
  ) async throws -> (summary: RunSummary, failures: [String]) {
    let failures = Mutex<[String]>([])
    var options = SyncOptions()
    options.isVerifying = isVerifying
    let engine = SyncEngine(
      name: "birthdays", local: local, remote: remote(contacts, titles), tier: .full,
      ledger: ledger, options: options, now: { Instant(secondsSinceEpoch: 1_795_251_600) },
      report: { event in
        guard case .planned(let plan) = event else { return }
        for operation in plan.operations where operation.isFailure {
          if case .remoteItem(let reason)? = operation.obstacle {
            failures.withLock { $0.append("\(operation.uid): \(reason)") }
          }
        }
      })
    let summary = try await engine.run()
    return (summary, failures.withLock { $0 })
  }

  private var titles: [String] { local.items.values.map(\.title).sorted() }

  private func writeThree() {
    contacts.write(["UID:1", "FN:Ana", "BDAY:1985-04-12"], to: "ana.vcf")
    contacts.write(["UID:2", "FN:Ben", "BDAY:--0501", "ANNIVERSARY:2010-06-12"], to: "ben.vcf")
    contacts.write(["UID:3", "FN:Carla"], to: "carla.vcf")
  }

  @Test func `Birthdays do what every remote must that can only be read`() async throws {
    writeThree()
    let remote = remote(contacts, ContactEventTitles())
    #expect(remote.identity.description == "birthdays /home/ada/contacts")
    let calendar = try await remote.openCalendar()
    var items: [CalendarItem] = []
    for entry in try await calendar.list() {
      guard case .item(_, _, let item)? = try await calendar.fetch([entry.href]).first else {
        Issue.record("\(entry.href) is not read")
        continue
      }
      items.append(item)
    }
    let titles = items.map(\.title).sorted()
    #expect(titles == ["Ana's birthday", "Ben's anniversary", "Ben's birthday"])
    #expect(calendar.components == [])
    try await RemoteConformance(remote).runReadOnly(holding: items)
    let error = await #expect(throws: AccessError.self) { try await remote.openAppender() }
    #expect(error?.description.hasPrefix("needs-full (") == true)
  }

  @Test func `A second sync reads no file`() async throws {
    writeThree()
    #expect(try await sync().summary.downloaded == 3)
    #expect(contacts.takeReads() == 3)
    let before = local.contents
    #expect(try await sync().summary == RunSummary())
    #expect(contacts.takeReads() == 0)
    #expect(local.contents == before)
  }

  @Test func `A change, a removal and a renaming come through`() async throws {
    writeThree()
    try await sync()
    contacts.write(["UID:1", "FN:Ana María", "BDAY:1985-04-12"], to: "ana.vcf")
    #expect(try await sync().summary.downloaded == 1)
    #expect(titles == ["Ana María's birthday", "Ben's anniversary", "Ben's birthday"])
    let before = local.contents
    contacts.rename("ana.vcf", to: "zoe.vcf")
    #expect(try await sync().summary == RunSummary())
    #expect(local.contents == before)
    contacts.write(["UID:2", "FN:Ben", "BDAY:--0501", "TEL:1", "REV:20260101"], to: "ben.vcf")
    #expect(try await sync().summary.deletedLocally == 1)
    contacts.remove("zoe.vcf")
    #expect(try await sync().summary.deletedLocally == 1)
    #expect(titles == ["Ben's birthday"])
  }

  @Test func `Nothing changes if other parts of a card do`() async throws {
    writeThree()
    try await sync()
    let before = local.contents
    contacts.write(["UID:1", "FN:Ana", "BDAY:1985-04-12", "TEL:2", "REV:20260101"], to: "ana.vcf")
    #expect(try await sync().summary == RunSummary())
    #expect(local.contents == before)
  }

  @Test func `Other titles are other events`() async throws {
    writeThree()
    try await sync()
    var german = ContactEventTitles()
    german.birthday = "Geburtstag von {name}"
    #expect(try await sync(german).summary.downloaded == 2)
    #expect(titles == ["Ben's anniversary", "Geburtstag von Ana", "Geburtstag von Ben"])
  }

  @Test func `A missing folder and another disk delete nothing`() async throws {
    writeThree()
    try await sync()
    let before = local.contents
    contacts.set(isMissing: true)
    await #expect(throws: MemoryContacts.Missing.self) { try await sync() }
    contacts.set(place: "other")
    contacts.remove("ana.vcf")
    _ = try? await sync()
    #expect(local.contents == before)
    contacts.set()
    #expect(try await sync().summary.deletedLocally == 1)
  }

  @Test(arguments: [false, true])
  func `An event stays if its card may be the one that cannot be read`(
    isVerifying: Bool
  ) async throws {
    writeThree()
    try await sync()
    let before = local.contents
    contacts.write(text: "BEGIN:VCARD\r\nFN:Ana\r\n", to: "ana.vcf")
    for _ in 0..<2 {
      let failures = try await sync(isVerifying: isVerifying).failures
      #expect(
        failures.first == "ana.vcf line 2: expected END:VCARD for the card that begins in line 1, "
          + "found the end of the file")
      #expect(failures.count == (isVerifying ? 2 : 1))
      #expect(local.contents == before)
    }
    // The others still count, also as deleted.
    contacts.remove("ben.vcf")
    #expect(try await sync(isVerifying: isVerifying).summary.deletedLocally == 2)
    contacts.write(["UID:1", "FN:Ana", "BDAY:1985-04-12"], to: "ana.vcf")
    let repaired = try await sync(isVerifying: isVerifying)
    #expect(repaired.failures.isEmpty)
    #expect(titles == ["Ana's birthday"])
  }

  @Test func `A file that is renamed and cannot be read any more keeps its events`() async throws {
    writeThree()
    contacts.write(text: "nothing", to: "odd.vcf")
    try await sync()
    let before = local.contents
    contacts.remove("ana.vcf")
    contacts.write(text: "BEGIN:VCARD\r\nFN:Ana\r\n", to: "zoe.vcf")
    for _ in 0..<2 {
      #expect(try await sync().failures.count == 2)
      #expect(local.contents == before)
    }
    // A file that could not be read before is not the renamed one.
    contacts.remove("ben.vcf")
    try await sync()
    #expect(titles == ["Ana's birthday"])
    // The last event is deleted only if the user allows it, as in all calendars.
    contacts.remove("zoe.vcf")
    #expect(try await sync().summary.stoppedByGuard)
  }

  @Test func `Two cards with one UID are one contact, and a difference is reported`() async throws {
    contacts.write(["UID:1", "FN:Ana", "BDAY:1985-04-12"], to: "a.vcf")
    contacts.write(["UID:1", "FN:Ana", "BDAY:1985-04-12", "TEL:1"], to: "b.vcf")
    contacts.write(["UID:1", "FN:Ben", "BDAY:1985-04-12"], to: "c.vcf")
    let result = try await sync()
    #expect(titles == ["Ana's birthday"])
    #expect(
      result.failures == [
        "c.vcf line 1: expected a UID of its own, found that of the card in a.vcf line 1, which is "
          + "used"
      ])
  }

  @Test func `Cards without a UID are known by their file, or by their name in it`() async throws {
    contacts.write(["FN:Ana", "BDAY:1985-04-12"], to: "a.vcf")
    contacts.write(
      ["FN:Ben", "BDAY:--0101"], ["FN:Ben", "BDAY:--0102"], ["FN:Carla", "BDAY:--0103"],
      to: "b.vcf")
    try await sync()
    #expect(titles.count == 4)
    let before = local.contents
    contacts.write(
      ["FN:Carla", "BDAY:--0103"], ["FN:Ben", "BDAY:--0101"], ["FN:Ben", "BDAY:--0102"],
      to: "b.vcf")
    #expect(try await sync().summary == RunSummary())
    #expect(local.contents == before)
    contacts.write(["FN:Ana María", "BDAY:1985-04-12"], to: "a.vcf")
    let changed = try await sync().summary
    #expect(changed.downloaded == 1)
    #expect(changed.deletedLocally == 0)
  }

  @Test func `In a single file the name identifies a card`() async throws {
    let single = MemoryContacts(isSingleFile: true)
    func hrefs() async throws -> [Href] {
      try await remote(single, ContactEventTitles()).openCalendar().list().map(\.href)
    }
    single.write(["FN:Ana", "BDAY:1985-04-12"], to: "all.vcf")
    let first = try await hrefs()
    single.write(["FN:Ben", "BDAY:--0101"], ["FN:Ana", "BDAY:1985-04-12"], to: "all.vcf")
    #expect(try await hrefs().contains(first[0]))
    #expect(try await hrefs().count == 2)
  }

  @Test func `A cursor that is not one of contacts is ignored`() async throws {
    writeThree()
    contacts.write(["UID:9", "FN:Odd", "BDAY:--0909"], to: "o%dd \n name.vcf")
    let calendar = try await remote(contacts, ContactEventTitles()).openCalendar()
    guard case .complete(let entries, let cursor?) = try await calendar.changes(since: nil) else {
      Issue.record("contacts have a cursor")
      return
    }
    #expect(try await calendar.changes(since: cursor) == .none(cursor))
    #expect(calendar.isSamePlace(as: cursor))
    for text in ["", "birthdays 1", "feed 1\nx y", cursor.rawValue + "\nmore"] {
      let changes = try await calendar.changes(since: RemoteCursor(text))
      #expect(changes == .complete(entries, cursor), "\(text)")
      #expect(calendar.isSamePlace(as: RemoteCursor(text)))
    }
    contacts.set(place: "other")
    #expect(!calendar.isSamePlace(as: cursor))
  }
}
