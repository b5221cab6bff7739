// SPDX-License-Identifier: Apache-2.0

package import CivilTime

/// The next scheduled run of a sync.
package enum NextRun: Hashable, Sendable {
  /// A local time such as `2026-11-22 03:15`, up to a number of minutes later.
  case at(String, delay: Int)
  /// The sync runs whenever something changes.
  case watching
  /// The job is installed, and systemd does not run it.
  case stopped
}

/// The next runs of the syncs of a configuration, according to the installed jobs.
package struct NextRuns: Sendable {
  private let jobs: [(job: InstalledJob, syncs: Set<String>)]

  /// Looks for the jobs of a configuration; those of another one are ignored.
  ///
  /// A job that cannot be read is ignored, too.
  package init(of configuration: Configuration, in file: ConfigurationFile, machine: Machine) {
    let installed = [
      (try? SystemdTimer(machine: machine).installed()) ?? nil,
      CronTable(machine: machine).installed(),
    ].compactMap(\.self)
    var standard = machine
    standard.ledger = .configured(nil)
    jobs = installed.compactMap { [standard] job in
      guard ConfigurationFile(job.config, machine: standard).path == file.path,
        let syncs = try? configuration.syncs(named: job.names)
      else { return nil }
      let names = configuration.withMirrors(syncs).map(\.name)
      let accounts = configuration.accountSyncs(named: job.names).map(\.name)
      return (job, Set(names + accounts))
    }
  }

  /// Returns the next run of a sync.
  ///
  /// - Parameters:
  ///   - sync: The name of the sync.
  ///   - now: The current time.
  ///   - zone: The time zone of the local time.
  /// - Returns: The run; nil if none is scheduled.
  package func run(of sync: String, after now: Instant, in zone: ZoneRules) -> NextRun? {
    let runs = jobs.filter { $0.syncs.contains(sync) }.map { job, _ -> NextRun in
      guard job.isActive != false else { return .stopped }
      return job.times.next(after: now, in: zone).map { .at($0, delay: job.delay) } ?? .watching
    }
    let times = runs.compactMap { run -> (String, Int)? in
      if case .at(let time, let delay) = run { (time, delay) } else { nil }
    }
    if runs.contains(.watching) { return .watching }
    return times.min { $0.0 < $1.0 }.map { .at($0.0, delay: $0.1) } ?? runs.first
  }
}
