// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import CalendarStore
import CalendarSync
import CivilTime
import Glibc
import Synchronization

/// The ledger as programs use it: opened for reading when it exists, and kept open.
///
/// It is a class, because all copies of an access share one connection.
final class ProgramLedger: Sendable {
  private let machine: Machine
  private let open = Mutex<(file: FileIdentity, database: LedgerDatabase)?>(nil)

  init(machine: Machine) {
    self.machine = machine
  }

  /// Reads in one transaction; nil without a ledger, of which nothing is created.
  ///
  /// A write that was interrupted is repaired first.
  func read<Result>(
    _ body: (borrowing LedgerTransaction) throws -> Result
  ) throws -> Result? {
    do {
      return try reader()?.read(body)
    } catch let error as StoreError where error.code == .interrupted {
      return try openForWriting().read(body)
    }
  }

  /// Opens the ledger for writing, and creates it if necessary.
  func openForWriting() throws(StoreError) -> LedgerDatabase {
    try LedgerFolder(machine: machine, isReadOnly: false).openDatabase()
  }

  private func reader() throws -> LedgerDatabase? {
    let folder = LedgerFolder(machine: machine, isReadOnly: true)
    var status = stat()
    guard unsafe stat(folder.file, &status) == 0, status.st_size > 0 else {
      open.withLock { $0 = nil }
      return nil
    }
    let file = FileIdentity(status)
    return try open.withLock { open in
      if let open, open.file == file { return open.database }
      let database = try folder.openDatabase()
      // A ledger that another process is creating is not kept: it would stay empty.
      open = database.isStored ? (file, database) : nil
      return database
    }
  }
}

/// Counts the uses of a program, and stores the counts.
///
/// It is a class, because the process stores the counts when it exits.
final class ProgramLog: Sendable {
  /// The maximum time before counts are stored, in seconds.
  private static let interval = 10

  private struct Key: Hashable {
    let grantedAt: Instant
    let tier: AccessTier
    let entity: ProgramEntity
    let use: ProgramUse
  }

  private struct State {
    /// The entries that are not stored yet; a stored class has a count of 0.
    var waiting: [Key: ProgramLogEntry] = [:]
    var isScheduled = false
    var isRegistered = false
    var hasFailed = false
  }

  private let ledger: ProgramLedger
  private let report: @Sendable (String) -> Void
  private let atExit: @Sendable (@escaping @Sendable () -> Void) -> Void
  private let state = Mutex(State())

  init(ledger: ProgramLedger, machine: Machine) {
    self.ledger = ledger
    report = machine.note
    atExit = machine.atExit
  }

  deinit { flush() }

  /// Adds uses; the first ones of a class are stored at once.
  func note(_ entry: ProgramLogEntry) {
    let key = Key(
      grantedAt: entry.grantedAt, tier: entry.tier, entity: entry.entity,
      use: entry.use)
    let (isNew, schedules, registers) = state.withLock { state in
      let isNew = state.waiting[key] == nil
      if var known = state.waiting[key] {
        // The time of a stored entry is in the ledger.
        if known.count == 0 { known = entry } else { known.add(entry) }
        state.waiting[key] = known
      } else {
        state.waiting[key] = entry
      }
      let flags = (isNew, !isNew && !state.isScheduled, !state.isRegistered)
      state.isRegistered = true
      if flags.1 { state.isScheduled = true }
      return flags
    }
    if registers { atExit { [weak self] in self?.flush() } }
    if isNew { flush() }
    if schedules {
      Task.detached { [weak self] in
        try? await Task.sleep(for: .seconds(Self.interval))
        self?.flush()
      }
    }
  }

  /// Stores the counts.
  func flush() {
    let entries = state.withLock { state in
      state.isScheduled = false
      let entries = state.waiting.filter { $0.value.count > 0 }
      for key in entries.keys { state.waiting[key]?.count = 0 }
      return entries
    }
    guard !entries.isEmpty else { return }
    do {
      try ledger.openForWriting().write { try $0.log(Array(entries.values)) }
    } catch {
      let isFirst = state.withLock { state in
        for (key, entry) in entries { Self.restore(entry, as: key, in: &state) }
        defer { state.hasFailed = true }
        return !state.hasFailed
      }
      if isFirst { report("the use of the calendars cannot be logged: \(error)") }
    }
  }

  private static func restore(_ entry: ProgramLogEntry, as key: Key, in state: inout State) {
    var whole = entry
    if let later = state.waiting[key], later.count > 0 { whole.add(later) }
    state.waiting[key] = whole
  }
}

extension ProgramLogEntry {
  /// Adds later uses of the same class.
  fileprivate mutating func add(_ later: ProgramLogEntry) {
    count += later.count
    lastAt = later.lastAt
  }
}
