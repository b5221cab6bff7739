// SPDX-License-Identifier: Apache-2.0

package import CivilTime

extension Diagnosis {
  /// The finding.
  ///
  /// - Parameter advice: The words for the remedy; nil if there is none.
  /// - Returns: The object.
  package func json(advice: String?) -> JSONValue {
    [
      "level": .string(level.rawValue), "check": .string(check), "subject": JSONValue(subject),
      "message": .string(SafeText.escaped(message)), "advice": JSONValue(advice),
    ]
  }
}

extension InstalledJob {
  /// The job, with its next run after an instant.
  package func json(after now: Instant, in zone: ZoneRules) -> JSONValue {
    var (at, every): (String?, String?) = (nil, nil)
    switch times {
    case .daily(let time): at = "\(time)"
    case .every(let minutes): every = "\(TimeSpan(minutes: minutes))"
    case .always: break
    }
    return [
      "kind": .string(kind), "place": .string(place), "at": JSONValue(at),
      "every": JSONValue(every), "watches": .bool(times == .always),
      "delayMinutes": .integer(delay), "next": JSONValue(times.next(after: now, in: zone)),
      "active": isActive.map { .bool($0) } ?? .null,
    ]
  }
}
