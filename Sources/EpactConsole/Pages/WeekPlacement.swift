// SPDX-License-Identifier: Apache-2.0

import Epact

/// The rows and columns of the events of a day in a week's grid.
///
/// Events that overlap are side by side, in their lanes. An event that begins in the row in which
/// another one ends gets that row:
///
///     09:00 ▌Math                     9:00 to 9:45
///           ▌:45 English              9:45 to 10:30
///     10:00 ▌
///           ▌Bio                      10:30 to 11:15
///     11:00 ▌:15 Chem
///     11:30 ▌Call  ▌:45 Tea           11:30 to 11:45, 11:45 to 12:00
struct WeekPlacement {
  /// The minutes of a row.
  static let rowMinutes = 30
  /// The minimum width of an event.
  private static let narrowest = 3

  /// An event in the grid.
  struct Place {
    let block: WeekDays.Block
    /// The rows, from that of the start on.
    fileprivate(set) var rows: Range<Int>
    /// The columns in the day.
    fileprivate(set) var columns: Range<Int>
  }

  /// The events that are shown.
  private(set) var places: [Place] = []
  /// The number of events that have no room.
  private(set) var hiddenCount = 0

  /// Places the events of a day.
  ///
  /// - Parameters:
  ///   - blocks: The events, by start.
  ///   - hours: The hours of the grid.
  ///   - width: The width of a day.
  init(_ blocks: [WeekDays.Block], hours: Range<Int>, width: Int) {
    let count = hours.count * 60 / Self.rowMinutes
    /// The places that share the row and the columns of another one, by its index.
    var sharing: [Int: [Int]] = [:]
    for block in blocks {
      let rows = Self.rows(of: block, from: hours.lowerBound * 60, count: count)
      guard !rows.isEmpty else { continue }
      add(
        Place(block: block, rows: rows, columns: Self.columns(of: block, width: width)), &sharing)
    }
    for (first, others) in sharing { share([first] + others) }
  }

  private mutating func add(_ new: Place, _ sharing: inout [Int: [Int]]) {
    var new = new
    for index in places.indices
    where places[index].rows.overlaps(new.rows) && places[index].columns.overlaps(new.columns) {
      let other = places[index]
      guard other.block.end <= new.block.start else {
        // More events overlap than have room side by side.
        hiddenCount += 1
        return
      }
      if other.rows.count > 1 {
        places[index].rows = other.rows.lowerBound..<new.rows.lowerBound
      } else if new.rows.count > 1 {
        new.rows = new.rows.lowerBound + 1..<new.rows.upperBound
      } else {
        let first = sharing.first { $0.value.contains(index) }?.key ?? index
        let most = places[first].columns.count / Self.narrowest
        guard sharing[first, default: []].count + 1 < most else {
          hiddenCount += 1
          return
        }
        sharing[first, default: []].append(places.count)
        break
      }
    }
    places.append(new)
  }

  /// Divides the columns of the first place among several.
  private mutating func share(_ indices: [Int]) {
    let whole = places[indices[0]].columns
    for (number, index) in indices.enumerated() {
      let start = whole.lowerBound + number * whole.count / indices.count
      let end = whole.lowerBound + (number + 1) * whole.count / indices.count
      places[index].columns = start..<end
    }
  }

  private static func rows(of block: WeekDays.Block, from first: Int, count: Int) -> Range<Int> {
    guard count > 0 else { return 0..<0 }
    let top = min(max(0, (block.start - first) / rowMinutes), count - 1)
    let bottom = (block.end - first + rowMinutes - 1) / rowMinutes
    return top..<min(count, max(bottom, top + 1))
  }

  /// The columns of an event's lane.
  private static func columns(of block: WeekDays.Block, width: Int) -> Range<Int> {
    let laneCount = min(block.laneCount, max(1, width / narrowest))
    let lane = min(block.lane, laneCount - 1)
    return lane * width / laneCount..<(lane + 1) * width / laneCount
  }
}
