// SPDX-License-Identifier: Apache-2.0

import BenchmarkFiles
import CivilTime
import ICalSyntax

/// Counts of typed values.
struct ValueTally {
  private var components = 0
  private var properties = 0
  private var values = 0
  private var textBytes = 0
  private var dateDays = 0

  var answers: Answers {
    [
      .components: components, .properties: properties, .values: values, .textBytes: textBytes,
      .dateDays: dateDays,
    ]
  }

  /// Parses all values of a component and all nested ones.
  ///
  /// - Throws: `Failure` if a value is invalid, because the files contain no invalid values.
  mutating func add(_ component: Component) throws {
    components += 1
    try component.properties.forEach { property in
      let typed = property.typedValues
      guard !typed.hasProblems else {
        throw Failure("\(property.name.rawName): a value was refused: \(property.rawValue)")
      }
      properties += 1
      add(typed.values)
    }
    try component.components.forEach { try add($0) }
  }

  /// This is a separate function so that the list is borrowed instead of copied.
  @inline(never)
  private mutating func add(_ list: ValueList) {
    values += list.count
    list.forEach { add($0) }
  }

  private mutating func add(_ value: Value) {
    switch value {
    case .text(let text): textBytes += text.utf8Count
    case .date(let date): dateDays += date.dayNumber
    case .dateTime(let time, isUTC: _): dateDays += time.date.dayNumber
    default: break
    }
  }
}
