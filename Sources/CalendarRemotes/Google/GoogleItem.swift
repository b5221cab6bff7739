// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import ICalSyntax

/// The item that a series and its changed and deleted occurrences at Google describe.
struct GoogleItem {
  private let main: GoogleEvent?
  private let occurrences: [GoogleEvent]
  private let zones: VendorZones

  init(_ events: [GoogleEvent], _ zones: VendorZones) {
    main = events.first { $0.recurringEventId == nil }
    occurrences = events.filter { $0.recurringEventId != nil }.sorted { $0.id < $1.id }
    self.zones = zones
  }

  /// The UID: the one that was written with the event, or the one that Google chose.
  ///
  /// A copy of an event has its properties, too, but another id.
  private var uid: String {
    if let main, let uid = main.extendedProperties?.private?[GoogleStash.uidName],
      GoogleID.id(of: UID(uid)) == main.id
    {
      return uid
    }
    let event = main ?? occurrences.first
    return event?.iCalUID ?? event.map { "\($0.id)@google.com" } ?? ""
  }

  /// The item, with the definitions of the zones that it uses.
  ///
  /// - Throws: `ItemError` if the events are not one item.
  func item() throws(ItemError) -> CalendarItem {
    var (components, definitions): ([Component], [Component]) = ([], [])
    let uid = uid
    if let main {
      let read = GoogleReading(main, zones, uid: uid).whole
      (components, definitions) = ([read.component], read.timeZones)
    }
    // Most events have no changed occurrences, and need no expansion.
    var series = try (occurrences.isEmpty ? nil : components.first).map { main throws(ItemError) in
      try VendorSeries(main, definitions, zones)
    }
    for event in occurrences {
      if event.isCancelled {
        guard series != nil,
          let time = event.originalStartTime.flatMap({ GoogleReading.time($0, zones) })
        else { continue }
        if series?.exclude(time) == true, let excluded = series?.component {
          components[0] = excluded
        }
        continue
      }
      let component = GoogleReading(event, zones, uid: uid).whole.component
      if let series, series.gives(component) { continue }
      components.append(component)
    }
    let item = try CalendarItem(components: components, timeZones: definitions)
    return item.definingTimeZones(zones: zones.resolver)
  }
}

/// The place of an event at Google, which its UID determines.
enum GoogleID {
  private static let digits = Array("0123456789abcdefghijklmnopqrstuv")
  private static let prefix = "epact"

  /// The id of the event with a UID: letters of base32hex, so that a repeated addition finds its place
  /// taken (Calendar API v3, resource Events, `id`).
  static func id(of uid: UID) -> String {
    let digest = SHA256.digest(of: Array(uid.rawValue.utf8)).bytes.prefix(20)
    var (text, bits, count) = (prefix, 0, 0)
    for byte in digest {
      bits = (bits << 8 | Int(byte)) & 0xFFF
      count += 8
      while count >= 5 {
        count -= 5
        text.append(digits[bits >> count & 31])
      }
    }
    return text
  }

  /// The part of an occurrence's id that names its original start.
  static func suffix(of original: EventTime, _ times: VendorTimes) throws(HoldingRefusal) -> String
  {
    if case .date(let date) = original { return date.description }
    guard let utc = try times.instant(of: original).civil() else { throw .stray(original.spelled) }
    return "\(utc)Z"
  }
}

/// The stash in the private properties of an event at Google.
enum GoogleStash {
  /// The name of the property with the UID.
  static let uidName = "epact-uid"
  /// The name of the property that says what the stash belongs to.
  private static let partName = "epact-part"
  private static let prefix = "epact-"
  /// Google takes 1,024 characters in a value.
  private static let values = StashText(valueLimit: 1_000)

  /// The properties that store a stash; nil for one that has to be removed.
  ///
  /// - Parameters:
  ///   - stash: The stash.
  ///   - uid: The UID, if the event is not an occurrence.
  ///   - current: The properties that the event has, or inherits from its series.
  /// - Returns: The properties of Epact; those of other programs stay as they are.
  static func properties(
    of stash: ComponentStash, uid: String?, replacing current: [String: String]
  ) -> [String: String?] {
    var result: [String: String?] = [:]
    for name in current.keys where name.hasPrefix(prefix) { result[name] = .some(nil) }
    if let uid { result[uidName] = uid }
    result[partName] = uid == nil ? "occurrence" : "series"
    guard !stash.isEmpty else { return result }
    for (index, value) in values.divided(stash.text).enumerated() {
      result["\(prefix)\(index)"] = value
    }
    return result
  }

  /// The properties of an occurrence that has those of its series again.
  static func inherited(
    _ series: [String: String], replacing current: [String: String]
  ) -> [String: String?] {
    var result: [String: String?] = [:]
    for name in current.keys where name.hasPrefix(prefix) { result[name] = .some(nil) }
    for (name, value) in series where name.hasPrefix(prefix) { result[name] = value }
    return result
  }

  /// The stash in properties; nil if there is none.
  ///
  /// An occurrence that was changed at Google has the properties of its series; of these, only what
  /// does not belong to the times of the series applies to it.
  static func stash(in properties: [String: String]?, isOccurrence: Bool) -> ComponentStash? {
    guard let properties, properties["\(prefix)0"] != nil else { return nil }
    var text = ""
    for index in 0..<properties.count {
      guard let value = properties["\(prefix)\(index)"] else { break }
      text += value
    }
    let stash = ComponentStash(text: text)
    let isInherited = isOccurrence && properties[partName] != "occurrence"
    return isInherited ? stash?.withoutTimes : stash
  }
}

/// The texts of a stash, divided into values that a vendor accepts.
private struct StashText: Sendable {
  /// The largest value, in bytes.
  let valueLimit: Int

  /// Divides a text at the boundaries of characters.
  func divided(_ text: String) -> [String] {
    var (parts, part) = ([String](), "")
    for character in text.unicodeScalars {
      if part.utf8.count + String(character).utf8.count > valueLimit {
        parts.append(part)
        part = ""
      }
      part.unicodeScalars.append(character)
    }
    return part.isEmpty ? parts : parts + [part]
  }
}
