// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import CivilTime
import TestSupport
import Testing

/// What both databases have to do.
@Suite(.eachLedger) struct LedgerContractTests {
  let home: LedgerHome
  private let binding = LedgerContract.binding
  private let now = Instant(secondsSinceEpoch: 1_800_000_000)

  init() throws {
    home = try LedgerHome()
  }

  @Test(arguments: LedgerContract.clauses)
  func theContractIsKept(clause: LedgerContract.Clause) async throws {
    let ledger = try home.open()
    try await clause.check(ledger)
  }

  @Test func bytesOfEveryLengthAreKept() async throws {
    let entry = LedgerEntry(
      uid: UID(""), localName: "a\0b", localBase: Fingerprint("3:a"), href: Href(""), etag: nil,
      remoteBase: Fingerprint(""), base: [], remoteContent: [0], isUnseen: true)
    var other = entry
    (other.base, other.remoteContent, other.etag) = (nil, [], EntityTag("\"2\""))
    for version in [entry, other] {
      let ledger = try home.open()
      let run = try await ledger.beginRun(of: binding, at: now)
      try await ledger.settle([Settlement(uid: UID(""), change: .record(version))], in: run)
      #expect(try await ledger.entries(of: binding) == [version])
      try ledger.close()
    }
  }

  @Test func whatWasDoneIsRecordedThoughTheRunIsCancelled() async throws {
    let ledger = try home.open()
    let run = try await ledger.beginRun(of: binding, at: now)
    let settlement = Settlement(uid: UID("a"), change: .record(LedgerContract.entry("a")))
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      try await ledger.settle([settlement], in: run)
    }
    try await task.value
    #expect(try await ledger.entries(of: binding) == [LedgerContract.entry("a")])
  }
}
