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
  func start(
    _ name: String, _ run: @escaping @Sendable () async throws -> [SyncResult],
    done: @escaping @Sendable (String) -> Void
  ) {
    guard running.withLock({ $0.insert(name).inserted }) else { return }
    Task.detached { [self] in
      defer { _ = running.withLock { $0.remove(name) } }
      do {
        let errors = try await run().compactMap { $0.error?.message }
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

  func show(_ request: Request, _ context: PageContext) async throws -> Response {
    let model = try await SyncsModel(of: site.syncs(), running: jobs.names, site)
    return site.pages.page("Sync", "sync", model, context, refreshes: model.isRunning)
  }

  /// `/mirrors`: redirects to the mirrors among the syncs.
  func showMirrors(_ request: Request, _ context: PageContext) -> Response {
    .redirect(to: "/sync#mirrors")
  }

  /// Runs a sync, plans it, or restores what a side of it lost.
  func run(_ request: Request, _ context: PageContext) async throws -> Response {
    let form = try await site.form(request, context)
    let name = form["name"]
    return try await site.act("/sync", context) {
      var set = try site.syncs([name])
      switch form["action"] {
      case "plan":
        set.options.isDryRun = true
        return try await Self.plan(set, name)
      case "restore":
        let confirmed = try form.number("items", of: "items")
        return try await RestoreAction(set: set, sync: name, confirmed: confirmed).restoreHere()
      case "push":
        let confirmed = try form.number("items", of: "items")
        let action = RestoreAction(set: set, sync: name, confirmed: confirmed)
        if let question = try await action.questionBeforePush() { return question }
        set.options.allowedDeletions = confirmed ?? 0
        start(name, context) { [set] in [try await set.push(name)] }
        return SignIn.Notice(lines: ["The restoration on the remote of \(name) was started."])
      default:
        if let number = try form.allowedDeletions() { set.options.allowedDeletions = number }
        start(name, context) { [set] in try await set.run().syncs }
        return SignIn.Notice(lines: ["The sync \(name) was started."])
      }
    }
  }

  /// Starts a run in the background, whose error is in the next notice.
  private func start(
    _ name: String, _ context: PageContext,
    _ run: @escaping @Sendable () async throws -> [SyncResult]
  ) {
    let (site, session) = (site, context.session)
    jobs.start(name, run) { error in
      guard let session, !error.isEmpty else { return }
      site.signIn.leave(
        SignIn.Notice(lines: ["\(name): \(ShortText(error, limit: 500).text)"], isFailure: true),
        for: session)
    }
  }

  /// The changes that a run would make; nothing is written.
  private static func plan(_ set: SyncSet, _ name: String) async throws -> SignIn.Notice {
    let operations = Mutex<[PlannedOperation]>([])
    let result = try await set.run { event in
      guard case .running(_, .planned(let plan)) = event else { return }
      operations.withLock { $0 += plan.changes }
    }
    if let complaint = result.syncs.compactMap({ $0.complaint }).first {
      return SignIn.Notice(lines: ["\(name): \(complaint)"], isFailure: true)
    }
    let all = operations.withLock(\.self)
    let isMirror = set.configuration.mirrors.contains { $0.name == name }
    let lines = all.prefix(limit).map { operation in
      let title = ShortText(operation.title).text
      return "\(operation.phrase): \(title): \(operation.words(ofMirror: isMirror))"
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
  func allowedDeletions() throws(EpactError) -> Int? { try number("allow", of: "deletions") }

  /// A number of the form; nil if it says nothing.
  ///
  /// - Throws: `EpactError` for another text.
  func number(_ name: String, of what: String) throws(EpactError) -> Int? {
    guard let text = text(name) else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw EpactError(.argument, "expected a number of \(what), found \"\(text)\"")
    }
    return number
  }
}

extension SyncPlan {
  /// The operations that change an item on a side.
  var changes: [PlannedOperation] {
    operations.filter { operation in
      switch operation.action {
      case .record, .forget: false
      default: true
      }
    }
  }
}
