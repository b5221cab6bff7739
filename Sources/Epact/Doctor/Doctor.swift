// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import CalendarSync
import CivilTime
public import Logging

/// Checks everything that a sync needs: the configuration, files, the clock, time zones, the
/// ledger, the calendars and the remotes.
///
/// A remote is used only as far as its access allows. Nothing is written except the log of
/// requests, and a write of the ledger that was interrupted is taken back.
public struct Doctor: Sendable {
  let configuration: ConfigurationFile
  let machine: Machine
  let log: Logger
  let isOffline: Bool

  /// Creates the checks of a configuration and of the user's ledger.
  ///
  /// - Parameters:
  ///   - configuration: The location of the configuration.
  ///   - machine: The machine to check, usually ``Machine/live()``.
  ///   - log: The log of requests; silent by default.
  ///   - isOffline: Whether no remote is contacted.
  public init(
    _ configuration: ConfigurationFile, machine: Machine, log: Logger? = nil,
    isOffline: Bool = false
  ) {
    self.configuration = configuration
    self.machine = machine.using(configuration)
    self.log = log ?? .silent
    self.isOffline = isOffline
  }

  /// The findings, group by group, the remotes last.
  public func groups() -> AsyncStream<[Diagnosis]> {
    AsyncStream { stream in
      let work = Task {
        stream.yield([clock, zones])
        stream.yield(await ledger())
        do {
          let configuration = try self.configuration.load()
          stream.yield(files(configuration))
          for name in configuration.calendars.keys.sorted() {
            guard let calendar = configuration.calendars[name] else { continue }
            stream.yield(await self.calendar(calendar))
          }
          stream.yield(await syncs(configuration))
          stream.yield(await leftCopies(configuration))
          for name in configuration.grantNames {
            guard let settings = configuration.grantee(name), !Task.isCancelled else { continue }
            stream.yield(await remote(settings, configuration))
          }
        } catch {
          stream.yield([Diagnosis("configuration", error)])
        }
        stream.finish()
      }
      stream.onTermination = { _ in work.cancel() }
    }
  }

  // MARK: Syncs

  /// The syncs whose last run failed or was stopped, such as those of calendars that are gone.
  private func syncs(_ configuration: Configuration) async -> [Diagnosis] {
    // A ledger that cannot be read is in the findings about it.
    let found = try? await SyncSet(configuration, machine: machine).status()
    return (found ?? []).compactMap { status in
      switch status.outcome {
      case .failed, .stoppedByGuard: break
      case .someFailed: return Self.failures(in: status)
      default: return nil
      }
      // A side that does not exist is in the findings about its calendar.
      guard status.problem == nil, let message = status.attempt?.message else { return nil }
      return Diagnosis(
        .error, "sync", of: status.sync, "the last run failed: \(Self.joined(message))",
        code: .failed)
    }
  }

  /// The items that keep failing.
  private static func failures(in status: SyncStatus) -> Diagnosis {
    let items = status.quarantine.filter { !$0.isLeft }
    let words = items.first.map {
      "the last run left out \(Count(items.count, "item")), such as \"\($0.title)\""
    }
    return Diagnosis(
      .warning, "sync", of: status.sync,
      words
        ?? "the last run ended with failures\(status.attempt?.message.map { ": " + joined($0) } ?? "")"
    )
  }

  /// A message of several lines on one line.
  private static func joined(_ message: String) -> String {
    message.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: "; ")
  }

  /// The copies of mirrors that the configuration no longer has.
  private func leftCopies(_ configuration: Configuration) async -> [Diagnosis] {
    // A ledger that cannot be read is in the findings about it.
    let found = try? await SyncSet(configuration, machine: machine).leftCopies()
    return (found ?? []).map { copies in
      Diagnosis(
        .warning, "calendar", of: copies.calendar, copies.message, remedy: copies.remedy)
    }
  }

  // MARK: The machine

  /// An instant before the first release of the program: 1 January 2026.
  private static let beginning = Instant(secondsSinceEpoch: 1_767_225_600)

  private var clock: Diagnosis {
    let now = machine.now()
    guard now >= Self.beginning else {
      return Diagnosis(
        .error, "clock", "the clock shows \(now.timestamp), which is in the past",
        remedy: .other("Set it, or let it be set: timedatectl set-ntp true"))
    }
    return Diagnosis(.ok, "clock", machine.localTime(now))
  }

  private var zones: Diagnosis {
    let zones = machine.zones
    guard let source = zones.source else {
      return Diagnosis(
        .error, "time zones", "there are none", remedy: .other("Install the package tzdata."))
    }
    let version = zones.version ?? "of an unknown version"
    guard !zones.isFallback else {
      return Diagnosis(
        .warning, "time zones", "there are no files, so \(version) of \(source) is used",
        remedy: .other("Install the package tzdata: governments change their clocks every year."))
    }
    if let name = machine.localZone, !zones.names.contains(name), name != "UTC" {
      return Diagnosis(
        .warning, "time zones", "the zone of this machine, \"\(name)\", is not known",
        remedy: .other("Correct $TZ or /etc/localtime."))
    }
    // Releases are named after their year; a release from before last year lacks changes.
    if let year = Int(version.prefix(4)), let now = machine.now().civil(), year < now.date.year - 1
    {
      return Diagnosis(
        .note, "time zones", "version \(version) from \(source) is out of date",
        remedy: .other("Update the package tzdata."))
    }
    return Diagnosis(.ok, "time zones", "version \(version) from \(source)")
  }

  // MARK: Files

  private func files(_ configuration: Configuration) -> [Diagnosis] {
    let path = self.configuration.path
    let counts =
      [
        "\(Count(configuration.calendars.count, "calendar"))",
        "\(Count(configuration.remotes.count - configuration.mirrors.count, "remote"))",
        "\(Count(configuration.syncs.count - configuration.mirrors.count, "sync"))",
      ]
      + (configuration.mirrors.isEmpty
        ? [] : ["\(Count(configuration.mirrors.count, "mirror"))"])
      + (configuration.accounts.isEmpty
        ? [] : ["\(Count(configuration.accounts.count, "account"))"])
    let text = counts.joined(separator: ", ")
    guard FileMode(path) != nil || self.configuration.hosted != nil else {
      return [
        Diagnosis(
          .warning, "configuration", "there is none at \(path)",
          remedy: .configure)
      ]
    }
    var findings = [Diagnosis(.ok, "configuration", "\(path): \(text)")]
    if !configuration.hasSyncs {
      findings.append(
        Diagnosis(
          .warning, "configuration", "there is no [[sync]] in it, and so nothing to do",
          remedy: .configure))
    }
    findings += shared(in: configuration)
    do {
      let policies = try AccessPolicyFile(machine: machine).load()
      if !policies.isEmpty {
        findings.append(
          Diagnosis(.note, "policy", "an administrator's policy caps what can be granted"))
      }
    } catch {
      findings.append(Diagnosis("policy", error))
    }
    return findings
  }

  /// The calendars with the same folder, and those that share a remote, whose items are mixed.
  private func shared(in configuration: Configuration) -> [Diagnosis] {
    func groups<Key: Hashable>(_ pairs: [(key: Key, name: String)]) -> [[String]] {
      Dictionary(grouping: pairs, by: \.key).values.map { $0.map(\.name).sorted() }
        .filter { $0.count > 1 }.sorted { $0[0] < $1[0] }
    }
    let calendars = groups(
      configuration.calendars.values.map {
        (PathResolver.canonical(machine.paths.absolute($0.path)), $0.name)
      })
    let bindings = configuration.syncs.compactMap {
      try? SyncBinding(of: $0, in: configuration, machine)
    }
    // Several syncs of one calendar with one remote differ in their filters.
    let places = Dictionary(grouping: bindings) { "\($0.remote)" }.values.filter { bindings in
      Set(bindings.map(\.local)).count > 1
    }
    let remotes = groups(places.flatMap(\.self).map { ("\($0.remote)", $0.name) })
    return calendars.map { names in
      Diagnosis(
        .warning, "configuration",
        "the calendars \(names.joined(separator: " and ")) have the same folder, and so the same items",
        remedy: .other("Give each its own path."))
    }
      + remotes.map { names in
        Diagnosis(
          .warning, "configuration",
          "the syncs \(names.joined(separator: " and ")) have the same remote, which mixes the items of "
            + "their calendars",
          remedy: .other("Give each its own remote."))
      }
  }

  private func calendar(_ settings: CalendarSettings) async -> [Diagnosis] {
    do {
      let place = CalendarLocation(path: settings.path, name: settings.name)
      guard place.exists else {
        return [
          Diagnosis(
            .error, "calendar", of: settings.name, "there is nothing at \(place.path)",
            remedy: .makeFolder(path: place.path),
            code: .failed)
        ]
      }
      let listing = try await place.open(for: .reading, knowing: machine.knownNames).scan()
      var findings = listing.unreadable.map {
        Diagnosis(
          .error, "calendar", of: settings.name, "\($0.name): \($0.reason)",
          remedy: .check(path: place.path), code: .partlyFailed)
      }
      if place.isReadOnly {
        findings.append(
          Diagnosis(
            .error, "calendar", of: settings.name, "\(place.path) cannot be written",
            remedy: .other("A sync writes what is new on the other side."), code: .failed))
      }
      let remark = settings.isReadOnly ? ", which may only be read" : ""
      let summary = "\(Count(listing.entries.count, "item")) in \(place.path)\(remark)"
      return findings.isEmpty ? [Diagnosis(.ok, "calendar", of: settings.name, summary)] : findings
    } catch {
      return [Diagnosis("calendar", of: settings.name, error)]
    }
  }
}

extension Doctor {
  /// Checks the ledger: the one in a database, or the integrity and the permissions of the file.
  func ledger() async -> [Diagnosis] {
    if let settings = try? configuration.ledgerSettings() { return await database(settings) }
    let folder = machine.stateFolder
    let path = folder + "/ledger.sqlite"
    guard let mode = FileMode(path) else {
      return [Diagnosis(.ok, "ledger", "there is none yet; the first sync makes it")]
    }
    var findings: [Diagnosis] = []
    for (place, isOpen) in [
      (folder, FileMode(folder)?.isOpenToOthers), (path, mode.isOpenToOthers),
    ]
    where isOpen == true {
      findings.append(
        Diagnosis(
          .warning, "ledger", "\(place) can be read by others",
          remedy: .withdrawAccess(path: place)))
    }
    do {
      let ledger = try LedgerFolder(machine: machine, isReadOnly: true).openForViewing()
      let faults = try await ledger.faults()
      findings += faults.map {
        Diagnosis(.error, "ledger", "\($0)", remedy: Self.advice(path), code: .failed)
      }
      if findings.isEmpty { findings.append(Diagnosis(.ok, "ledger", "\(path) is whole")) }
    } catch {
      let error = EpactError(describing: error)
      findings.append(
        Diagnosis(
          .error, "ledger", error.message, remedy: error.remedy ?? Self.advice(path),
          code: error.code))
    }
    return findings
  }

  /// Checks that the database of the ledger can be read, and that no ledger is left in the state folder.
  private func database(_ settings: LedgerSettings) async -> [Diagnosis] {
    let subject = "\(settings.account) in \(settings.address)"
    do {
      let ledger = try LedgerFolder(machine: machine, isReadOnly: true).openForViewing()
      let faults = try await ledger.faults()
      var findings = faults.map {
        Diagnosis(.error, "ledger", "\($0)", remedy: nil, code: .failed)
      }
      guard findings.isEmpty else { return findings }
      let state = ledger.isStored ? "is whole" : "has no tables yet; the first sync makes them"
      findings.append(Diagnosis(.ok, "ledger", "\(subject) \(state)"))
      let file = machine.stateFolder + "/ledger.sqlite"
      if FileMode(file) != nil, try await ledger.read({ try $0.runs(of: nil).isEmpty }) {
        findings.append(
          Diagnosis(
            .warning, "ledger", "\(file) is not used, and the database has no run of a sync",
            remedy: .copyLedger))
      }
      return findings
    } catch {
      let error = EpactError(describing: error)
      return [
        Diagnosis(
          .error, "ledger", error.message, remedy: error.remedy, code: error.code)
      ]
    }
  }

  private static func advice(_ path: String) -> EpactError.Remedy {
    .other(
      "If the fault remains, move \(ShellWord(path)) away: without it a sync deletes nothing, and "
        + "access has to be granted once more."
    )
  }
}

/// The result of one check.
public struct Diagnosis: Sendable {
  /// The severity of a finding.
  public enum Level: String, Sendable, CaseIterable {
    /// The check succeeded.
    case ok
    /// Additional information.
    case note
    /// A possible problem.
    case warning
    /// An error that prevents something from working.
    case error
  }

  /// The severity.
  public let level: Level
  /// The kind of check, stable for programs: `ledger`, `clock`, `remote`.
  public let check: String
  /// The name of the calendar, remote or file, or nil.
  public let subject: String?
  /// The finding in lower case, without a full stop.
  public let message: String
  /// The recommended action, or nil.
  public let remedy: EpactError.Remedy?
  /// The kind of error; nil if the finding is none, or concerns no single operation.
  public let code: EpactError.Code?

  init(
    _ level: Level, _ check: String, of subject: String? = nil, _ message: String,
    remedy: EpactError.Remedy? = nil, code: EpactError.Code? = nil
  ) {
    self.level = level
    self.check = check
    self.subject = subject
    self.message = message
    self.remedy = remedy
    self.code = code
  }

  init(_ check: String, of subject: String? = nil, _ error: any Error) {
    let error = EpactError(describing: error)
    self.init(
      .error, check, of: subject, error.message, remedy: error.remedy, code: error.code)
  }
}
