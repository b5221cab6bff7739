// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import Epact
import Hummingbird
import Synchronization

extension Site {
  /// The syncs of the current configuration.
  ///
  /// - Throws: `ConfigurationError`; `EpactError`.
  func syncs(_ names: [String] = []) throws -> SyncSet {
    try SyncSet(try library.file.load(), names: names, machine: machine)
  }
}

/// The syncs that pages have started.
final class SyncJobs: Sendable {
  private let running = Mutex<Set<String>>([])

  /// The names of the running syncs.
  var names: Set<String> { running.withLock(\.self) }

  /// Starts a sync in the background; does nothing if it runs already.
  ///
  /// The ledger has its outcome. `done` gets the error of a run that could not start, such as a lock.
  func start(_ name: String, _ set: SyncSet, done: @escaping @Sendable (String) -> Void) {
    guard running.withLock({ $0.insert(name).inserted }) else { return }
    Task.detached { [self] in
      defer { _ = running.withLock { $0.remove(name) } }
      do {
        let result = try await set.run()
        let errors = result.syncs.compactMap { $0.error?.message }
        done(errors.first ?? "")
      } catch {
        done(EpactError(describing: error).message)
      }
    }
  }
}

/// `/sync`: the state of each sync, and what it calls for.
struct SyncRoute: Sendable {
  /// The number of planned changes that a notice names.
  private static let limit = 20

  let site: Site
  let jobs: SyncJobs

  private struct Model: Sendable {
    struct Row: Sendable {
      let name: String
      let remote: String
      let state: String
      let dot: String
      let last: String
      let items: Int
      let conflicts: Int?
      let quarantine: [String]
      let message: String?
      let isRunning: Bool
      let canAllow: Bool
    }

    let syncs: [Row]
    let isRunning: Bool
  }

  func show(_ request: Request, _ context: PageContext) async throws -> Response {
    let running = jobs.names
    let rows = try await site.syncs().status().map {
      row(of: $0, isRunning: running.contains($0.sync))
    }
    let model = Model(syncs: rows, isRunning: !running.isEmpty)
    return site.pages.page("Sync", "sync", model, context, refreshes: model.isRunning)
  }

  private func row(of status: SyncStatus, isRunning: Bool) -> Model.Row {
    let attempt = status.attempt
    let dot =
      switch status.outcome {
      case .done: ""
      case .conflicts, .someFailed: "wait"
      default: "stop"
      }
    let last = attempt?.lastSuccess.map { "last success \(site.machine.localTime($0))" }
    return Model.Row(
      name: status.sync, remote: ShortText(status.remote).text,
      state: isRunning ? "running" : Self.words(status.outcome), dot: dot,
      last: last ?? "never succeeded", items: status.items,
      conflicts: status.conflicts > 0 ? status.conflicts : nil,
      quarantine: status.quarantine.prefix(10).map { ShortText($0.title).text },
      message: (attempt?.message ?? status.problem?.message).map { ShortText($0, limit: 500).text },
      isRunning: isRunning, canAllow: status.outcome == .stoppedByGuard)
  }

  static func words(_ outcome: SyncOutcome) -> String {
    switch outcome {
    case .done: "in order"
    case .conflicts: "conflicts wait"
    case .someFailed: "some items failed"
    case .stoppedByGuard: "stopped by the guard against mass deletion"
    case .noAccess: "no access is granted"
    case .unavailable: "the server cannot be reached"
    default: "failed"
    }
  }

  /// Runs a sync, or plans it.
  func run(_ request: Request, _ context: PageContext) async throws -> Response {
    let form = try await site.form(request, context)
    let name = form["name"]
    return try await site.act("/sync", context) {
      var set = try site.syncs([name])
      if let number = try form.allowedDeletions() { set.options.allowedDeletions = number }
      guard form["action"] == "plan" else {
        let (site, session) = (site, context.session)
        jobs.start(name, set) { error in
          guard let session, !error.isEmpty else { return }
          site.signIn.leave(
            SignIn.Notice(
              lines: ["\(name): \(ShortText(error, limit: 500).text)"], isFailure: true),
            for: session)
        }
        return SignIn.Notice(lines: ["The sync \(name) was started."])
      }
      set.options.isDryRun = true
      return try await Self.plan(set, name)
    }
  }

  /// The changes that a run would make; nothing is written.
  private static func plan(_ set: SyncSet, _ name: String) async throws -> SignIn.Notice {
    let operations = Mutex<[PlannedOperation]>([])
    let result = try await set.run { event in
      guard case .running(_, .planned(let plan)) = event else { return }
      let changes = plan.operations.filter { operation in
        switch operation.action {
        case .record, .forget: false
        default: true
        }
      }
      operations.withLock { $0 += changes }
    }
    if let complaint = result.syncs.compactMap({ $0.complaint }).first {
      return SignIn.Notice(lines: ["\(name): \(complaint)"], isFailure: true)
    }
    let all = operations.withLock(\.self)
    let isMirror = set.configuration.mirrors.contains { $0.name == name }
    let lines = all.prefix(limit).map { operation in
      let title = ShortText(operation.title).text
      return "\(operation.phrase): \(title): \(operation.reason.words(ofMirror: isMirror))"
    }
    let rest = all.count > limit ? ["and \(all.count - limit) more"] : []
    let start =
      all.isEmpty ? "A run of \(name) would do nothing." : "A run of \(name) would do this:"
    return SignIn.Notice(lines: [start] + lines + rest)
  }
}

extension FormValues {
  /// The number of deletions that the form allows; nil if it says nothing.
  ///
  /// - Throws: `EpactError` for another text.
  func allowedDeletions() throws -> Int? {
    guard let text = text("allow") else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw EpactError(.argument, "expected a number of deletions, found \"\(text)\"")
    }
    return number
  }
}
