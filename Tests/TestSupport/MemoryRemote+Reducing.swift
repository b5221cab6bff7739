// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
import ICalSyntax

extension MemoryRemote {
  /// The parts that a server does not store of what it is sent.
  public struct Reductions: OptionSet, Hashable, Sendable, CustomStringConvertible {
    /// One bit a kind of part.
    public let rawValue: Int

    /// Creates reductions from bits.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// Alarms.
    public static let alarms = Reductions(rawValue: 1)
    /// Attachments.
    public static let attachments = Reductions(rawValue: 2)
    /// All values of a list but the first.
    public static let listValues = Reductions(rawValue: 4)
    /// The location.
    public static let location = Reductions(rawValue: 8)
    /// All components but the first.
    public static let overrides = Reductions(rawValue: 16)
    /// Parameters that do not affect the value.
    public static let parameters = Reductions(rawValue: 32)
    /// All properties of the same name but the first.
    public static let repeated = Reductions(rawValue: 64)
    /// The end of a text.
    public static let texts = Reductions(rawValue: 128)
    /// Definitions of time zones.
    public static let zones = Reductions(rawValue: 256)
    /// The parts of an alarm that do not set it off.
    public static let alarmParts = Reductions(rawValue: 512)
    /// Properties that no RFC defines.
    public static let unknown = Reductions(rawValue: 1024)

    /// Each reduction on its own.
    public static let each: [Reductions] = (0..<11).map { Reductions(rawValue: 1 << $0) }

    /// The bits.
    public var description: String { "reductions \(rawValue)" }

    /// The item as the server stores it.
    public func reduced(_ item: CalendarItem) -> CalendarItem {
      guard !isEmpty else { return item }
      let kept = contains(.overrides) ? Array(item.components.prefix(1)) : item.components
      do {
        return try item.replacing(
          components: kept.map(reduced), timeZones: contains(.zones) ? [] : item.timeZones)
      } catch {
        preconditionFailure("a reduced item is an item: \(error)")
      }
    }

    private func reduced(_ component: Component) -> Component {
      var result = component
      var seen: Set<PropertyName> = []
      result.properties = PropertyList(
        component.properties.filter { isKept($0, in: component, &seen) }.map(reduced))
      result.components = ComponentList(
        component.components.filter { !contains(.alarms) || $0.name != .alarm }.map(reduced))
      return result
    }

    private func isKept(
      _ property: Property, in component: Component, _ seen: inout Set<PropertyName>
    ) -> Bool {
      if component.name == .alarm, contains(.alarmParts) {
        return property.isNamed(.action) || property.isNamed(.trigger)
      }
      if contains(.attachments), property.isNamed(.attach) { return false }
      if contains(.location), property.isNamed(.location) { return false }
      if contains(.unknown), property.name.index == nil { return false }
      let isFirst = seen.insert(property.name).inserted
      return isFirst || !contains(.repeated)
    }

    private func reduced(_ property: Property) -> Property {
      var result = property
      if contains(.parameters) {
        let kept: Set<ParameterName> = ["TZID", "VALUE", "PARTSTAT", "ENCODING"]
        result.parameters = property.parameters.filter { kept.contains($0.name) }
      }
      if contains(.listValues), property.isNamed(.categories) || property.isNamed(.exDate) {
        result.rawValue = String(property.rawValue.prefix { $0 != "," })
      }
      if contains(.texts), property.isNamed(.summary) || property.isNamed("DESCRIPTION") {
        result.rawValue = String(property.rawValue.prefix(8))
      }
      return result
    }
  }
}
