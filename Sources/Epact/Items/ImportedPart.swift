// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// The components of one UID that were read together from a file, with their line numbers.
///
/// The spool holds parts as bytes until all files are read: a line with the file number and the
/// line numbers of the components, then the item.
struct ImportedPart {
  private(set) var item: CalendarItem
  /// The number of the file, in the order of reading.
  let source: Int
  /// The first line of each component; 0 if unknown.
  private(set) var lines: [Int]

  /// Creates a part from an item of a file.
  init(_ item: CalendarItem, source: Int) {
    self.item = item
    self.source = source
    lines = item.components.map { $0.position?.line ?? 0 }
  }

  /// The serialized part.
  var payload: [UInt8] {
    let head = ([source] + lines).map(String.init).joined(separator: " ")
    return Array("\(head)\n".utf8) + item.serialized()
  }

  /// Parses a serialized part.
  ///
  /// - Throws: `ItemError` if the item cannot be parsed on its own.
  init(parsing payload: [UInt8]) throws(ItemError) {
    let end = payload.firstIndex(of: UInt8(ascii: "\n")) ?? payload.endIndex
    let numbers = String(decoding: payload[..<end], as: UTF8.self).split(separator: " ")
      .map { Int($0) ?? 0 }
    source = numbers.first ?? 0
    lines = Array(numbers.dropFirst())
    item = try CalendarItem(parsing: Array(payload[end...].dropFirst()))
  }

  /// Joins parts of one item or message that were far apart in a file.
  ///
  /// Joined parts have the same file and METHOD, and describe no occurrence twice. Their calendars
  /// may define a TZID differently, which is then renamed.
  static func joined(_ parts: [ImportedPart], zones: ZoneResolver) -> [ImportedPart] {
    guard parts.count > 1 else { return parts }
    var joined: [ImportedPart] = []
    var components: [Component] = []
    var timeZones: [Component] = []
    var scope = ZoneScope(zones: zones)
    var lines: [Int] = []
    var seen: Set<[UInt8]> = []
    func close() {
      guard var last = joined.popLast() else { return }
      if components.count > last.lines.count {
        let properties = Array(last.item.calendar.properties)
        if let item = try? CalendarItem(
          components: components, timeZones: timeZones, calendarProperties: properties)
        {
          last.item = item
          last.lines = lines
        }
      }
      joined.append(last)
    }
    for part in parts {
      let keys = Set(part.item.components.map(\.recurrenceName))
      if let last = joined.last, last.isOneItem(with: part), !keys.contains(where: seen.contains) {
        seen.formUnion(keys)
        lines += part.lines
      } else {
        close()
        joined.append(part)
        (seen, components, timeZones, lines) = (keys, [], [], part.lines)
        scope = ZoneScope(zones: zones)
      }
      let adopted = scope.adopt(part.item.components, definitions: part.item.timeZones)
      components += adopted.components
      timeZones += adopted.newDefinitions
    }
    close()
    return joined
  }

  private func isOneItem(with other: ImportedPart) -> Bool {
    let (method, otherMethod) = (
      SchedulingMessage(item)?.method, SchedulingMessage(other.item)?.method
    )
    return source == other.source && item.kind == other.item.kind && method == otherMethod
      && (method == nil || method == .publish || method == .request)
  }
}

extension Component {
  /// The RECURRENCE-ID as written; empty for a main component.
  fileprivate var recurrenceName: [UInt8] {
    self[.recurrenceID].map { property in
      Array("\(property[.tzID] ?? "") \(property.rawValue)".utf8)
    } ?? []
  }
}
