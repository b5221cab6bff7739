// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax

/// What of a component survives in jCal: everything but spelling (RFC 7265 §3).
struct JCalMeaning: Equatable {
  /// What of a property survives.
  struct Line: Equatable {
    let name: PropertyName
    /// The parameters but for those that the type speaks for, those of one name together.
    let parameters: [String: [String]]
    let values: [Value]
  }

  let name: ComponentName
  let lines: [Line]
  let components: [JCalMeaning]

  init(_ component: Component) {
    name = component.name
    lines = component.properties.filter(\.isWellFormed).map { property in
      var parameters: [String: [String]] = [:]
      for parameter in property.parameters
      where ![.value, .encoding].contains(parameter.name) && !parameter.name.rawName.isEmpty {
        parameters[parameter.name.canonicalName, default: []] += parameter.values
      }
      return Line(
        name: property.name, parameters: parameters,
        values: property.typedValues.values.map(Self.canonical))
    }
    components = component.components.map(JCalMeaning.init)
  }

  /// A duration in the form that every reader accepts, into which others are put right.
  private static func canonical(_ value: Value) -> Value {
    guard case .duration(let duration) = value else { return value }
    return .text(ValueText(duration.description))
  }
}
