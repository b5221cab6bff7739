// SPDX-License-Identifier: Apache-2.0

/// Information about the linked ICU library.
public enum ICU {
  /// The version of the library, such as `72.1`.
  public static var version: String { ICUCalls.version() }

  /// The supported version of Unicode, such as `15.0`.
  public static var unicodeVersion: String { ICUCalls.unicodeVersion() }

  /// The version of the bundled time zones, such as `2022e`, or nil if there are none.
  ///
  /// It is often years old; `ZoneDatabase` therefore reads zones from the system's files.
  public static var zoneVersion: String? { ICUCalls.zoneVersion() }
}
