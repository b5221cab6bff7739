// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// A kind of parts that a server either stores or not.
///
/// A server that stored one part of a kind is assumed to store the others, too. Therefore a run reads
/// only those written items back that have a part of a new kind.
enum PartKind: Hashable {
  /// A component, or one nested in another component.
  case component(ComponentName)
  /// A property of a component.
  case property(PropertyName, ComponentName)
  /// Several properties of a component that have the same name.
  case repeated(PropertyName, ComponentName)
  /// A value with a comma or a semicolon at which servers cut values; see `CutValue`.
  case cuttable(PropertyName)
  /// A parameter of a property.
  case parameter(ParameterName, PropertyName)

  /// The kinds of the parts of an item.
  static func kinds(in item: CalendarItem) -> Set<PartKind> {
    var kinds: Set<PartKind> = []
    for component in item.components + item.timeZones { insert(component, into: &kinds) }
    return kinds
  }

  private static func insert(_ component: Component, into kinds: inout Set<PartKind>) {
    kinds.insert(.component(component.name))
    for property in component.properties {
      if !kinds.insert(.property(property.name, component.name)).inserted {
        kinds.insert(.repeated(property.name, component.name))
      }
      if CutValue.isCuttable(property) { kinds.insert(.cuttable(property.name)) }
      for parameter in property.parameters {
        kinds.insert(.parameter(parameter.name, property.name))
      }
    }
    for nested in component.components { insert(nested, into: &kinds) }
  }
}
