// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import Epact
import Hummingbird
import Synchronization

extension Site {
  /// The syncs of the configuration, as it is now.
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
  /// Its outcome is in the ledger. A lock that another process has is told there, too.
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
      if let text = form.text("allow") {
        guard let number = Int(text), number >= 0 else {
          throw EpactError(.argument, "expected a number of deletions, found \"\(text)\"")
        }
        set.options.allowedDeletions = number
      }
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
      return Self.notice(ofPlan: try await set.run(), name)
    }
  }

  private static func notice(ofPlan result: SyncSet.Result, _ name: String) -> SignIn.Notice {
    guard let sync = result.syncs.last else { return SignIn.Notice(lines: ["Nothing is planned."]) }
    if let error = sync.error {
      return SignIn.Notice(lines: ["\(name): \(error.message)"], isFailure: true)
    }
    let counts = sync.counts.filter { $0.number > 0 }.map { "\($0.action): \($0.number)" }
    let items = sync.items.prefix(20).map {
      "\(ShortText($0.title).text): \(ShortText($0.reason, limit: 500).text)"
    }
    let rest = sync.items.count - items.count
    return SignIn.Notice(
      lines: ["A run of \(name) would do this; nothing was written."]
        + (counts.isEmpty ? ["nothing"] : counts) + items + (rest > 0 ? ["and \(rest) more"] : []))
  }
}
