// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
import CalendarStore
public import CalendarSync
public import CivilTime

/// The items of a calendar at a point in time.
public struct LibraryContents: Sendable {
  /// The calendar.
  public let calendar: CalendarInfo
  /// The items by UID.
  public let entries: [UID: LocalEntry]
  /// The files, or the parts of the file, that are not valid items.
  public let unreadable: [UnreadableEntry]
  /// A number that differs from earlier contents of the same library if an item differs.
  public let generation: Int
  let index: TimeIndex

  /// The items that may have occurrences in a range of time, in the order of their first one.
  ///
  /// All items with an occurrence in the range are among them, in every time zone of a viewer.
  /// Items without a time are not. The time is proportional to the number of items, a few
  /// nanoseconds for each.
  public func candidates(in range: Range<Instant>) -> [LocalEntry] {
    index.items(in: range).compactMap { entries[$0] }
  }
}

/// The items of a calendar by the range of time that contains all their occurrences.
struct TimeIndex: Sendable {
  private struct Place: Sendable {
    let lower: Instant
    let upper: Instant
    let uid: UID

    func isOrdered(before other: Place) -> Bool {
      lower == other.lower ? uid < other.uid : lower < other.lower
    }
  }

  /// The items with a time, by its start.
  private var places: [Place] = []

  /// Places in their order.
  ///
  /// Only numbers are moved while sorting: each move of a text would count its references.
  private static func sorted(_ places: [Place]) -> [Place] {
    var keys = places.indices.map { (lower: places[$0].lower.secondsSinceEpoch, index: $0) }
    keys.sort { left, right in
      guard left.lower == right.lower else { return left.lower < right.lower }
      return places[left.index].isOrdered(before: places[right.index])
    }
    return keys.map { places[$0.index] }
  }

  /// The items that may have occurrences in a range of time, in the order of their start.
  func items(in range: Range<Instant>) -> [UID] {
    var uids: [UID] = []
    for place in places {
      guard place.lower < range.upperBound else { break }
      if place.upper > range.lowerBound { uids.append(place.uid) }
    }
    return uids
  }

  /// Replaces the ranges of some items; those without a new range are removed.
  mutating func replace(_ uids: Set<UID>, by items: [ItemSummary]) {
    let added = Self.sorted(
      items.compactMap { item in
        item.span.map { Place(lower: $0.lowerBound, upper: $0.upperBound, uid: item.uid) }
      })
    var result: [Place] = []
    result.reserveCapacity(places.count + added.count)
    var next = 0
    for place in places where !uids.contains(place.uid) {
      while next < added.count, added[next].isOrdered(before: place) {
        result.append(added[next])
        next += 1
      }
      result.append(place)
    }
    result += added[next...]
    places = result
  }
}
