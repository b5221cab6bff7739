// SPDX-License-Identifier: Apache-2.0

/// Why a rule cannot be expanded.
public enum ExpansionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The rule is reckoned in a calendar that is not at hand (RFC 7529 §6).
  case unknownCalendar(String)
  /// The start is a day that the calendar of the rule cannot tell.
  case startOutsideCalendar(String)

  /// The sentence for people.
  public var description: String {
    switch self {
    case .unknownCalendar(let name):
      "expected a calendar that is known, found RSCALE=\(name) (RFC 7529 §4)"
    case .startOutsideCalendar(let name):
      "expected a start within the calendar \(name), found one outside (RFC 7529 §4)"
    }
  }
}
