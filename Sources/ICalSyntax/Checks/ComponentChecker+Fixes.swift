// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Recurrence

/// Fixes, none of which changes the meaning of the file for programs that understood it.
extension ComponentChecker {
  /// The PRODID of calendars that the library writes or repairs (RFC 5545 §3.7.3).
  package static let productID = "-//Epact//Epact//EN"

  /// Inserts a missing property whose value follows from the rest of the component.
  func insertion(of name: PropertyName, into component: CheckedComponent) -> Fix? {
    guard let line = component.position?.line else { return nil }
    let property: Property
    switch name {
    case .version: property = Property(.version, rawValue: "2.0")
    case .productID: property = Property(.productID, rawValue: Self.productID)
    case .dtStamp:
      // In a calendar without METHOD, both properties have the same meaning (RFC 5545 §3.8.7.2).
      if case .dateTime(let time, isUTC: true)? = component[.lastModified]?.values.first {
        property = Property(.dtStamp, rawValue: "\(time)Z")
      } else if let now {
        property = Property(.dtStamp, rawValue: "\(now)Z")
      } else {
        return nil
      }
    default: return nil
    }
    return Fix("add \(property.name):\(property.rawValue)", .insert(after: line, property))
  }

  /// Removes the line of a property.
  func removal(of property: Property, _ summary: String) -> Fix? {
    property.position.map { Fix(summary, .remove(line: $0.line)) }
  }

  /// Sets or removes one parameter of a property.
  func setting(_ parameter: ParameterName, to value: String?, on property: Property) -> Fix? {
    guard let line = property.position?.line else { return nil }
    var mended = property
    mended[parameter] = value
    let summary = value.map { "add \(parameter)=\($0)" } ?? "remove \(parameter)"
    return Fix(summary, .replace(line: line, with: mended))
  }

  /// Rewrites the value of a property in canonical form, if its meaning is certain.
  func canonicalForm(of entry: CheckedComponent.Entry) -> Fix? {
    guard let line = entry.property.position?.line,
      !entry.values.problems.contains(where: { $0.code != .lenientValue }),
      let value = canonicalValue(of: entry), value != entry.property.rawValue
    else { return nil }
    var mended = entry.property
    mended.rawValue = value
    if let row = entry.row, mended[.value] == nil, entry.values.type != row.valueType {
      // The type was in a prefix of the value.
      mended[.value] = entry.values.type.rawValue
    }
    return Fix("write \(value)", .replace(line: line, with: mended))
  }

  private func canonicalValue(of entry: CheckedComponent.Entry) -> String? {
    var parts: [String] = []
    for value in entry.values.values {
      switch value {
      case .date(let date): parts.append(date.description)
      case .dateTime(let time, let isUTC): parts.append("\(time)\(isUTC ? "Z" : "")")
      case .integer(let number): parts.append(String(number))
      case .binary: return paddedBase64(entry.property)
      case .duration(let duration): parts.append(duration.description)
      case .utcOffset(let offset): parts.append(offset.description)
      case .period(let period): parts.append(period.canonicalText)
      case .recurrence: return canonicalRule(entry)
      case .float: return entry.property.rawValue.replacing("\\;", with: ";")
      default: return nil
      }
    }
    return parts.joined(separator: ",")
  }

  /// Rewrites a time with a TZID in UTC, if its zone is known and has that time exactly once.
  func timeInUTC(of entry: CheckedComponent.Entry) -> Fix? {
    guard let line = entry.property.position?.line, let tzID = entry.property[.tzID],
      let rules = try? zones?.rules(named: tzID), entry.values.problems.isEmpty,
      entry.values.values.count == 1,
      case .dateTime(let wall, isUTC: false)? = entry.values.values.first,
      case .unique(let offset) = rules.resolve(wall), let utc = wall.instant(at: offset).civil()
    else { return nil }
    var mended = entry.property
    mended[.tzID] = nil
    mended.rawValue = "\(utc)Z"
    return Fix("write \(utc)Z", .replace(line: line, with: mended))
  }

  /// Rewrites the digits of other scripts, such as ٢٠٢٦, if they are all that is wrong.
  func plainDigits(of entry: CheckedComponent.Entry) -> Fix? {
    let types: Set<ValueType> = [
      .date, .dateTime, .duration, .float, .integer, .period, .recurrence, .time, .utcOffset,
    ]
    guard let line = entry.property.position?.line, types.contains(entry.values.type),
      let value = Self.plainDigits(entry.property.rawValue)
    else { return nil }
    var mended = entry.property
    mended.rawValue = value
    guard mended.typedValues.problems.isEmpty else { return nil }
    return Fix("write \(value)", .replace(line: line, with: mended))
  }

  /// The text with the digits 0 through 9, and without marks of direction; nil without others.
  private static func plainDigits(_ text: String) -> String? {
    let marks: Set<Unicode.Scalar> = ["\u{200E}", "\u{200F}", "\u{61C}"]
    var result = ""
    var hasOthers = false
    for scalar in text.unicodeScalars where !marks.contains(scalar) {
      if !scalar.isASCII, scalar.properties.numericType == .decimal,
        let value = scalar.properties.numericValue
      {
        hasOthers = true
        result += String(Int(value))
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return hasOthers ? result : nil
  }

  /// The BASE64 value with its padding (RFC 4648 §3.2), or nil if it has other faults.
  private func paddedBase64(_ property: Property) -> String? {
    var digits = property.valueBytes.filter { !$0.isFoldSpace }
    while digits.last == ASCII.equals { digits.removeLast() }
    let text = String(decoding: digits, as: UTF8.self)
    return text + String(repeating: "=", count: (4 - digits.count % 4) % 4)
  }

  /// A rule without its spaces, empty parts and similar deviations.
  private func canonicalRule(_ entry: CheckedComponent.Entry) -> String? {
    let harmless: Set<RecurrenceRuleIssue.Code> = [
      .emptyPart, .whitespace, .unusualOrder, .lowerCase,
    ]
    var text = entry.property.rawValue[...]
    if let name = entry.row?.name, String(text).asciiUppercased.hasPrefix("\(name):") {
      text = text.dropFirst(name.utf8.count + 1)
    }
    guard let reading = try? RecurrenceRule.parse(leniently: String(text)),
      reading.issues.allSatisfy({ harmless.contains($0.code) })
    else { return nil }
    return reading.rule.description
  }

  /// Changes VALUE so that it matches the actual type of the value.
  func typeFix(of entry: CheckedComponent.Entry) -> Fix? {
    let declared = entry.property[.value]
    switch entry.values.type {
    case .date where declared == nil: return setting(.value, to: "DATE", on: entry.property)
    case .dateTime where entry.row?.valueType == .duration:
      return setting(.value, to: ValueType.dateTime.rawValue, on: entry.property)
    case .duration where declared?.asciiUppercased == ValueType.dateTime.rawValue:
      return setting(.value, to: nil, on: entry.property)
    case .dateTime where declared?.asciiUppercased == "DATE":
      return Fix(advice: "remove VALUE=DATE or the time of day, whichever was not meant")
    default: return nil
    }
  }
}

extension Period {
  /// The period in canonical form (RFC 5545 §3.3.9).
  fileprivate var canonicalText: String {
    let zone = isUTC ? "Z" : ""
    return switch end {
    case .dateTime(let end, let endIsUTC): "\(start)\(zone)/\(end)\(endIsUTC ? "Z" : "")"
    case .duration(let duration): "\(start)\(zone)/\(duration)"
    }
  }
}
