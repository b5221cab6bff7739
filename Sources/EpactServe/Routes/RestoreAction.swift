// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import Epact
import Synchronization

/// The restoration of items that a side of a sync lost, after its number of items is confirmed.
///
/// Without the number, or with another one, only a plan is made.
struct RestoreAction: Sendable {
  /// The number of items that a notice names.
  private static let limit = 20

  let set: SyncSet
  let sync: String
  /// The number that the user confirmed; nil for none.
  let confirmed: Int?

  /// Restores the items of the local calendar; earlier versions are replaced.
  ///
  /// - Returns: The notice.
  /// - Throws: `EpactError`; errors of the ledger and of the remote.
  func restoreHere() async throws -> SignIn.Notice {
    var plan = set
    plan.options.isDryRun = true
    let planned = try await plan.restore(sync, isReplacing: true)
    let lines = Self.lines(of: planned)
    let count = planned.items.count + planned.properties.count
    guard count > 0 else {
      return SignIn.Notice(lines: ["The calendar of \(sync) lacks nothing."] + lines)
    }
    guard count == confirmed else { return question(count, "here", lines) }
    let result = try await set.restore(sync, isReplacing: true)
    return SignIn.Notice(
      lines: ["The calendar of \(sync) is restored."] + Self.lines(of: result), run: result.run)
  }

  /// The plan of sending the agreed versions to the remote; nil if its number is confirmed.
  ///
  /// - Throws: `EpactError`; errors of the ledger.
  func questionBeforePush() async throws -> SignIn.Notice? {
    var plan = set
    plan.options.isDryRun = true
    plan.options.allowedDeletions = Int(Int32.max)
    let operations = Mutex<[PlannedOperation]>([])
    let result = try await plan.push(sync) { event in
      guard case .running(_, .planned(let plan)) = event else { return }
      operations.withLock { $0 += plan.changes }
    }
    if let complaint = result.complaint {
      return SignIn.Notice(lines: ["\(sync): \(complaint)"], isFailure: true)
    }
    let changes = operations.withLock(\.self)
    guard !changes.isEmpty else {
      return SignIn.Notice(lines: ["The remote of \(sync) lacks nothing."])
    }
    guard changes.count != confirmed else { return nil }
    let lines = changes.map { "\($0.phrase): \(ShortText($0.title).text)" }
    return question(changes.count, "on the remote", Self.cut(lines))
  }

  private func question(_ count: Int, _ place: String, _ lines: [String]) -> SignIn.Notice {
    let what = "A restoration of \(sync) \(place) would do this:"
    return SignIn.Notice(
      lines: [what] + lines + ["Nothing was changed. To do it, confirm the number: \(count)"],
      isFailure: confirmed != nil)
  }

  private static func lines(of restoration: Restoration) -> [String] {
    cut(
      restoration.items.map { item in
        let verb =
          switch item.action {
          case .added: "add here"
          case .replaced: "replace here"
          case .deleted: "delete here"
          }
        return "\(verb): \(ShortText(item.title).text)"
      } + restoration.properties.map { "set here: the \($0.rawValue) of the calendar" }
        + restoration.left.map {
          "left out: \(ShortText($0.title).text): \(ShortText($0.reason, limit: 500).text)"
        })
  }

  private static func cut(_ lines: [String]) -> [String] {
    let rest = lines.count > limit ? ["and \(lines.count - limit) more"] : []
    return lines.prefix(limit) + rest
  }
}
