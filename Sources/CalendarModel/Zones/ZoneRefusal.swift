// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// The reason why a TZID is unknown.
public enum ZoneRefusal: String, Hashable, Sendable, CaseIterable {
  /// The name is empty.
  case empty
  /// The name is an abbreviation of several zones, such as `CST`.
  case abbreviation
  /// The name has a UTC offset, but no rules for changes.
  case offsetAlone = "offset-alone"
  /// The name has two offsets, but no rules for changes.
  case twoOffsets = "two-offsets"
  /// The name resembles one of the database, which has no such place.
  case place
  /// The name is not recognized.
  case unknown

  /// The reason as a clause with the subject `it`.
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

  /// Determines the reason for a name.
  init(of name: String, isArea: (String) -> Bool) {
    // Only signs before a digit count: the dash in "Mid-Atlantic" does not.
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
