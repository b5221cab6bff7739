// SPDX-License-Identifier: Apache-2.0

public import ICalSyntax

/// Collects the components of a file into items for a query, whatever their order.
///
/// The components of an item may lie anywhere in a file, and an override may come before its series; so
/// what is read is kept until the file is over. Items are not checked and nothing is separated, as an
/// import does it: of two components for the same thing the later revision counts.
///
/// ```swift
/// var reading = OccurrenceReading()
/// while let element = reader.next() { reading.take(element) }
/// reading.finish(into: &query, source: 0)
/// ```
public struct OccurrenceReading: Sendable {
  /// What the components of one item share.
  private struct Key: Hashable {
    let uid: UID
    let kind: ItemKind
  }

  private var items: [[Component]] = []
  private var places: [Key: Int] = [:]
  /// The definitions of time zones, in the order of the file.
  public private(set) var timeZones: [Component] = []
  /// The components that tell busy time and nothing else (RFC 5545 §3.6.4), in the order of the file.
  public private(set) var freeBusy: [Component] = []
  /// The components that tell when somebody can be met (RFC 7953), in the order of the file.
  public private(set) var availabilities: [Component] = []
  /// How many components were taken that are items or parts of them.
  public private(set) var count = 0

  /// Creates a reading of nothing yet.
  public init() {}

  /// Takes what a reader found; a component that is cut off is left out, of which the reader has
  /// told.
  public mutating func take(_ element: ReaderElement) {
    guard case .component(let component) = element else { return }
    take(component)
  }

  /// Takes a component.
  public mutating func take(_ component: Component) {
    if component.name == .timeZone { timeZones.append(component) }
    guard let kind = ItemKind(component.name), component.isWhole else { return }
    count += 1
    if kind == .freeBusy { freeBusy.append(component) }
    if kind == .availability { availabilities.append(component) }
    guard let uid = component.uid else {
      items.append([component])
      return
    }
    let key = Key(uid: uid, kind: kind)
    if let place = places[key] {
      items[place].append(component)
    } else {
      places[key] = items.count
      items.append([component])
    }
  }

  /// Adds the items to a query.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - source: The number of the file.
  public func finish(into query: inout some ComponentQuery, source: Int) {
    for item in items { query.add(components: item, timeZones: timeZones, source: source) }
  }
}
