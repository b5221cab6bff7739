// SPDX-License-Identifier: Apache-2.0

/// The reasons why a rule cannot be expanded.
public enum ExpansionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The calendar of the rule is not available (RFC 7529 §6).
  case unknownCalendar(String)
  /// The calendar of the rule does not support the start.
  case startOutsideCalendar(String)

  /// The message for people.
  public var description: String {
    switch self {
    case .unknownCalendar(let name):
      "expected a calendar that is known, found RSCALE=\(name) (RFC 7529 §4)"
    case .startOutsideCalendar(let name):
      "expected a start within the calendar \(name), found one outside (RFC 7529 §4)"
    }
  }
}
