// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarRemotes
import CalendarSync
import CivilTime

/// The checks that send requests to a remote.
extension Doctor {
  /// The maximum clock deviation without a warning, in seconds; servers compare ETags, not times.
  private static let tolerance: Int64 = 300
  /// The maximum number of dates without an event that are listed.
  private static let shownNotes = 10

  /// Opens the remote as a sync does, and evaluates the server's headers.
  func reach(
    _ settings: RemoteSettings, _ access: RemoteAccess, _ configuration: Configuration
  ) async -> [Diagnosis] {
    guard let grant = access.grant else { return [] }
    let answers = ServerAnswers()
    var observed = machine
    let makeTransport = machine.makeTransport
    observed.makeTransport = { identity, connections in
      answers.observing(try makeTransport(identity, connections))
    }
    var factory = Remotes(machine: observed, log: log)
    let ledger: any LedgerStore
    do {
      ledger = try LedgerFolder(machine: machine, isReadOnly: false).openLedger()
    } catch {
      return [Diagnosis("ledger", error)]
    }
    let recorder = AccessRecorder(log: ledger, grant: grant, tier: .full, now: machine.now)
    factory.note = { try await recorder.note($0) }
    var findings: [Diagnosis] = []
    do {
      findings += try await found(settings, by: factory, configuration)
    } catch {
      let error = EpactError(describing: error, of: settings)
      findings.append(Diagnosis("reachability", of: settings.name, error))
    }
    try? await recorder.flush()
    return findings + heard(answers, settings.name)
  }

  /// Opens a calendar, or lists those of an account, and says what is there.
  private func found(
    _ settings: RemoteSettings, by factory: Remotes, _ configuration: Configuration
  ) async throws -> [Diagnosis] {
    func ok(_ words: String) -> Diagnosis {
      Diagnosis(.ok, "reachability", of: settings.name, words)
    }
    guard configuration.accounts[settings.name] == nil else {
      return [ok(try await Self.accountWords(settings, by: factory))]
    }
    guard case .full(let calendar) = try await AccessTier.full.open(try factory.remote(settings))
    else { return [] }
    if case .webcal = settings.kind {
      // A feed is opened without a request.
      let count = Count(try await calendar.list().count, "item")
      return [ok("the feed is there, with \(count)")]
    }
    if case .vendor(let vendor) = settings.kind {
      return try await reach(vendor, settings.name, calendar, configuration)
    }
    if case .birthdays(let contacts) = settings.kind {
      let count = Count(try await calendar.list().count { $0.etag != nil }, "date")
      return [ok("the contacts are there, with \(count)")]
        + (try notes(on: contacts, settings.name, by: factory))
    }
    let syncs = configuration.syncs.filter { $0.remote == settings.name }
    let limits = syncs.compactMap { sync in
      configuration.calendars[sync.calendar].flatMap { Self.limit(of: $0, by: calendar) }
    }
    return [ok("the calendar is there")] + limits
  }

  /// The findings for dates of contacts that have no event, such as years without a day.
  private func notes(
    on contacts: BirthdaySettings, _ name: String, by factory: Remotes
  ) throws -> [Diagnosis] {
    let notes = try factory.contacts(contacts).notes(at: machine.now())
    let rest = notes.count - Self.shownNotes
    let more = rest > 0 ? ["and \(Count(rest, "more date")) without an event"] : []
    return (notes.prefix(Self.shownNotes) + more).map { Diagnosis(.note, "contact", of: name, $0) }
  }

  /// The finding for a local calendar that takes items which its remote refuses.
  private static func limit(
    of local: CalendarSettings, by remote: any RemoteCalendar
  ) -> Diagnosis? {
    guard let components = remote.components, !local.isReadOnly else { return nil }
    let table = "[calendar.\(local.name)]"
    guard !components.isEmpty else {
      return Diagnosis(
        .warning, "calendar", of: local.name,
        "items can be added here, and the server allows only reading",
        remedy: .other("Add read-only = true to \(table)."))
    }
    let refused = local.kinds.map(\.rawValue).filter { !components.contains($0) }.sorted()
    let taken = CalendarInfo.standardKinds.map(\.rawValue).filter(components.contains).sorted()
    guard !refused.isEmpty, !taken.isEmpty else { return nil }
    let key = "components = \(TOMLText.array(taken))"
    return Diagnosis(
      .warning, "calendar", of: local.name,
      "\(refused.joined(separator: " and ")) can be added here, and the calendar on the server is for "
        + "\(taken.joined(separator: " and "))", remedy: .other("Add \(key) to \(table)."))
  }

  /// The contents of an account, in words.
  private static func accountWords(
    _ settings: RemoteSettings, by factory: Remotes
  ) async throws -> String {
    let account = try factory.account(settings)
    let found = try await account.collections()
    let readOnly = found.filter { $0.components?.isEmpty == true }.map { $0.title ?? $0.id.folder }
    let subscriptions = try await account.subscriptions().map(\.title)
    var words = found.count == 1 ? "1 calendar is there" : "\(found.count) calendars are there"
    if !readOnly.isEmpty { words += "; read-only: \(readOnly.joined(separator: ", "))" }
    if !subscriptions.isEmpty {
      words += "; subscriptions, which a sync leaves out: \(subscriptions.joined(separator: ", "))"
    }
    return words
  }

  private func heard(_ answers: ServerAnswers, _ name: String) -> [Diagnosis] {
    var findings: [Diagnosis] = []
    if let time = answers.date {
      let difference = machine.now().secondsSinceEpoch - time.secondsSinceEpoch
      let off = difference.magnitude
      if off > UInt64(Self.tolerance) {
        findings.append(
          Diagnosis(
            .warning, "clock", of: name,
            "this machine is \(off) s \(difference > 0 ? "ahead of" : "behind") the server",
            remedy: .other("No sync depends on it, but times that are written into items do.")))
      }
    }
    if let server = answers.server {
      findings.append(Diagnosis(.note, "server", of: name, "\(server)"))
      findings += ServerHabit.known(of: server).map {
        Diagnosis(.note, "server", of: name, $0.habit, remedy: .other($0.consequence))
      }
    }
    return findings
  }
}
