// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
package import CivilTime
import Epact

/// A date or a time on the command line, in RFC 3339 or iCalendar basic format.
///
/// Examples: `2026-11-01`, `20261101`, `2026-11-01T09:00:00+01:00`, `2026-11-01 09:00` and
/// `20261101T080000Z`. A time without an offset is in the viewer's time zone.
package enum MomentArgument: Hashable, Sendable {
  /// A date, which stands for its first instant.
  case date(CivilDate)
  /// A local time in the viewer's time zone.
  case local(CivilDateTime)
  /// An instant.
  case instant(Instant)

  /// Parses a date or a time; nil if the text is neither.
  package init?(argument: String) {
    let parts = argument.split(
      maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: { "Tt ".contains($0) })
    guard let date = parts.first.flatMap(Self.date) else { return nil }
    guard parts.count == 2 else {
      self = .date(date)
      return
    }
    let (clock, zone) = Self.split(parts[1])
    guard let time = Self.time(clock), let zone = zone.map({ Self.offset($0) }) ?? .some(nil) else {
      return nil
    }
    let wall = CivilDateTime(date, time)
    self = zone.map { .instant(wall.instant(at: $0)) } ?? .local(wall)
  }

  /// The instant in the viewer's time zone.
  package func instant(in zone: ZoneRules) -> Instant {
    switch self {
    case .date(let date): zone.instant(of: CivilDateTime(date, .midnight))
    case .local(let wall): zone.instant(of: wall)
    case .instant(let instant): instant
    }
  }

  private static func date(_ text: Substring) -> CivilDate? {
    let fields = text.split(separator: "-", omittingEmptySubsequences: false)
    guard fields.count == 1 || fields.map(\.utf8.count) == [4, 2, 2] else { return nil }
    return try? CivilDate(parsing: fields.joined())
  }

  /// Splits a time from its offset.
  private static func split(_ text: Substring) -> (clock: Substring, zone: Substring?) {
    guard let place = text.firstIndex(where: { "Zz+-".contains($0) }) else { return (text, nil) }
    return (text[..<place], text[place...])
  }

  /// Parses a time of day, with optional colons and seconds; a fraction of a second is ignored.
  private static func time(_ text: Substring) -> TimeOfDay? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard let whole = parts.first,
      parts.count == 1 || (parts.count == 2 && Self.number(parts[1]) != nil)
    else { return nil }
    let fields = whole.split(separator: ":", omittingEmptySubsequences: false)
    let digits = fields.joined()
    guard fields.count == 1 || fields.allSatisfy({ $0.utf8.count == 2 }),
      [4, 6].contains(digits.utf8.count), number(digits[...]) != nil
    else { return nil }
    func field(_ index: Int) -> Int? {
      let rest = digits.dropFirst(index * 2).prefix(2)
      return rest.isEmpty ? 0 : Int(rest)
    }
    guard let hour = field(0), let minute = field(1), let second = field(2) else { return nil }
    return TimeOfDay(hour: hour, minute: minute, second: second)
  }

  private static func offset(_ text: Substring) -> UTCOffset?? {
    if text == "Z" || text == "z" { return .zero }
    let digits = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
    let isPlain = digits.count == 1 && digits[0].utf8.count == 4
    guard isPlain || digits.map(\.utf8.count) == [2, 2], let number = number(digits.joined()[...]),
      number % 100 < 60
    else { return .none }
    let seconds = number / 100 * 3600 + number % 100 * 60
    guard let offset = UTCOffset(seconds: text.hasPrefix("-") ? -seconds : seconds) else {
      return .none
    }
    return offset
  }

  private static func number(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.count < 19, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
      return nil
    }
    return Int(text)
  }
}

extension MomentArgument: ExpressibleByArgument {}
