// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarRemotes
import CalendarSync
import CivilTime
import Synchronization
import TestSupport
import Testing

/// A local calendar and a server that agree on twelve events, were both edited since, and sync while
/// something goes wrong.
final class FaultScene: Sendable {
  private struct State {
    var store: DAVStore
    var fault: Fault?
    var counts: [String: Int] = [:]
    var total = 0
  }

  /// What came of a run.
  struct Outcome {
    var summary: RunSummary?
    var error: (any Error)?
    /// Everything that was told, in one text.
    var told: String

    var isComplete: Bool {
      guard let summary else { return false }
      return summary.failed == 0 && summary.deferred == 0 && summary.conflicts == 0
        && !summary.stoppedByGuard
    }
  }

  /// A password that must never be told.
  static let password = "marker-s3cret"

  private let state: Mutex<State>
  private let server = Mutex<LoopbackServer?>(nil)
  let evil: LoopbackServer
  let local = MemoryLocalCalendar()
  let ledger = MemoryLedger()
  private let fault: Fault

  init(_ fault: Fault) throws {
    self.fault = fault
    state = Mutex(State(store: DAVStore(hasTokens: fault.hasTokens)))
    evil = try LoopbackServer { _ in [.answer("200 OK")] }
    let server = try LoopbackServer { [unowned self] request in steps(for: request) }
    self.server.withLock { $0 = server }
  }

  func stop() {
    evil.stop()
    server.withLock { $0?.stop() }
  }

  private func steps(for request: LoopbackServer.Request) -> [LoopbackServer.Step] {
    let evilOrigin = "http://127.0.0.1:\(evil.port)"
    return state.withLock { state in
      guard let fault = state.fault else { return state.store.reply(to: request).steps }
      state.counts[request.method, default: 0] += 1
      state.total += 1
      let scene = Fault.Scene(
        request: request, kinds: DAVStore.kind(of: request),
        count: state.counts[request.method] ?? 0, total: state.total, evil: evilOrigin)
      if let steps = fault.instead(scene) { return steps }
      fault.style(&state.store.style)
      let reply = state.store.reply(to: request)
      state.store.style = DAVStore.Style()
      return fault.after(scene, reply) ?? reply.steps
    }
  }

  // MARK: The story

  static func text(_ uid: String, _ summary: String) -> String {
    TestItem.text(uid: uid, summary: summary)
  }

  /// Both sides agree on twelve events.
  func begin() async throws {
    for number in 1...12 {
      let uid = "i\(number)@x"
      local.write(TestItem.make(uid: uid, summary: "Event \(number)"))
      state.withLock { $0.store.write(uid, Self.text(uid, "Event \(number)")) }
    }
    let outcome = await sync()
    #expect(outcome.isComplete, "the beginning: \(outcome.told)")
  }

  /// Both sides are edited, and the fault begins.
  func edit() {
    local.write(TestItem.make(uid: "i1@x", summary: "Edited here"))
    local.write(TestItem.make(uid: "new-here@x", summary: "New here"))
    local.remove("i2@x")
    state.withLock { state in
      state.store.write("i3@x", Self.text("i3@x", "Edited there"))
      state.store.write("new-there@x", Self.text("new-there@x", "New there"))
      state.store.write("i4@x", nil)
      state.fault = fault
    }
  }

  /// The fault ends.
  func mend() { state.withLock { $0.fault = nil } }

  /// The titles on the server by UID; what cannot be read is there under its name.
  var serverTitles: [String: String] {
    let contents = state.withLock { $0.store.contents }
    return Dictionary(
      contents.map { name, text in
        let item = try? CalendarItem(parsing: Array(text.utf8))
        return (item?.uid.rawValue ?? name, item?.title ?? "unreadable")
      }, uniquingKeysWith: { "\($0) and \($1)" })
  }

  var localTitles: [String: String] { local.items.mapValues(\.title) }

  /// How many requests met the fault.
  var requestCount: Int { state.withLock { $0.total } }

  /// What both sides hold when all is done.
  static var agreed: [String: String] {
    var titles = ["i1@x": "Edited here", "i3@x": "Edited there"]
    titles["new-here@x"] = "New here"
    titles["new-there@x"] = "New there"
    for number in 5...12 { titles["i\(number)@x"] = "Event \(number)" }
    return titles
  }

  /// Runs the sync once; nothing waits, because the clock is moved on instead.
  func sync(isVerifying: Bool = false) async -> Outcome {
    let told = Mutex("")
    do {
      let summary = try await runner(isVerifying) { line in told.withLock { $0 += line + "\n" } }
        .run()
      return Outcome(summary: summary, error: nil, told: told.withLock { $0 })
    } catch {
      return Outcome(
        summary: nil, error: error, told: told.withLock { $0 } + String(describing: error))
    }
  }

  private func runner(
    _ isVerifying: Bool, _ tell: @escaping @Sendable (String) -> Void
  ) throws -> SyncEngine {
    var options = SyncOptions()
    options.isVerifying = isVerifying
    var limits = HTTPLimits()
    (limits.answer, limits.idle) = (.seconds(fault.idle), .seconds(fault.idle))
    limits.bodySize = 2_000_000
    let time = Mutex(Duration.zero)
    let network = try NetworkTransport(userAgent: "epact-tests/1", limits: limits)
    let now = Instant(secondsSinceEpoch: 1_795_251_600)
    let transport = PatientTransport(
      network,
      pace: .init(
        now: { now }, stopwatch: { time.withLock { $0 } },
        sleep: { rest in time.withLock { $0 += rest } }, random: { 0.5 }))
    let port = server.withLock { $0?.port } ?? 0
    let remote = CalDAVRemote(
      address: try RemoteURL(parsing: "http://127.0.0.1:\(port)/cal/"),
      credentials: Credentials(user: "ada", password: Self.password), transport: transport)
    return SyncEngine(
      name: "fault", local: local, remote: remote, tier: .full, ledger: ledger,
      options: options, now: { now },
      report: { event in
        if case .failed(let operation, .reported(let reason)) = event {
          tell("\(operation.verb) \(operation.uid): \(reason)")
        }
      })
  }
}
