// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import CivilTime
package import Epact

// The access of remotes and programs as text: a line for each, with columns for names and states.

extension RemoteAccess {
  /// The access state on one line.
  package func line(nameWidth: Int = 0) -> ConsoleText {
    let line = AccessLine(name: name, status: status, subject: "\(identity)")
      .text(nameWidth, grant.map { ($0.purpose, $0.grantedAt, $0.grantedBy) }, restriction)
    guard !limitedSyncs.isEmpty else { return line }
    return line
      + "; write-only in \(limitedSyncs.joined(separator: ", ")), whose configuration asks for no more"
  }
}

extension ProgramDecision {
  /// The access of a program to a kind of items on one line.
  package func line(nameWidth: Int = 0) -> ConsoleText {
    let target: ConsoleText = grant.calendar.map { " into \($0)" } ?? ""
    return AccessLine(
      name: grant.program, status: status,
      subject: "\(grant.name), \(grant.entity.rawValue)\(target)"
    ).text(nameWidth, (grant.purpose, grant.grantedAt, grant.grantedBy), restriction)
  }
}

/// The state of an access on one line.
private struct AccessLine {
  let name: String
  let status: AccessStatus
  let subject: ConsoleText

  func text(
    _ nameWidth: Int, _ grant: (purpose: String, at: Instant, by: String)?,
    _ restriction: AccessRestriction?
  ) -> ConsoleText {
    let title = DisplayWidth.padded(SafeText.escaped(name), to: nameWidth)
    var line: ConsoleText = "\(title, .bold)  \(status.rawValue, style)  \(subject)"
    if let grant {
      if !grant.purpose.isEmpty { line = line + ": \(grant.purpose)" }
      line = line + " \("(", .dim)\(local: grant.at, .dim)\(" by \(grant.by))", .dim)"
    }
    return restriction.map { "\(line); \($0.words)" } ?? line
  }

  private var style: ConsoleText.Style? {
    switch status {
    case .full, .writeOnly: .green
    case .denied, .restricted: .yellow
    case .notDetermined: nil
    }
  }
}

extension Purpose.Weakness {
  /// Advice on how to improve the wording of a purpose.
  package var advice: ConsoleText {
    switch self {
    case .long: "The purpose is long; one sentence is read sooner."
    case .placeholder, .general:
      "A purpose is most useful if it says what is done and why, as: Adds the start of classes you "
        + "book to your calendar."
    }
  }
}

extension LoggedAccess {
  /// The log as text: a line for each decision, and one for each class of requests or uses under it.
  package var lines: [ConsoleText] {
    let requests = requests.map { requests in requests.log.lines(requests.name) }
    return (requests ?? []) + (uses?.lines { _ in nil } ?? [])
  }
}

extension DecisionLog where Entry: LoggedClass {
  fileprivate func lines(_ name: (RemoteIdentity) -> String?) -> [ConsoleText] {
    sections.flatMap { section in
      [section.heading(name)]
        + section.entries.map { entry in
          let effect = DisplayWidth.padded(entry.effect.rawValue, to: 6)
          // The tier is stated if it is not the granted one.
          let tier = section.decision?.tier
          let under: ConsoleText = tier == entry.tier ? "" : " as \(entry.tier.rawValue)"
          return "  \(effect)  \(entry.words): \(Count(entry.count, "time"))\(under), "
            + "\(local: entry.firstAt) to \(local: entry.lastAt)"
        }
    }
  }
}

extension DecisionLog.Section {
  /// The line of the decision: its subject, its result and time, the user and the purpose.
  fileprivate func heading(_ name: (RemoteIdentity) -> String?) -> ConsoleText {
    let title: ConsoleText =
      switch subject {
      case .remote(let remote): name(remote).map { "\($0, .bold)  \(remote)" } ?? "\(remote)"
      case .program(let program, let entity): "\(program, .bold)  \(entity.rawValue)"
      }
    guard let decision else { return "\(title)  granted \(local: decidedAt)" }
    let result =
      switch decision.tier {
      case nil: "revoked"
      case AccessTier.none?: "refused"
      case let tier?: "granted \(tier.rawValue)"
      }
    let purpose: ConsoleText = decision.isGrant ? ": \(decision.purpose)" : ""
    return "\(title)  \(result) \(local: decidedAt) by \(decision.decidedBy)\(purpose)"
  }
}
