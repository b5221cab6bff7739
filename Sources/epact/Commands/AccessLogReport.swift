// SPDX-License-Identifier: Apache-2.0

import CalendarSync

/// What `epact access --log` tells: the classes of requests that were made under each grant.
struct AccessLogReport: Sendable {
  /// The names of the remotes in the configuration.
  private let names: [RemoteIdentity: String]
  private let entries: [AccessLogEntry]

  /// Creates a report.
  ///
  /// - Parameters:
  ///   - entries: What was logged.
  ///   - names: The names of the remotes in the configuration.
  ///   - remote: The remote that is asked about, or nil for all.
  init(_ entries: [AccessLogEntry], names: [RemoteIdentity: String], of remote: RemoteIdentity?) {
    self.names = names
    self.entries = entries.filter { remote == nil || $0.remote == remote }
  }

  /// The lines for people: one for each grant, and below it one for each class.
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
        "  \(effect)  \(entry.request): \(Count(entry.count, "time")), \(entry.firstAt.timestamp) to \(entry.lastAt.timestamp)"
      )
    }
    return lines
  }

  /// The object for programs.
  var json: JSONValue {
    let requests = entries.map { entry -> JSONValue in
      [
        "remote": JSONValue(names[entry.remote]), "identity": .string(entry.remote.description),
        "tier": .string(entry.tier.rawValue), "grantedAt": .string(entry.grantedAt.timestamp),
        "effect": .string(entry.request.effect.rawValue), "action": .string(entry.request.action),
        "target": .string(entry.request.target), "count": .integer(entry.count),
        "first": .string(entry.firstAt.timestamp),
        "last": .string(entry.lastAt.timestamp),
      ]
    }
    return ["requests": .array(requests)]
  }
}
