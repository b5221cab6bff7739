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

  private var color: ConsoleText.Style? {
    switch status {
    case .full, .writeOnly: .green
    case .denied, .restricted: .yellow
    case .notDetermined: nil
    }
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
