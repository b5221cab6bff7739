// SPDX-License-Identifier: Apache-2.0

/// The movement that fires an alarm at a location.
///
/// The raw values are those of Apple's EventKit.
public enum EKAlarmProximity: Int, Hashable, Sendable {
  /// The alarm fires at a time.
  case none = 0
  /// The alarm fires on arrival at the location.
  case enter = 1
  /// The alarm fires on departure from the location.
  case leave = 2
}

/// The action of an alarm.
public enum EKAlarmType: Int, Hashable, Sendable {
  /// Displays a message.
  case display = 0
  /// Plays a sound.
  case audio = 1
  /// Opens a document or runs a program.
  case procedure = 2
  /// Sends an e-mail.
  case email = 3
}
