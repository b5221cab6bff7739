// SPDX-License-Identifier: Apache-2.0

/// The classes of places in the week: no page has a style of its own, which the content policy would
/// refuse.
///
/// - `qN`: begins in quarter hour N of the day; `sN`: lasts N quarter hours;
/// - `nKmM`: is the K-th of M side by side; `dN`, `wN`: begins on day N, lasts N days.
/// - `hN`: the number of hours of the grid; `mN`: a day with N events side by side.
enum WeekSheet {
  /// The maximum number of events side by side.
  static let laneLimit = 6
  /// The columns of a day, which any number of lanes divides.
  private static let columns = 60

  /// The rules.
  static let text: String = {
    var rules: [String] = []
    for quarter in 0..<96 { rules.append(".q\(quarter){grid-row-start:\(quarter + 1)}") }
    for length in 1...96 { rules.append(".s\(length){grid-row-end:span \(length)}") }
    for count in 1...laneLimit {
      let width = columns / count
      for lane in 1...count {
        rules.append(".n\(lane)m\(count){grid-column:\((lane - 1) * width + 1)/span \(width)}")
      }
    }
    // A day is as wide as the words of its events need, unless all are wider.
    for count in 1...laneLimit {
      rules.append(".week .m\(count){min-width:calc(var(--lane)*\(count))}")
    }
    for day in 1...7 {
      rules.append(".d\(day){grid-column-start:\(day)}.w\(day){grid-column-end:span \(day)}")
    }
    for hours in 1...24 {
      rules.append(
        ".week .h\(hours){grid-template-rows:repeat(\(hours * 4),calc(var(--hour)/4))}")
    }
    return rules.joined(separator: "\n") + "\n"
  }()
}
