// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import ICalSyntax

/// A property value that both sides changed, and that the user can replace by another one.
package struct ConflictValue: Hashable, Sendable {
  /// The path of the component, as in `ItemComparison.Row`.
  package let component: String
  /// The name of the property.
  package let property: String
  /// The value, empty for a missing property; of a single TEXT without escapes, else as in the content
  /// line.
  package var text: String
  /// Whether the value is a single TEXT, which may have several lines (RFC 5545 §3.3.11).
  package let isText: Bool
}

extension Conflicts {
  /// The values in conflict that can be edited singly, with those of the local version.
  ///
  /// They are properties that the event or reminder, or a changed occurrence, has once. Other parts,
  /// such as alarms, need ``edited(_:by:)``.
  ///
  /// - Throws: `EpactError` if a version cannot be read.
  package func values(of conflict: PendingConflict) throws(EpactError) -> [ConflictValue] {
    let here = try merged(conflict, taking: .local)
    let there = try merged(conflict, taking: .remote)
    var values: [ConflictValue] = []
    for row in differences(of: conflict).filter(\.isContested).map(\.row) {
      guard let component = here.component(at: row.component) else { continue }
      for name in row.subject.split(separator: ", ").map({ PropertyName(String($0)) }) {
        let lines = row.versions.joined()
        let isProperty = lines.contains { $0.hasPrefix("\(name):") || $0.hasPrefix("\(name);") }
        let own = component.properties(named: name)
        guard isProperty, own.count <= 1 else { continue }
        let model = own.first ?? there.component(at: row.component)?[name]
        let isText = model.map(Self.isText) ?? false
        let text = own.first.map { isText ? $0.text : $0.rawValue } ?? ""
        values.append(
          ConflictValue(
            component: row.component, property: name.canonicalName, text: text, isText: isText))
      }
    }
    return values
  }

  /// The merged item with other values of what is in conflict; what has no value is that of the local
  /// version.
  ///
  /// - Parameters:
  ///   - conflict: The conflict.
  ///   - values: The new values; an empty one removes its property.
  /// - Returns: The edited item, for ``resolve(_:as:)``.
  /// - Throws: `EpactError` if a value is not one of ``values(of:)`` or is invalid, or if the item cannot
  ///   be saved.
  package func edited(
    _ conflict: PendingConflict, setting values: [ConflictValue]
  ) throws -> CalendarItem {
    let merged = try merged(conflict, taking: .local)
    let there = try self.merged(conflict, taking: .remote)
    let known = try self.values(of: conflict)
    var components = merged.components
    for value in values {
      guard
        let old = known.first(where: {
          $0.component == value.component && $0.property == value.property
        }),
        let place = components.firstIndex(where: { merged.path(of: $0) == value.component })
      else {
        throw EpactError(
          .argument, "\(value.property) of \(value.component) is not in conflict any more")
      }
      guard value.text != old.text else { continue }
      try Self.set(
        old, to: value.text, in: &components[place],
        like: there.component(at: value.component)?[PropertyName(value.property)])
    }
    let item: CalendarItem
    do throws(ItemError) {
      item = try merged.replacing(components: components, timeZones: merged.timeZones)
    } catch {
      throw EpactError(.failed, "what was edited is not one item: \(error)")
    }
    return try checked(item, editedFrom: merged, in: conflict)
  }

  private static func set(
    _ value: ConflictValue, to text: String, in component: inout Component, like model: Property?
  ) throws(EpactError) {
    let name = PropertyName(value.property)
    guard value.isText || !text.contains(where: \.isNewline) else {
      throw EpactError(.argument, "expected \(name) to be one line")
    }
    var property = component[name] ?? model ?? Property(name, rawValue: "")
    if value.isText { property.text = text } else { property.rawValue = text }
    component[name] = text.isEmpty ? nil : property
    DependentProperties.remove(
      from: &component, location: name == .location, description: name == .descriptionText)
  }

  private static func isText(_ property: Property) -> Bool {
    guard let row = PropertyTable.row(for: property.name) else { return false }
    return row.valueType == .text && row.separator == nil && property[.value] == nil
  }
}

extension CalendarItem {
  /// The path of a component, as in `ItemComparison.Row`.
  fileprivate func path(of component: Component) -> String {
    component[.recurrenceID].map { "\(kind.rawValue) \($0.rawValue)" } ?? kind.rawValue
  }

  /// The component at a path; nil for a nested one.
  fileprivate func component(at path: String) -> Component? {
    components.first { self.path(of: $0) == path }
  }
}
