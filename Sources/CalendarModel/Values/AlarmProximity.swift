// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// The movement that fires an alarm, in addition to its trigger (RFC 9074 §8.1).
///
/// Unknown words are kept. Words are compared without regard to case.
public struct AlarmProximity: RawRepresentable, Hashable, Sendable {
  /// The word, in upper case.
  public let rawValue: String

  /// Creates a value from a word in any case.
  public init(rawValue: String) {
    self.rawValue = rawValue.asciiUppercased
  }

  /// Arrival at the location.
  public static let arrive = AlarmProximity(rawValue: "ARRIVE")
  /// Departure from the location.
  public static let depart = AlarmProximity(rawValue: "DEPART")
  /// Connection to a car's Bluetooth.
  public static let connect = AlarmProximity(rawValue: "CONNECT")
  /// Disconnection from a car's Bluetooth.
  public static let disconnect = AlarmProximity(rawValue: "DISCONNECT")
}
