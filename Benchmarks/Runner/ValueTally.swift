// SPDX-License-Identifier: Apache-2.0

import BenchmarkFiles
import CivilTime
import ICalSyntax

/// What is found while every value is read as its type.
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

  /// Reads all values of a component with all that is nested in it.
  ///
  /// - Throws: `Failure` if a value is not what its type wants: the files hold none.
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

  /// A function of its own, to which the list is lent and for which it need not be copied.
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
