// SPDX-License-Identifier: Apache-2.0

import CalendarSync
package import Epact

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
