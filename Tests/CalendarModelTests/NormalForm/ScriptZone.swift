// SPDX-License-Identifier: Apache-2.0

/// The time zone of a series that the tests of the normal form rewrite and edit.
enum ScriptZone: String, CaseIterable {
  /// One that the database knows, always five hours and a half ahead of UTC.
  case known = "Asia/Kolkata"
  /// One that only the calendar defines, an hour ahead of UTC in winter.
  case defined = "Our clock"

  /// Another name of it.
  var otherName: String {
    switch self {
    case .known: "/mozilla.org/20050126_1/Asia/Calcutta"
    case .defined: "Their clock"
    }
  }

  /// What nine o'clock in January is in UTC.
  var nineInUTC: String {
    switch self {
    case .known: "T033000Z"
    case .defined: "T080000Z"
    }
  }

  /// A calendar with definitions of both names of the zone that only it defines: in other words, and with the
  /// same offsets wherever the series uses them.
  static func calendar(_ lines: [String]) -> [String] {
    NormalFormTests.zone(defined.rawValue)
      + NormalFormTests.zone(defined.otherName, from: "19960331T020000", remark: "B") + lines
  }
}
