// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CalendarSync
import ICalSyntax

/// The fields of a remote that is no store of iCalendar objects.
///
/// Everything else goes into its stash. A description with the word `unbearable` is refused, and so is
/// a reminder.
public struct MemoryFields: ItemHolding {
  /// The properties that have fields; a field holds a value without parameters but those of times.
  private static let names: Set<PropertyName> = [
    .uid, .recurrenceID, .dtStart, .dtEnd, .summary, .location, .rRule, .exDate, .priority,
    .classification, .url, "DTSTAMP", "SEQUENCE",
  ]
  private static let parameters: Set<ParameterName> = ["TZID", "VALUE"]
  /// The largest stash of a component, in bytes.
  private static let limit = 4_000

  /// Creates the fields.
  public init() {}

  /// The largest stash, and what it is for.
  public var table: HoldingTable {
    HoldingTable(
      interface: "memory", rows: Self.names.map { HoldingTable.Row($0.canonicalName, "field") },
      stash: "stash", stashLimit: Self.limit, refused: ["reminders"])
  }

  /// Fits an item into the fields and the stash.
  public func fit(of item: CalendarItem, replacing held: HeldItem?) -> ItemFit {
    guard item.kind == .event else { return .refused(.component("VTODO")) }
    let texts = item.components.compactMap { $0["DESCRIPTION"]?.text }
    if texts.contains(where: { $0.contains("unbearable") }) {
      return .refused(.timeZone("unbearable"))
    }
    let stashes = item.components.map { Self.stash(of: $0, in: item) }
    if let size = stashes.map(\.text.utf8.count).max(), size > Self.limit {
      return .refused(.size(bytes: size, limit: Self.limit))
    }
    let names = Set(stashes.flatMap(\.names)).sorted()
    return names.isEmpty ? .whole : .stashed(names)
  }

  /// What the remote gives back of an item: its fields with the stash.
  func held(_ item: CalendarItem) -> CalendarItem {
    let parts = item.components.map { component in
      let fields = Self.fields(of: component)
      // The stash is read as it is written, as a remote does.
      let stash = ComponentStash(text: Self.stash(of: component, in: item).text)
      return stash?.splice(into: fields) ?? (component: fields, timeZones: [])
    }
    let zones = parts.first?.timeZones ?? []
    let held = try? CalendarItem(components: parts.map(\.component), timeZones: zones)
    return held ?? item
  }

  /// An item after an edit of its fields: the stash stays as it is.
  func edited(_ old: CalendarItem, to new: CalendarItem) -> CalendarItem {
    let olds = Dictionary(old.components.map { ($0[.recurrenceID]?.rawValue, $0) }) { $1 }
    let components = new.components.map { component in
      guard let before = olds[component[.recurrenceID]?.rawValue] else {
        return Self.fields(of: component)
      }
      return Self.stash(of: before, in: old).splice(into: Self.fields(of: component)).component
    }
    return (try? CalendarItem(components: components, timeZones: old.timeZones)) ?? new
  }

  private static func stash(of component: Component, in item: CalendarItem) -> ComponentStash {
    ComponentStash(of: component, heldAs: fields(of: component), timeZones: item.timeZones)
  }

  private static func fields(of component: Component) -> Component {
    var properties: [Property] = []
    for property in component.properties where names.contains(property.name) {
      var field = property
      field.parameters = property.parameters.filter { parameters.contains($0.name) }
      properties.append(field)
    }
    return Component(component.name, properties: properties, components: [] as [Component])
  }
}
