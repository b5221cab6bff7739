// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import CivilTime
import Epact
import EpactConsole

/// The access to a remote as text.
extension RemoteAccess {
  /// The access state on one line.
  func line(nameWidth: Int = 0) -> ConsoleText {
    let title = DisplayWidth.padded(SafeText.escaped(name), to: nameWidth)
    var line: ConsoleText = "\(title, .bold)  \(status.rawValue, color)  \(identity)"
    if let grant {
      line =
        line
        + ": \(grant.purpose) \("(\(grant.grantedAt.timestamp) by \(grant.grantedBy))", .dim)"
    }
    guard let restriction else { return line }
    return line + "; \(restriction)"
  }

  private var color: ConsoleText.Style? { status.color }
}

extension AccessStatus {
  fileprivate var color: ConsoleText.Style? {
    switch self {
    case .full, .writeOnly: .green
    case .denied, .restricted: .yellow
    case .notDetermined: nil
    }
  }
}

extension ProgramDecision {
  /// The access of a program to a kind of items on one line.
  func line(nameWidth: Int = 0) -> ConsoleText {
    let title = DisplayWidth.padded(SafeText.escaped(grant.program), to: nameWidth)
    var line: ConsoleText = "\(title, .bold)  \(status.rawValue, status.color)  \(grant.name), "
    line = line + "\(grant.entity.rawValue)"
    if let calendar = grant.calendar { line = line + " into \(calendar)" }
    if !grant.purpose.isEmpty { line = line + ": \(grant.purpose)" }
    line = line + " \("(\(grant.grantedAt.timestamp) by \(grant.grantedBy))", .dim)"
    guard let restriction else { return line }
    return line + "; \(restriction)"
  }
}

extension ProgramLogEntry {
  /// The text output: a line for each grant, followed by a line for each class of uses.
  static func lines(_ entries: [ProgramLogEntry]) -> [ConsoleText] {
    var lines: [ConsoleText] = []
    var last: ProgramLogEntry?
    for entry in entries {
      let isNext = last.map { last in
        last.program == entry.program && last.entity == entry.entity && last.tier == entry.tier
          && last.grantedAt == entry.grantedAt
      }
      if isNext != true {
        lines.append(
          "\(entry.program, .bold)  \(entry.tier.rawValue)  \(entry.entity.rawValue)  granted "
            + "\(entry.grantedAt.timestamp)")
      }
      last = entry
      let effect = DisplayWidth.padded(entry.use.effect.rawValue, to: 6)
      lines.append(
        "  \(effect)  \(entry.use.rawValue): \(Count(entry.count, "time")), "
          + "\(entry.firstAt.timestamp) to \(entry.lastAt.timestamp)")
    }
    return lines
  }
}

extension Purpose.Weakness {
  /// Advice on how to improve the wording of a purpose.
  var advice: ConsoleText {
    switch self {
    case .long: "The purpose is long; one sentence is read sooner."
    case .placeholder, .general:
      "A purpose is most useful if it says what is done and why, as: Adds the start of classes you "
        + "book to your calendar."
    }
  }
}

extension LoggedRequests {
  /// The text output: a line for each grant, followed by a line for each kind of request.
  var lines: [ConsoleText] {
    var lines: [ConsoleText] = []
    var last: (RemoteIdentity, AccessTier, String)?
    for entry in entries {
      let request = entry.request
      let granted = request.grantedAt.timestamp
      if last.map({ $0 == (request.remote, request.tier, granted) }) != true {
        let name = entry.name.map { "\($0, .bold)  " as ConsoleText } ?? ""
        lines.append("\(name)\(request.tier.rawValue)  \(request.remote)  granted \(granted)")
        last = (request.remote, request.tier, granted)
      }
      let effect = DisplayWidth.padded(request.request.effect.rawValue, to: 6)
      lines.append(
        "  \(effect)  \(request.request): \(Count(request.count, "time")), "
          + "\(request.firstAt.timestamp) to \(request.lastAt.timestamp)"
      )
    }
    return lines
  }
}
