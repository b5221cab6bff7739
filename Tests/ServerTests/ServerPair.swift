// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarRemotes
import CalendarStore
import CalendarSync
import CivilTime
import Foundation
import Synchronization
import TestSupport

/// A folder, a server and a ledger, as a sync has them.
final class ServerPair: Sendable {
  /// What a sync planned and did.
  struct Run: Sendable {
    let summary: RunSummary
    let plan: SyncPlan
    /// What the server does not keep, as content lines.
    var losses: [String] = []
  }

  private let server: ServerProcess
  private let folder: TemporaryFolder
  private let state: TemporaryFolder
  private let log = Mutex<[HTTPMethod]>([])
  private let clock = Mutex(Instant(secondsSinceEpoch: 1_780_000_000))

  init(_ kind: ServerProcess.Kind) async throws {
    server = try await ServerProcess(kind)
    folder = try TemporaryFolder()
    state = try TemporaryFolder()
  }

  /// The methods of all requests that syncs sent, in order.
  var methods: [HTTPMethod] { log.withLock { $0 } }

  /// Lets time pass.
  func wait(hours: Int64) {
    clock.withLock { $0 = Instant(secondsSinceEpoch: $0.secondsSinceEpoch + hours * 3_600) }
  }

  /// Runs a sync as the program does.
  func sync(
    _ tier: AccessTier = .full, allowDelete: Int = 0, isVerifying: Bool = false,
    direction: SyncDirection = .both
  ) async throws -> Run {
    var options = SyncOptions()
    options.direction = direction
    options.safeguards.allowed = allowDelete
    options.isVerifying = isVerifying
    return try await run(tier, options) { try await $0.run() }
  }

  /// Runs a sync after the server was restored.
  func sync(_ rollback: RollbackHandling) async throws -> Run {
    var options = SyncOptions()
    options.rollback = rollback
    return try await run(.full, options) { try await $0.run() }
  }

  /// Copies what the server stores.
  func backUp() async throws { try await server.backUp() }

  /// Puts the copy back.
  func restore() async throws { try await server.restore() }

  /// Takes back the last run of a one-way sync.
  func undoLast(_ direction: SyncDirection) async throws -> Run {
    let history = try ledger()
    var options = SyncOptions()
    options.direction = direction
    guard let past = try await history.runs(of: "test").first else {
      return Run(summary: RunSummary(), plan: SyncPlan(operations: []))
    }
    return try await run(.full, options) { try await $0.undo(past, history) }
  }

  /// Takes back the last run that set a property.
  func undoLast() async throws -> Run {
    let history = try ledger()
    for past in try await history.runs(of: "test") where past.summary.properties > 0 {
      return try await run(.full, SyncOptions()) { try await $0.undo(past, history) }
    }
    return Run(summary: RunSummary(), plan: SyncPlan(operations: []))
  }

  private func run(
    _ tier: AccessTier, _ options: SyncOptions,
    _ body: (SyncEngine) async throws -> RunSummary
  ) async throws -> Run {
    let observed = ObservedTransport(try NetworkTransport(userAgent: "epact-tests/1")) { exchange in
      self.log.withLock { $0.append(exchange.method) }
    }
    // Xandikos rejects a write while another one is in flight (423).
    let patient = PatientTransport(observed, pace: .system())
    let transport: any HTTPTransport =
      options.direction == .pull ? ReadOnlyTransport(patient) : patient
    let plan = Mutex(SyncPlan(operations: []))
    let losses = Mutex<[String]>([])
    let runner = SyncEngine(
      name: "test", local: try calendar(), remote: try remote(transport), tier: tier,
      ledger: try ledger(), options: options, now: { self.clock.withLock { $0 } }
    ) { event in
      if case .planned(let made) = event { plan.withLock { $0 = made } }
      if case .lost(let loss) = event { losses.withLock { $0.append(loss.sent) } }
    }
    let summary = try await body(runner)
    return Run(summary: summary, plan: plan.withLock { $0 }, losses: losses.withLock { $0 })
  }

  /// Writes an item into the folder, as another program would.
  func write(
    _ uid: String, summary: String, sequence: Int = 0, component: String = "VEVENT"
  ) throws {
    try folder.write(Self.text(uid, summary, sequence, component).utf8, to: "\(uid).ics")
  }

  func remove(_ uid: String) throws {
    try FileManager.default.removeItem(atPath: folder.path(of: "\(uid).ics"))
  }

  /// Changes an item on the server, as another client would.
  func writeRemotely(_ uid: String, summary: String) async throws {
    let calendar = try await other()
    let item = try CalendarItem(parsing: Array(Self.text(uid, summary, 2, "VEVENT").utf8))
    guard let (href, etag) = try await place(of: uid, in: calendar) else { return }
    _ = try await calendar.update(href, to: item, ifMatch: etag)
  }

  func removeRemotely(_ uid: String) async throws {
    let calendar = try await other()
    guard let (href, etag) = try await place(of: uid, in: calendar) else { return }
    _ = try await calendar.delete(href, ifMatch: etag)
  }

  /// Writes a file beside the items, such as `displayname`.
  func write(_ text: String, as name: String) throws {
    try folder.write(text.utf8, to: name)
  }

  /// What the folder and the server say of the calendar.
  func properties() async throws -> (local: CollectionProperties, remote: CollectionProperties) {
    let stores = [try calendar().properties, try await other().properties].compactMap(\.self)
    guard stores.count == 2 else { return (CollectionProperties(), CollectionProperties()) }
    return (try await stores[0].collectionProperties(), try await stores[1].collectionProperties())
  }

  /// Sets what the server says of the calendar, as another client would.
  func setRemotely(_ property: CollectionProperty, to value: String) async throws {
    _ = try await other().properties?.set(property, to: value)
  }

  func localSummaries() async throws -> Set<String> {
    Set(try await calendar().scan().entries.map(\.item.title))
  }

  func remoteSummaries() async throws -> Set<String> {
    let calendar = try await other()
    var titles: Set<String> = []
    for case .item(_, _, let item) in try await calendar.fetch(calendar.list().map(\.href)) {
      titles.insert(item.title)
    }
    return titles
  }

  func conflicts() async throws -> [StoredConflict] {
    try await ledger().conflicts(
      of: SyncBinding(
        name: "test", local: try calendar().location,
        remote: try remote(NetworkTransport(userAgent: "epact-tests/1")).identity))
  }

  /// Loses the ledger.
  func forgetEverything() throws {
    for name in try state.names() {
      try FileManager.default.removeItem(atPath: state.path(of: name))
    }
  }

  private func place(
    of uid: String, in calendar: any RemoteCalendar
  ) async throws -> (Href, EntityTag)? {
    for case .item(let href, let etag?, let item)
      in try await calendar.fetch(calendar.list().map(\.href)) where item.uid == UID(uid)
    {
      return (href, etag)
    }
    return nil
  }

  private func calendar() throws -> any LocalCalendar {
    try FolderCalendar(path: folder.path, for: .writing)
  }

  private func ledger() throws -> LedgerDatabase {
    try LedgerDatabase(path: state.path(of: "ledger.sqlite"))
  }

  private func other() async throws -> any RemoteCalendar {
    try await remote(NetworkTransport(userAgent: "other-client/1")).openCalendar()
  }

  private func remote(_ transport: any HTTPTransport) throws -> CalDAVRemote {
    CalDAVRemote(
      address: try RemoteURL(parsing: server.calendar),
      credentials: Credentials(user: ServerProcess.user, password: ServerProcess.password),
      transport: transport)
  }

  private static func text(
    _ uid: String, _ summary: String, _ sequence: Int, _ component: String
  ) -> String {
    let lines = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//EN", "BEGIN:\(component)",
      "UID:\(uid)", "DTSTAMP:20260101T000000Z", "DTSTART:20260310T090000Z",
      "SEQUENCE:\(sequence)", "SUMMARY:\(summary)", "X-KEPT;X-P=\"a;b\":as it is",
      "END:\(component)", "END:VCALENDAR", "",
    ]
    return lines.joined(separator: "\r\n")
  }
}
