// SPDX-License-Identifier: Apache-2.0

public import ICalSyntax

/// Collects the components of a file into items for a query, in any order.
///
/// The components of an item can be anywhere in a file, and an override can precede its series.
/// Therefore all components are stored until the end of the file. In contrast to an import, items
/// are neither validated nor split: of two components for the same occurrence the later revision is
/// used.
///
/// ```swift
/// var reading = OccurrenceReading()
/// while let element = reader.next() { reading.take(element) }
/// reading.finish(into: &query, source: 0)
/// ```
public struct OccurrenceReading: Sendable {
  /// The common key of an item's components.
  private struct Key: Hashable {
    let uid: UID
    let kind: ItemKind
  }

  private var items: [[Component]] = []
  private var places: [Key: Int] = [:]
  /// The time zone definitions, in file order.
  public private(set) var timeZones: [Component] = []
  /// The VFREEBUSY components (RFC 5545 §3.6.4), in file order.
  public private(set) var freeBusy: [Component] = []
  /// The VAVAILABILITY components (RFC 7953), in file order.
  public private(set) var availabilities: [Component] = []
  /// The number of collected components that are items or parts of items.
  public private(set) var count = 0

  /// Creates an empty collection.
  public init() {}

  /// Adds an element of a reader.
  ///
  /// A truncated component is omitted; the reader has reported it.
  public mutating func take(_ element: ReaderElement) {
    guard case .component(let component) = element else { return }
    take(component)
  }

  /// Adds a component.
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
