// SPDX-License-Identifier: Apache-2.0

/// The ICU library that is in use.
public enum ICU {
  /// The version of the library, such as `72.1`.
  public static var version: String { ICUCalls.version() }

  /// The version of Unicode that it implements, such as `15.0`.
  public static var unicodeVersion: String { ICUCalls.unicodeVersion() }

  /// The version of the time zones that it carries, such as `2022e`, or nil if it has none.
  ///
  /// It is often years old; zones are therefore read from the system's files by `ZoneDatabase`.
  public static var zoneVersion: String? { ICUCalls.zoneVersion() }
}
