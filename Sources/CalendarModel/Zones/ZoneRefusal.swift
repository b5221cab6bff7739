// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// Why nothing is known by a TZID.
public enum ZoneRefusal: String, Hashable, Sendable, CaseIterable {
  /// The name is empty.
  case empty
  /// The name is an abbreviation that several zones have, as `CST`.
  case abbreviation
  /// The name says how far the clocks are from UTC, but not when they change.
  case offsetAlone = "offset-alone"
  /// The name says two offsets, but not when the one or the other holds.
  case twoOffsets = "two-offsets"
  /// The name looks like one of the database, which has no such place.
  case place
  /// Nothing in the name is known.
  case unknown

  /// The reason as a clause for people, about `it`.
  public var clause: String {
    switch self {
    case .empty: "which is empty"
    case .abbreviation: "which several zones are called"
    case .offsetAlone: "which is an offset from UTC before a name that is not known"
    case .twoOffsets: "which is two offsets without the days between them"
    case .place: "which is no place that the time zone database knows"
    case .unknown: "which nothing is known of"
    }
  }

  /// Why a name means nothing.
  init(of name: String, isArea: (String) -> Bool) {
    // Signs with a digit behind them: the dash of "Mid-Atlantic" is none.
    let offsets = zip(name, name.dropFirst()).count { sign, digit in
      (sign == "+" || sign == "-") && ("0"..."9").contains(digit)
    }
    let start = name.asciiUppercased
    let isOffset = start.hasPrefix("(") || start.hasPrefix("GMT") || start.hasPrefix("UTC")
    if name.isEmpty {
      self = .empty
    } else if ZoneAliases.isAmbiguous(name) {
      self = .abbreviation
    } else if isOffset, offsets > 1 {
      self = .twoOffsets
    } else if isOffset, offsets == 1 {
      self = .offsetAlone
    } else if let slash = name.drop(while: { $0 == "/" }).firstIndex(of: "/"),
      isArea(String(name[..<slash].drop { $0 == "/" }))
    {
      self = .place
    } else {
      self = .unknown
    }
  }
}
