// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Recurrence

/// The properties of a component that a sieve needs: its item and the range of its times.
struct SiftedComponent {
  /// The index of the component's name.
  private var kind: Int?
  private(set) var lineCount = 0
  /// A hash of the UID; 0 if there is none.
  private(set) var uid: UInt64 = 0
  /// Whether only a full parser can decide.
  private var isInDoubt = false
  /// The range of its times, in days since 1970-01-01.
  private var earliest = Int.max
  private var latest = Int.min
  private var durationDays = 0
  private var startDay: Int?
  private var hasSeveralStarts = false
  private var rule: RecurrenceRule?
  /// Whether it is an override, which shares the UID of its series.
  private(set) var isOverride = false
  /// The day of the RECURRENCE-ID, since 1970-01-01; nil if uncertain.
  var overriddenDay: Int? { isInDoubt ? nil : recurrenceDay }
  private var recurrenceDay: Int?

  private static let event = ComponentName.event.index
  private static let reminder = ComponentName.reminder.index
  private static let journal = ComponentName.journal.index
  private static let rangeParameter = ParameterName.range.index

  /// Whether the sieve can drop components with this name.
  static func canDrop(_ name: Int?) -> Bool {
    name != nil && (name == event || name == reminder || name == journal)
  }

  /// Whether the component is a VTODO.
  var isReminder: Bool { kind != nil && kind == Self.reminder }

  /// Whether the component is certainly outside of a range of days since 1970-01-01.
  func canBeDropped(outside days: ClosedRange<Int>) -> Bool {
    guard !isInDoubt else { return false }
    // A reminder or journal entry without times has no occurrence.
    if earliest > latest {
      return kind != Self.event && durationDays == 0 && rule == nil && !isOverride
    }
    // An override without a start takes its duration from the series, and a rule requires a start.
    guard startDay != nil || rule == nil && !isOverride else { return false }
    return (lastDay ?? .max) < days.lowerBound || earliest > days.upperBound || passesOver(days)
  }

  /// The maximum number of days from the start of an occurrence to its end.
  private var span: Int { latest - earliest + durationDays + 1 }

  /// The last day of any occurrence, or nil if there is no limit.
  private var lastDay: Int? {
    guard let rule, let startDay else { return earliest + span }
    return rule.lastDay(from: startDay).map { max($0, earliest) + span }
  }

  /// Whether the rule certainly has no instance in a range of days, which is after the start.
  ///
  /// A yearly event has one occurrence a year, which is rarely in the requested month.
  private func passesOver(_ days: ClosedRange<Int>) -> Bool {
    guard let rule, let startDay, !hasSeveralStarts, earliest + span < days.lowerBound,
      rule.hasCertainDays(through: days.upperBound),
      let start = CivilDate(dayNumber: startDay),
      let first = CivilDate(dayNumber: days.lowerBound - span),
      let expansion = try? Expansion(of: rule, from: start)
    else { return false }
    var instances = expansion.starting(at: CivilDateTime(first, .midnight)).makeIterator()
    guard let next = instances.next() else { return !instances.isTruncated }
    return next.date.dayNumber > days.upperBound
  }

  /// Reads a component from its BEGIN line on.
  ///
  /// - Returns: The start of the line after it, or nil if its END is not available yet. A component
  ///   without an END before another one begins, or before the end of the file, is uncertain. So is
  ///   one with a line over the limit, which the reader reports.
  mutating func read(
    _ bytes: Span<UInt8>, from begin: Int, _ lines: SiftedLines, isLast: Bool, lineLimit: Int,
    arena: inout TextArena
  ) -> Int? {
    var start = begin
    var depth = 0
    while start < bytes.count {
      guard let line = lines.line(at: start, in: bytes, isLast: isLast, arena: &arena) else {
        return nil
      }
      if !line.isRegular || line.end - start > lineLimit { isInDoubt = true }
      switch line.role {
      case .begin:
        let name = lines.componentIndex(of: line, in: bytes)
        if depth == 0 {
          kind = name
        } else if name == nil || name == lines.names.calendar || lines.names.isOutermost(name) {
          isInDoubt = true
          if name != nil { return start }
        }
        depth += 1
      case .end:
        let name = lines.componentIndex(of: line, in: bytes)
        if name == lines.names.calendar {
          isInDoubt = true
          return start
        }
        depth -= 1
        if depth == 0 {
          if name != kind { isInDoubt = true }
          lineCount += line.lineCount
          return line.end
        }
      case .other: break
      default:
        guard depth == 1 else { break }
        SiftedLines.withText(of: line.record, in: bytes, arena) { note(line, $0) }
      }
      lineCount += line.lineCount
      start = line.end
    }
    guard isLast else { return nil }
    isInDoubt = true
    return bytes.count
  }

  /// Records a property of the component itself.
  private mutating func note(_ line: SiftedLines.Line, _ text: Span<UInt8>) {
    let valueStart = Int(line.record.valueStart)
    guard valueStart <= text.count else { return }
    let value = text.extracting(valueStart..<text.count)
    switch line.role {
    case .uid: noteUID(value)
    case .start:
      if startDay != nil { hasSeveralStarts = true }
      if let day = addDate(value) { startDay = max(startDay ?? day, day) }
    case .endTime: if kind == Self.event { addDate(value) }
    case .due: if kind == Self.reminder { addDate(value) }
    case .duration: addDuration(value)
    case .rule:
      let next = Self.rule(value)
      // Only a full parser can combine several rules.
      if next == nil || rule != nil { isInDoubt = true }
      rule = next
    case .ruleDates: isInDoubt = true
    case .recurrenceID:
      isOverride = true
      let parameters = text.extracting(Int(line.record.nameLength)..<max(0, valueStart - 1))
      guard recurrenceDay == nil, !Self.hasRange(parameters) else {
        isInDoubt = true
        return
      }
      recurrenceDay = addDate(value)
    case .other, .begin, .end: break
    }
  }

  /// Adds the date at the start of a value, and returns its day number.
  @discardableResult
  private mutating func addDate(_ value: Span<UInt8>) -> Int? {
    guard value.count >= 8, let date = try? BasicFormat.date(value.extracting(0..<8)) else {
      isInDoubt = true
      return nil
    }
    let day = date.dayNumber
    earliest = min(earliest, day)
    latest = max(latest, day)
    return day
  }

  /// Adds the length of a duration in days, rounded up (RFC 5545 §3.3.6).
  private mutating func addDuration(_ value: Span<UInt8>) {
    guard let duration = try? BasicFormat.lenientDuration(value).value else {
      isInDoubt = true
      return
    }
    let days = abs(duration.nominalDays) + Int(abs(duration.exactSeconds) / 86_400) + 2
    durationDays = max(durationDays, days)
  }

  /// The rule that the reader finds in a value.
  private static func rule(_ value: Span<UInt8>) -> RecurrenceRule? {
    RecurrenceRule(usual: value) ?? (try? RecurrenceRule.parse(leniently: value).rule)
  }

  /// Whether parameters contain RANGE, so that an override affects later occurrences.
  private static func hasRange(_ parameters: Span<UInt8>) -> Bool {
    var hasRange = false
    ParameterParser.forEach(in: parameters) { name, _ in
      if name == rangeParameter { hasRange = true }
    }
    return hasRange
  }

  /// Records a hash of the first UID (FNV-1a), which is never 0.
  private mutating func noteUID(_ value: Span<UInt8>) {
    guard uid == 0 else { return }
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in value.indices { hash = (hash ^ UInt64(value[index])) &* 0x100_0000_01B3 }
    uid = max(1, hash)
  }
}

extension RecurrenceRule {
  /// The maximum COUNT and INTERVAL of a rule whose last day is estimated.
  private static let estimateLimit = 100_000

  /// A day after which the rule has no instance, or nil if there is no limit.
  fileprivate func lastDay(from start: Int) -> Int? {
    if let until { return until.dayNumber }
    guard let count, count <= Self.estimateLimit, interval <= Self.estimateLimit,
      let step = longestStep
    else { return nil }
    // An instance in a gap may be omitted and not counted, at most twice a year. The first week may
    // contain none of the weekdays.
    let days = (count + 1) * interval * step
    return start + days + (days / 180 + 2) * interval * step
  }

  /// Whether the days of the instances, up to a day since 1970-01-01, follow from the first day.
  ///
  /// COUNT and UNTIL depend on times of day and on zones. Rules with more than one or two instances
  /// a month are not worth the search.
  fileprivate func hasCertainDays(through day: Int) -> Bool {
    guard count == nil, until.map({ $0.dayNumber > day + 2 }) ?? true,
      frequency == .monthly || frequency == .yearly
    else { return false }
    let others = parts.subtracting([.freq, .until, .interval, .wkst, .byMonth, .bySetPos, .byDay])
    // Without BYMONTH, programs disagree about the months.
    return others.isEmpty || others == [.byMonthDay] && (frequency == .monthly || !byMonth.isEmpty)
  }

  /// The maximum number of days between two instances at an interval of 1.
  ///
  /// It is nil if the frequency does not limit it, or if a part can exclude days that the frequency
  /// includes. Each week contains at least one of the days of BYDAY.
  private var longestStep: Int? {
    let step =
      switch frequency {
      case .daily: 1
      case .weekly: 7
      default: nil as Int?
      }
    let others = parts.subtracting([.freq, .until, .count, .interval, .wkst])
    return others.isEmpty || step == 7 && others == [.byDay] ? step : nil
  }
}

extension RecurrenceRule.Until {
  /// The day, since 1970-01-01.
  fileprivate var dayNumber: Int {
    switch self {
    case .date(let date): date.dayNumber
    case .local(let time), .utc(let time): time.date.dayNumber
    }
  }
}
