// SPDX-License-Identifier: Apache-2.0

/// A day of the week, named as in recurrence rules (RFC 5545 §3.3.10).
public enum Weekday: UInt8, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// Monday, written `MO`.
  case monday
  /// Tuesday, written `TU`.
  case tuesday
  /// Wednesday, written `WE`.
  case wednesday
  /// Thursday, written `TH`.
  case thursday
  /// Friday, written `FR`.
  case friday
  /// Saturday, written `SA`.
  case saturday
  /// Sunday, written `SU`.
  case sunday

  /// Creates a weekday from its two-letter code in either case, or returns nil for other texts.
  public init?(_ code: some StringProtocol) {
    let code = code.uppercased()
    guard let match = Weekday.allCases.first(where: { $0.description == code }) else { return nil }
    self = match
  }

  /// The two-letter code, from `MO` through `SU`.
  public var description: String {
    switch self {
    case .monday: "MO"
    case .tuesday: "TU"
    case .wednesday: "WE"
    case .thursday: "TH"
    case .friday: "FR"
    case .saturday: "SA"
    case .sunday: "SU"
    }
  }

  /// The number of days since the last `first`, from 0 through 6.
  ///
  /// This is the position of the day in a week that starts on `first`.
  public func days(since first: Weekday) -> Int {
    let difference = Int(rawValue) - Int(first.rawValue)
    return difference < 0 ? difference + 7 : difference
  }
}
