// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// What movement an alarm goes off at, beside its trigger (RFC 9074 §8.1).
///
/// Other words than those named here may stand in a file and are kept; case does not count.
public struct AlarmProximity: RawRepresentable, Hashable, Sendable {
  /// The word, in upper case.
  public let rawValue: String

  /// Creates a value from its word, in whatever case.
  public init(rawValue: String) {
    self.rawValue = rawValue.asciiUppercased
  }

  /// Getting to the place.
  public static let arrive = AlarmProximity(rawValue: "ARRIVE")
  /// Leaving the place.
  public static let depart = AlarmProximity(rawValue: "DEPART")
  /// Connecting to a car's devices.
  public static let connect = AlarmProximity(rawValue: "CONNECT")
  /// Disconnecting from them.
  public static let disconnect = AlarmProximity(rawValue: "DISCONNECT")
}
