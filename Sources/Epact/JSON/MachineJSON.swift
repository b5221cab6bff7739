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
    [
      "kind": .string(kind), "place": .string(place), "at": .string("\(time)"),
      "delayMinutes": .integer(delay), "next": JSONValue(time.next(after: now, in: zone)),
      "active": isActive.map { .bool($0) } ?? .null,
    ]
  }
}
