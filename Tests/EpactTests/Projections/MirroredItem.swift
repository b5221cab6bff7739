// SPDX-License-Identifier: Apache-2.0

import TestSupport

@testable import Epact

/// An item of a calendar, as its author thinks of it, with the copy that the documentation of mirrors promises.
///
/// The copy is derived from these values alone, so that it is an oracle for the projector. Each item has days of its
/// own, by which its copy is recognized.
struct MirroredItem: Hashable {
  /// The mark of all hidden texts.
  static let secret = "SECRET"
  /// The number of days that belong to an item.
  static let days = 8

  /// The series, or an override of one of its occurrences.
  struct Part: Hashable {
    var hour = 9
    var title = 0
    var isPrivate = false
    var isTransparent = false
    var isCancelled = false
    var isDeclined = false
    /// Whether the query of the mirror excludes it.
    var isExcluded = false
  }

  let number: Int
  var isTask = false
  var isAllDay = false
  /// The number of daily occurrences; 1 for no series.
  var count = 1
  var series = Part()
  var overrides: [Int: Part] = [:]
  var excluded: Set<Int> = []
  /// A hidden text that an edit changes alone.
  var hidden = 0

  /// The UID of the item with a number, which is secret.
  static func uid(_ number: Int) -> String { "\(secret)-\(number)" }

  /// The number of the item that a copy belongs to, by its day; nil if it has none.
  static func number(ofCopy lines: [String]) -> Int? {
    let time = lines.first { $0.hasPrefix("DTSTART") }?.split(separator: ":").last
    guard let time, let month = Int(time.prefix(6).suffix(2)),
      let day = Int(time.prefix(8).suffix(2))
    else { return nil }
    return (month - 1) * 3 + (day - 1) / days
  }

  /// The same item whose parts, titles and times are random.
  static func random(_ number: Int, title: Int, using random: inout SeededGenerator) -> MirroredItem
  {
    func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
    func part() -> Part {
      Part(
        hour: Int.random(in: 8...11, using: &random), title: title, isPrivate: chance(15),
        isTransparent: chance(10), isCancelled: chance(10), isDeclined: chance(10),
        isExcluded: chance(10))
    }
    var item = MirroredItem(number: number)
    (item.isTask, item.isAllDay, item.series) = (chance(10), chance(20), part())
    guard !item.isTask, chance(45) else { return item }
    item.count = Int.random(in: 2...5, using: &random)
    for index in 0..<item.count {
      if chance(15) {
        item.excluded.insert(index)
      } else if chance(30) {
        var override = chance(50) ? part() : item.series
        if chance(50) { override.hour = item.series.hour }
        item.overrides[index] = override
      }
    }
    return item
  }

  // MARK: Times

  private func date(_ index: Int) -> String {
    let (month, day) = (number / 3 + 1, number % 3 * Self.days + index + 1)
    return "2027" + (month < 10 ? "0" : "") + "\(month)" + (day < 10 ? "0" : "") + "\(day)"
  }

  private func time(_ name: String, _ index: Int, hour: Int) -> String {
    guard !isAllDay else { return "\(name);VALUE=DATE:\(date(index))" }
    return "\(name):\(date(index))T" + (hour < 10 ? "0" : "") + "\(hour)0000Z"
  }

  /// The lines of the times of a component.
  private func times(_ part: Part, _ index: Int?, excluding hidden: Set<Int> = []) -> Set<String> {
    var lines: Set<String> = [time("DTSTART", index ?? 0, hour: part.hour)]
    if !isTask { lines.insert(isAllDay ? "DURATION:P1D" : "DURATION:PT1H") }
    if let index {
      lines.insert(time("RECURRENCE-ID", index, hour: series.hour))
    } else if count > 1 {
      lines.insert("RRULE:FREQ=DAILY;COUNT=\(count)")
      for index in excluded.union(hidden) {
        lines.insert(time("EXDATE", index, hour: series.hour))
      }
    }
    return lines
  }

  // MARK: The source

  private var kind: String { isTask ? "VTODO" : "VEVENT" }

  /// Whether a reader sees the title of a part.
  private func showsTitle(_ part: Part, _ settings: ProjectionSettings) -> Bool {
    settings.detail != .busy && (settings.query == nil || !part.isExcluded)
      && (settings.privateItems == .show || !(part.isPrivate || series.isPrivate))
  }

  private func title(of part: Part, _ settings: ProjectionSettings) -> String {
    (showsTitle(part, settings) ? "T" : "\(Self.secret) ") + "\(part.title)"
  }

  /// The lines that a copy of everything has.
  private func plain(_ part: Part, _ settings: ProjectionSettings) -> Set<String> {
    let text = settings.detail == .all && showsTitle(part, settings) ? "Text" : Self.secret
    var lines: Set<String> = [
      "SUMMARY:\(title(of: part, settings))", "DESCRIPTION:\(text) \(hidden)", "LOCATION:\(text)",
      "X-NOTE:\(text)",
    ]
    if part.isPrivate { lines.insert("CLASS:PRIVATE") }
    if part.isTransparent, !isTask { lines.insert("TRANSP:TRANSPARENT") }
    if part.isCancelled { lines.insert("STATUS:CANCELLED") }
    if part.isExcluded { lines.insert("CATEGORIES:hidden") }
    return lines
  }

  /// The bytes of the item's file.
  func bytes(_ settings: ProjectionSettings) -> [UInt8] {
    var lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//\(Self.secret)//EN"]
    let parts =
      [(nil, series)] + overrides.sorted { $0.key < $1.key }.map { (Optional($0.key), $0.value) }
    for (index, part) in parts {
      lines += ["BEGIN:\(kind)", "UID:\(Self.uid(number))", "DTSTAMP:20270101T000000Z"]
      lines += times(part, index).sorted() + plain(part, settings).sorted()
      lines.append("ORGANIZER:mailto:\(Self.secret)@example.com")
      let answer = part.isDeclined ? "DECLINED" : "ACCEPTED"
      lines.append("ATTENDEE;CN=\(Self.secret);PARTSTAT=\(answer):mailto:ada@example.com")
      lines += [
        "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT5M", "DESCRIPTION:\(Self.secret)",
        "END:VALARM", "END:\(kind)",
      ]
    }
    lines.append("END:VCALENDAR")
    return Array((lines.joined(separator: "\r\n") + "\r\n").utf8)
  }

  // MARK: The copy

  /// How much of a part is shown; nil for nothing.
  private func detail(
    of part: Part, _ settings: ProjectionSettings
  ) -> ProjectionSettings.Detail? {
    if settings.query != nil, part.isExcluded { return nil }
    var detail = settings.detail
    if part.isPrivate || series.isPrivate, settings.privateItems != .show {
      guard settings.privateItems == .busy else { return nil }
      detail = .busy
    }
    if part.isDeclined { return nil }
    if detail == .busy, isTask || part.isTransparent || part.isCancelled { return nil }
    return detail
  }

  /// The lines of a part's copy besides its times.
  private func texts(
    _ part: Part, _ detail: ProjectionSettings.Detail, _ settings: ProjectionSettings,
    in calendar: String
  ) -> Set<String> {
    var own: String? = detail == .busy ? "Busy" : title(of: part, settings)
    if let template = settings.title, detail != .busy || !template.showsTitle {
      own = template.description.replacing("{calendar}", with: calendar)
        .replacing("{title}", with: title(of: part, settings))
    }
    let summary = "SUMMARY:\(own ?? "")"
    switch detail {
    case .busy: return [summary]
    case .titles:
      return plain(part, settings).filter { $0.hasPrefix("STATUS") || $0.hasPrefix("TRANSP") }
        .union([summary])
    case .all:
      return plain(part, settings).filter { !$0.hasPrefix("SUMMARY") }.union([summary])
    }
  }

  /// The components of the copy, each as its lines without UID and DTSTAMP; nil if nothing is shown.
  func copy(_ settings: ProjectionSettings, in calendar: String) -> Set<Set<String>>? {
    guard settings.privateItems != .hide || !series.isPrivate else { return nil }
    let main = detail(of: series, settings)
    var components: Set<Set<String>> = []
    var hidden: Set<Int> = []
    for (index, part) in overrides {
      guard let shown = detail(of: part, settings) else {
        hidden.insert(index)
        continue
      }
      let own = texts(part, shown, settings, in: calendar)
      // An override that differs in hidden texts alone looks like its occurrence.
      if let main, main != .all, shown != .all, part.hour == series.hour || isAllDay,
        own == texts(series, main, settings, in: calendar)
      {
        continue
      }
      components.insert(own.union(times(part, index)).union(["BEGIN:\(kind)"]))
    }
    if let main {
      let own = texts(series, main, settings, in: calendar)
      components.insert(
        own.union(times(series, nil, excluding: hidden)).union(["BEGIN:\(kind)"]))
    }
    return components.isEmpty ? nil : components
  }

  /// The components of a file, each as its lines without UID and DTSTAMP.
  static func components(of bytes: [UInt8]) -> Set<Set<String>> {
    var result: Set<Set<String>> = []
    var lines: Set<String> = []
    let text = String(decoding: bytes, as: UTF8.self).replacing("\r\n ", with: "")
    for line in text.split(separator: "\r\n").map(String.init) {
      if line.hasPrefix("BEGIN:V"), line != "BEGIN:VALARM" { lines = [] }
      let name = line.prefix { $0 != ":" && $0 != ";" }
      if name == "EXDATE", let colon = line.lastIndex(of: ":") {
        // The dates of one line are those of several.
        for date in line[line.index(after: colon)...].split(separator: ",") {
          lines.insert(line[...colon] + String(date))
        }
      } else if name == "END" {
        if line != "END:VALARM", line != "END:VCALENDAR" { result.insert(lines) }
      } else if !["UID", "DTSTAMP", "VERSION", "PRODID"].contains(name) {
        lines.insert(line)
      }
    }
    return result
  }
}
