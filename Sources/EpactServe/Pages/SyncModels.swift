// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import CivilTime
import Epact

/// The model of `/sync`: the syncs, and the mirrors in a part of their own.
struct SyncsModel: Sendable {
  /// A sync, or a mirror.
  struct Row: Sendable {
    let name: String
    /// The remote; for a mirror, the shown part, the sources and the target.
    let words: String
    let isMirror: Bool
    let state: String
    /// The class of the sign beside the name.
    let dot: String
    let last: String
    /// The next scheduled run; nil if there is none.
    let next: String?
    let items: Int
    let conflicts: Int?
    let quarantine: [String]
    let message: String?
    let isRunning: Bool
    let canAllow: Bool
    /// Whether a side may have lost items, which can be restored.
    let canRestore: Bool
  }

  let syncs: [Row]
  let mirrors: [Row]
  let hasMirrors: Bool
  let isEmpty: Bool
  let isRunning: Bool

  /// Creates the model.
  ///
  /// - Parameters:
  ///   - set: The syncs.
  ///   - running: The names of the syncs that pages have started.
  ///   - site: The configuration, and the clock.
  /// - Throws: Errors of the ledger; `EpactError`.
  init(of set: SyncSet, running: Set<String>, _ site: Site) async throws {
    let words = SyncWords(
      set.configuration, site.machine, try site.machine.viewerZone(),
      NextRuns(of: set.configuration, in: site.library.file, machine: site.machine))
    let rows = try await set.status().map {
      words.row(of: $0, isRunning: running.contains($0.sync))
    }
    syncs = rows.filter { !$0.isMirror }
    mirrors = rows.filter(\.isMirror)
    hasMirrors = !mirrors.isEmpty
    (isEmpty, isRunning) = (rows.isEmpty, !running.isEmpty)
  }
}

/// The words of the state of a sync.
struct SyncWords {
  private let configuration: Configuration
  private let machine: Machine
  private let zone: ZoneRules
  private let runs: NextRuns

  init(_ configuration: Configuration, _ machine: Machine, _ zone: ZoneRules, _ runs: NextRuns) {
    (self.configuration, self.machine, self.zone, self.runs) = (configuration, machine, zone, runs)
  }

  /// The row of a sync.
  func row(of status: SyncStatus, isRunning: Bool) -> SyncsModel.Row {
    let attempt = status.attempt
    let dot =
      switch status.outcome {
      case .done: ""
      case .conflicts, .someFailed: "wait"
      default: "stop"
      }
    let last = attempt?.lastSuccess.map { "last success \(machine.localTime($0))" }
    let isStopped = status.outcome == .stoppedByGuard
    let mirror = mirrorWords(status)
    return SyncsModel.Row(
      name: status.sync, words: ShortText(mirror ?? "with \(status.remote)", limit: 500).text,
      isMirror: mirror != nil, state: isRunning ? "running" : Self.words(status.outcome), dot: dot,
      last: last ?? "never succeeded",
      next: runs.run(of: status.sync, after: machine.now(), in: zone).map(Self.words),
      items: status.items, conflicts: status.conflicts > 0 ? status.conflicts : nil,
      quarantine: status.quarantine.prefix(10).map { ShortText($0.title).text },
      message: (attempt?.message ?? status.problem?.message).map { ShortText($0, limit: 500).text },
      isRunning: isRunning, canAllow: isStopped, canRestore: isStopped && mirror == nil)
  }

  /// The shown part, the sources and the target of a mirror; nil for other syncs.
  private func mirrorWords(_ status: SyncStatus) -> String? {
    guard let sync = configuration.syncs.first(where: { $0.name == status.sync }),
      let mirror = configuration.mirror(of: sync)
    else { return nil }
    return "shows \(mirror.projection.detail.words) of \(mirror.sources.joined(separator: ", ")) "
      + "in \(sync.calendar)"
  }

  private static func words(_ run: NextRun) -> String {
    switch run {
    case .at(let time, 0): "next run \(time)"
    case .at(let time, let delay): "next run \(time), up to \(delay) min later"
    case .watching: "watching"
    case .stopped: "scheduled, and not active"
    }
  }

  /// The words of an outcome.
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
}

extension ProjectionSettings.Detail {
  /// The shown part of the items.
  var words: String {
    switch self {
    case .all: "everything but people"
    case .titles: "titles"
    case .busy: "busy time"
    }
  }
}
