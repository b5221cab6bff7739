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

/// The output of `epact access --log`: the requests by kind under each grant.
struct AccessLogReport: Sendable {
  /// The names of the remotes in the configuration.
  private let names: [RemoteIdentity: String]
  private let entries: [AccessLogEntry]

  /// Creates a report.
  ///
  /// - Parameters:
  ///   - entries: The log entries.
  ///   - names: The names of the remotes in the configuration.
  ///   - remote: The remote to report on, or nil for all.
  init(_ entries: [AccessLogEntry], names: [RemoteIdentity: String], of remote: RemoteIdentity?) {
    self.names = names
    self.entries = entries.filter { remote == nil || $0.remote == remote }
  }

  /// The text output: a line for each grant, followed by a line for each kind of request.
  var lines: [ConsoleText] {
    var lines: [ConsoleText] = []
    var last: (RemoteIdentity, AccessTier, String)?
    for entry in entries {
      let granted = entry.grantedAt.timestamp
      if last.map({ $0 == (entry.remote, entry.tier, granted) }) != true {
        let name = names[entry.remote].map { "\($0, .bold)  " as ConsoleText } ?? ""
        lines.append("\(name)\(entry.tier.rawValue)  \(entry.remote)  granted \(granted)")
        last = (entry.remote, entry.tier, granted)
      }
      let effect = DisplayWidth.padded(entry.request.effect.rawValue, to: 6)
      lines.append(
        "  \(effect)  \(entry.request): \(Count(entry.count, "time")), \(entry.firstAt.timestamp) "
          + "to \(entry.lastAt.timestamp)"
      )
    }
    return lines
  }

  /// The JSON representation.
  var json: JSONValue {
    ["requests": .array(entries.map { $0.json(name: names[$0.remote]) })]
  }
}
