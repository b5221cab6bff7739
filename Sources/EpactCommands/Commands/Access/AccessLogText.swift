// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import CivilTime
import Epact
import EpactConsole

/// The log of requests as text: a line for each decision, and one for each kind of request under it.
extension LoggedRequests {
  /// The lines.
  var lines: [ConsoleText] {
    log.sections.flatMap { section -> [ConsoleText] in
      guard case .remote(let remote) = section.subject else { return [] }
      let name = name(of: remote).map { "\($0, .bold)  " as ConsoleText } ?? ""
      let tier = section.decision?.tier
      return [section.heading(name, "\(remote)")]
        + section.entries.map { entry in
          LogLine(entry.request.effect, "\(entry.request.words)", entry.count)
            .text(entry.firstAt, entry.lastAt, tier == entry.tier ? nil : entry.tier)
        }
    }
  }
}

/// The log of the uses by programs as text.
extension DecisionLog<ProgramLogEntry> {
  /// The lines.
  var lines: [ConsoleText] {
    sections.flatMap { section -> [ConsoleText] in
      guard case .program(let program, let entity) = section.subject else { return [] }
      let tier = section.decision?.tier
      return [section.heading("\(program, .bold)  ", "\(entity.rawValue)")]
        + section.entries.map { entry in
          LogLine(entry.use.effect, "\(entry.use.rawValue)", entry.count)
            .text(entry.firstAt, entry.lastAt, tier == entry.tier ? nil : entry.tier)
        }
    }
  }
}

extension DecisionLog.Section {
  /// The line of the decision: its subject, its result and time, the user and the purpose.
  fileprivate func heading(_ name: ConsoleText, _ subject: ConsoleText) -> ConsoleText {
    guard let decision else {
      return name + subject + "  granted \(local: decidedAt)"
    }
    let result: ConsoleText =
      switch decision.tier {
      case nil: "revoked"
      case AccessTier.none?: "refused"
      case let tier?: "granted \(tier.rawValue)"
      }
    let line = name + subject + "  " + result
    let purpose: ConsoleText = decision.isGrant ? ": \(decision.purpose)" : ""
    return line + " \(local: decidedAt) by \(decision.decidedBy)" + purpose
  }
}

/// The requests or uses of one class on one line.
private struct LogLine {
  private let head: ConsoleText

  init(_ effect: AccessRequest.Effect, _ words: ConsoleText, _ count: Int) {
    let effect = DisplayWidth.padded(effect.rawValue, to: 6)
    head = "  \(effect)  " + words + ": \(Count(count, "time"))"
  }

  /// The line, with the times of the first and last request, and a tier that is not the granted one.
  func text(_ first: Instant, _ last: Instant, _ tier: AccessTier?) -> ConsoleText {
    let under: ConsoleText = tier.map { " as \($0.rawValue)" } ?? ""
    return head + under + ", \(local: first) to \(local: last)"
  }
}
