// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import ICalSyntax

/// The form of a vendor's events: what its fields give back of a component.
protocol VendorForm: ItemHolding {
  /// The zones of the vendor.
  var zones: VendorZones { get }

  /// The component that the fields give back after a component was written to them.
  ///
  /// - Parameters:
  ///   - component: The series, or an override.
  ///   - times: The times of the item.
  ///   - master: The component of the series, if `component` is an override.
  /// - Returns: The component as it would be read.
  /// - Throws: The reason why the vendor cannot hold the component, not even with a stash.
  func held(
    _ component: Component, _ times: VendorTimes, overriding master: Component?
  ) throws(HoldingRefusal) -> Component

  /// Rejects a change that no request of the vendor can make, although it holds both versions.
  ///
  /// Default implementation: accepts each change.
  func expectChange(of held: HeldItem, to item: VendorItem) throws(HoldingRefusal)

  /// Rejects an item that one request cannot add.
  func expectAddition(of item: VendorItem) throws(HoldingRefusal)
}

extension VendorForm {
  func expectChange(of held: HeldItem, to item: VendorItem) throws(HoldingRefusal) {}

  func expectAddition(of item: VendorItem) throws(HoldingRefusal) {
    guard !item.isLone else { throw .noSeries }
    guard item.overrides.isEmpty else { throw .overrides }
  }
}

/// An item as a vendor stores it: the series and its overrides, each with fields and a stash.
struct VendorItem: Sendable {
  /// One component with what its fields do not hold.
  struct Part: Sendable {
    let component: Component
    let event: Event
    let stash: ComponentStash
    fileprivate let timeZones: [Component]

    /// The stash if the vendor gives another component back than expected.
    func stash(heldAs held: Component) -> ComponentStash {
      ComponentStash(of: component, heldAs: held, timeZones: timeZones)
    }
  }

  /// The item.
  let item: CalendarItem
  /// The series, or the only event; for occurrences without their series, the original start of one.
  let main: Part
  /// Whether the item consists of occurrences of a series that is in another person's calendar.
  let isLone: Bool
  /// The overrides, by the time that identifies them at the vendor.
  let overrides: [(original: EventTime, part: Part)]
  /// The times of the item.
  let times: VendorTimes

  /// Divides an item.
  ///
  /// - Throws: The reason why the vendor cannot hold it.
  init(_ item: CalendarItem, _ form: some VendorForm) throws(HoldingRefusal) {
    guard item.kind == .event else {
      throw .component(item.components.first?.name.canonicalName ?? "VTODO")
    }
    let lone = item.main == nil ? item.overrides.first : nil
    guard let master = item.main ?? lone?.originalSeries else { throw .noSeries }
    let times = VendorTimes(of: item, form.zones)
    let zones = Self.unnamedZones(of: item, form.zones)
    guard let start = Event(master).start else { throw .noStart }
    func part(_ component: Component, _ master: Component?) throws(HoldingRefusal) -> Part {
      let event = Event(component)
      guard event.start != nil else { throw .noStart }
      let held = try form.held(component, times, overriding: master)
      let zones = master == nil ? zones : []
      let stash = ComponentStash(of: component, heldAs: held, timeZones: zones)
      if let name = stash.altered(of: component, heldAs: held) { throw .altered(name) }
      return Part(component: component, event: event, stash: stash, timeZones: zones)
    }
    self.item = item
    self.times = times
    isLone = lone != nil
    main = try part(master, nil)
    var overrides: [(original: EventTime, part: Part)] = []
    for override in item.overrides {
      guard let id = Event(override).recurrenceID else {
        throw .stray(override[.recurrenceID]?.rawValue ?? "")
      }
      guard !id.includesFuture else { throw .following(id.time.spelled) }
      let first = isLone ? id.time : start
      overrides.append(
        (try times.identifier(id.time, likeStart: first), try part(override, master)))
    }
    self.overrides = overrides
  }

  /// All parts.
  var parts: [Part] { (isLone ? [] : [main]) + overrides.map(\.part) }

  /// The series, to compare occurrences with it.
  func series(_ zones: VendorZones) throws(ItemError) -> VendorSeries {
    try VendorSeries(main.component, item.timeZones, zones)
  }

  /// The definitions of the zones whose names the time zone database does not have.
  private static func unnamedZones(of item: CalendarItem, _ zones: VendorZones) -> [Component] {
    item.timeZones.filter { definition in
      guard let name = definition[.tzID]?.text else { return false }
      return zones.resolver.resolve(name, definitions: item.timeZones).name != name
    }
  }
}

extension VendorForm {
  /// Divides an item into the parts that the vendor stores.
  func divide(_ item: CalendarItem) throws(HoldingRefusal) -> VendorItem {
    try VendorItem(item, self)
  }

  /// Fits an item: divides it, and checks that exactly the item returns.
  func fit(of item: CalendarItem, replacing held: HeldItem?) -> ItemFit {
    do throws(HoldingRefusal) {
      let divided = try divide(item)
      try expectSeries(of: divided, replacing: held?.item())
      try expectOccurrences(of: divided)
      if let held { try expectChange(of: held, to: divided) }
      let largest = divided.parts.map { $0.stash.isEmpty ? 0 : $0.stash.text.utf8.count }.max() ?? 0
      guard largest <= table.stashLimit else {
        return .refused(.size(bytes: largest, limit: table.stashLimit))
      }
      let names = Set(divided.parts.flatMap(\.stash.names))
      return names.isEmpty ? .whole : .stashed(names.sorted())
    } catch {
      return .refused(error)
    }
  }

  /// Rejects occurrences whose series the calendar has not, unless it has these occurrences.
  private func expectSeries(
    of divided: VendorItem, replacing current: CalendarItem?
  ) throws(HoldingRefusal) {
    let isLoneNow = current?.main == nil && current?.overrides.isEmpty == false
    guard divided.isLone else {
      if isLoneNow { throw .foreignSeries }
      return
    }
    guard let current, isLoneNow else { throw .noSeries }
    let times = VendorTimes(of: current, zones)
    let known = current.overrides.compactMap { override in
      Event(override).recurrenceID.flatMap { try? times.instant(of: $0.time) }
    }
    for override in divided.overrides {
      guard known.contains(try divided.times.instant(of: override.original)) else {
        throw .foreignSeries
      }
    }
  }

  /// Rejects overrides of times at which the series has no occurrence, because vendors identify an
  /// override by its occurrence.
  private func expectOccurrences(of divided: VendorItem) throws(HoldingRefusal) {
    guard !divided.overrides.isEmpty, !divided.isLone else { return }
    guard let series = try? divided.series(zones) else { throw .noSeries }
    for override in divided.overrides {
      guard let id = override.part.event.recurrenceID?.time else { continue }
      guard series.occurrence(at: id) != nil else { throw .stray(id.spelled) }
    }
  }
}

extension Component {
  /// The start of the occurrence in its series, as all that is known of the series.
  fileprivate var originalSeries: Component? {
    guard let original = Event(self).recurrenceID?.time else { return nil }
    var series = Event()
    series.uid = Event(self).uid
    series.start = original
    return series.component
  }
}
