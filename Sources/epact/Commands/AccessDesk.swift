// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import CivilTime
import Glibc

/// Where the access to one remote is asked for, granted and taken back.
struct AccessDesk: Sendable {
  /// The purpose of a refusal, which needs no reasons.
  static let purposeOfNone = "Keeps the program away from this remote altogether."

  private let name: String
  private let identity: RemoteIdentity
  private let state: State
  private let isDryRun: Bool
  private let context: Context
  private let syncs: [SyncSettings]
  /// The stored answer, or nil while nobody was asked.
  private(set) var grant: AccessGrant?

  /// Looks up the answer for a remote.
  ///
  /// - Throws: `Failure` if the configuration has no such remote.
  init(
    remote name: String, configuration: Configuration, isDryRun: Bool, _ context: Context
  ) async throws {
    guard let settings = configuration.remotes[name] else {
      let near = Suggestion.nearest(to: name, among: configuration.remotes.keys.sorted())
      throw Failure(
        .configuration,
        near.map { "there is no remote \"\(name)\" in the configuration; did you mean \"\($0)\"?" }
          ?? "there is no remote \"\(name)\" in the configuration")
    }
    self.name = name
    self.isDryRun = isDryRun
    self.context = context
    identity = try RemoteFactory(machine: context.machine, log: context.log).identity(of: settings)
    syncs = configuration.syncs.filter { $0.remote == name }
    state = State(machine: context.machine, isReadOnly: isDryRun)
    grant = try await state.openLedger().grant(for: identity)
  }

  /// Stores an answer.
  ///
  /// - Throws: `AccessError` if the purpose does not say what is done, and why.
  mutating func store(_ tier: AccessTier, purpose text: String) async throws {
    let purpose = try Purpose(text)
    let answer = AccessGrant(
      remote: identity, tier: tier, purpose: purpose.text, grantedAt: context.machine.now(),
      grantedBy: context.machine.userName)
    if !isDryRun { try await state.openLedger().store(answer) }
    grant = answer
  }

  /// Takes the answer back.
  mutating func revoke() async throws {
    if !isDryRun { try await state.openLedger().revoke(identity) }
    grant = nil
  }

  /// Asks the person in front of the terminal, and stores the answer.
  ///
  /// - Throws: `Failure` if there is no terminal, or no answer.
  mutating func ask() async throws {
    let command = ConsoleText("\(AccessGate.command(ShellWord(name).description, .full))")
    guard context.console.canAsk, let purpose = purposeOfSyncs else {
      throw Failure(
        .noAccess, "no access to \"\(name)\" was granted, and there is no terminal to ask on",
        hint: "To grant it: \(command)")
    }
    for line in question(purpose: purpose) { context.console.report(line) }
    for _ in 0..<Self.attempts {
      context.console.ask("Which access do you grant? [full, write-only, none] ")
      var input = InputStream(descriptor: STDIN_FILENO)
      let answer = String(decoding: try input.nextChunk(), as: UTF8.self)
      guard let word = answer.split(whereSeparator: \.isWhitespace).first?.lowercased() else {
        break
      }
      guard let tier = AccessTier.allCases.first(where: { $0.rawValue.hasPrefix(word) }) else {
        context.console.report("Please answer with one of the three words, or with nothing at all.")
        continue
      }
      return try await store(tier, purpose: purpose)
    }
    throw Failure(.noAccess, "nothing was granted for \"\(name)\"")
  }

  private static let attempts = 3

  /// What the configured syncs want with the remote, as a sentence; nil if there are none.
  private var purposeOfSyncs: String? {
    guard !syncs.isEmpty else { return nil }
    let calendars = Set(syncs.map(\.calendar)).sorted().map { "\"\($0)\"" }
    return "Keeps the calendar \(calendars.joined(separator: " and ")) in step with this remote."
  }

  private func question(purpose: String) -> [ConsoleText] {
    [
      "\(name, .bold) is \(identity).",
      "What for: \(purpose)",
      "  full        reads, adds, changes and deletes everything in it",
      "  write-only  adds new events; reads, changes and deletes nothing",
      "  none        never contacts it",
    ]
  }

  // MARK: Telling

  /// The answer on one line.
  func line(nameWidth: Int = 0) -> ConsoleText {
    let title = DisplayWidth.padded(SafeText.escaped(name), to: nameWidth)
    let status = AccessStatus(grant)
    guard let grant else { return "\(title, .bold)  \(status.rawValue)  \(identity)" }
    return
      "\(title, .bold)  \(grant.tier.rawValue, .green)  \(identity): \(grant.purpose) \("(\(time(grant.grantedAt)) by \(grant.grantedBy))", .dim)"
  }

  /// The answer for programs.
  var json: JSONValue {
    [
      "remote": .string(name), "identity": .string(identity.description),
      "status": .string(AccessStatus(grant).rawValue), "tier": JSONValue(grant?.tier.rawValue),
      "purpose": JSONValue(grant?.purpose),
      "grantedAt": JSONValue(grant.map { time($0.grantedAt) }),
      "grantedBy": JSONValue(grant?.grantedBy),
    ]
  }

  private func time(_ instant: Instant) -> String {
    guard let civil = instant.civil() else { return instant.description }
    let (date, time) = (civil.date, civil.time)
    let numbers = [date.year, date.month, date.day, time.hour, time.minute, time.second]
    let digits = numbers.map { $0 < 10 ? "0\($0)" : "\($0)" }
    return digits[..<3].joined(separator: "-") + "T" + digits[3...].joined(separator: ":") + "Z"
  }
}
