// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import Epact

/// Interactive questions about access.
extension AccessDesk {
  /// The maximum number of times that an unrecognized answer is asked for again.
  private static let attempts = 3

  /// Asks the user for an access tier, the lowest useful one first, and stores the answer.
  ///
  /// - Throws: `Failure` if there is no terminal, no sync uses the remote, or the user gives no
  ///   answer.
  mutating func ask() async throws {
    let command = SuggestedCommand.grant(wanted, to: name)
    guard status != .restricted else {
      _ = try AccessGate.tier(of: grant, under: restriction, wanted: wanted, remote: name)
      return
    }
    guard context.console.canAsk, let purpose = purposeOfSyncs else {
      throw Failure(
        .noAccess, "no access to \"\(name)\" was granted, and there is no terminal to ask on",
        hint: "To grant it: \(command)")
    }
    let offered = tiersOffered
    show(purpose: purpose, tiers: offered)
    let words = offered.map(\.rawValue).joined(separator: ", ")
    let tier = try choose("Which access do you grant? [\(words)]") { word in
      offered.first { $0.rawValue.hasPrefix(word) }
    }
    guard let tier else { throw Failure(.noAccess, "nothing was granted for \"\(name)\"") }
    try await store(tier, purpose: purpose, isConfirmed: true)
  }

  /// Asks for confirmation before the access tier is raised.
  ///
  /// - Throws: `Failure` if the user does not confirm.
  func confirm(raising earlier: AccessGrant, to tier: AccessTier, purpose: Purpose) throws {
    guard context.console.canAsk else {
      let command = SuggestedCommand.grant(
        tier, to: name, purpose: purpose.text, isConfirmed: true)
      throw Failure(
        .noAccess,
        "the access to \"\(name)\" is \(earlier.tier.rawValue), and there is no terminal to ask on whether it is to be \(tier.rawValue)",
        hint: "To raise it: \(command)")
    }
    context.console.report(
      "So far: \(earlier.tier.rawValue), \(ConsoleText(earlier.purpose)) \("(by \(earlier.grantedBy))", .dim)"
    )
    show(purpose: purpose.text, tiers: [tier])
    let answer = try choose("Raise the access to \(tier.rawValue)? [yes, no]") { word in
      ["yes", "no"].first { $0.hasPrefix(word) }
    }
    guard answer == "yes" else {
      throw Failure(
        .noAccess, "the access to \"\(name)\" stays what it was: \(earlier.tier.rawValue)")
    }
  }

  /// The tiers to offer: the requested one, then the other useful ones from high to low, then none.
  private var tiersOffered: [AccessTier] {
    let most = restriction?.tier ?? .full
    let useful = AccessTier.allCases.filter { $0 != .none && $0 != wanted && $0 <= most }
    return [wanted] + useful.reversed() + [.none]
  }

  /// The purpose of the configured syncs with the remote, in a sentence; nil if there are none.
  private var purposeOfSyncs: String? {
    guard !syncs.isEmpty else { return nil }
    let stated = syncs.compactMap(\.purpose?.text)
    if stated.count == syncs.count { return stated.joined(separator: " ") }
    let calendars = Set(syncs.map(\.calendar)).sorted().map { "\"\($0)\"" }
      .joined(separator: " and ")
    return wanted == .full
      ? "Keeps the calendar \(calendars) in step with this remote."
      : "Adds the events of the calendar \(calendars) to this remote."
  }

  private func show(purpose: String, tiers: [AccessTier]) {
    context.console.report("\(name, .bold) is \(identity).")
    context.console.report("What for: \(purpose)")
    for tier in tiers {
      let name = DisplayWidth.padded(tier.rawValue, to: 10)
      context.console.report("  \(name)  \(Self.meaning(of: tier))")
    }
    if let restriction { context.console.report("It is \("\(restriction)", .bold).") }
  }

  private static func meaning(of tier: AccessTier) -> String {
    switch tier {
    case .none: "never contacts it"
    case .writeOnly: "adds new events; reads, changes and deletes nothing; no reminders"
    case .full: "reads, adds, changes and deletes everything in it"
    }
  }

  /// Asks until the answer is valid; nil if the user gives no answer or no valid one.
  private func choose<Answer>(
    _ question: ConsoleText, among meaning: (String) -> Answer?
  ) throws -> Answer? {
    for _ in 0..<Self.attempts {
      guard let word = try context.console.answer(to: question)?.lowercased(), !word.isEmpty else {
        return nil
      }
      if let answer = meaning(word) { return answer }
      context.console.report("Please answer with one of the words, or with nothing at all.")
    }
    return nil
  }
}
