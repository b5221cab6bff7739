// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICUServices

extension PhraseForm {
  /// Adds another part of the same phrase, such as the time to the day.
  ///
  /// - Parameter other: The part.
  /// - Returns: Whether the parts fit together; otherwise the form is unchanged.
  mutating func join(_ other: PhraseForm) -> Bool {
    var joined = self
    guard joined.joinRest(of: other), joined.joinPoints(of: other) else { return false }
    self = joined
    return true
  }

  /// Adds the duration, the repetition and the zone, each at most once.
  private mutating func joinRest(of other: PhraseForm) -> Bool {
    guard duration == nil || other.duration == nil, zone == nil || other.zone == nil else {
      return false
    }
    duration = duration ?? other.duration
    zone = zone ?? other.zone
    part = part ?? other.part
    isAnchor = isAnchor || other.isAnchor
    isStart = isStart || other.isStart
    sharesYear = sharesYear || other.sharesYear
    isBeforeEnd = isBeforeEnd || other.isBeforeEnd
    sharesWeek = sharesWeek || other.sharesWeek
    isAllDay = isAllDay || other.isAllDay
    guard let addition = other.repetition else { return true }
    guard var known = repetition else {
      repetition = addition
      return true
    }
    guard known.joinEnd(of: addition) || known.joinInterval(of: addition) else { return false }
    repetition = known
    return true
  }

  private mutating func joinPoints(of other: PhraseForm) -> Bool {
    guard other.hasPoint else { return true }
    guard hasPoint else {
      (start, separator, end) = (other.start, other.separator, other.end)
      return true
    }
    guard duration == nil || other.end == nil else { return false }
    if let last = other.end { return join(range: other.start, last, other.separator) }
    return join(other.start)
  }

  /// Adds a range of times to a day.
  private mutating func join(
    range first: PhrasePoint, _ last: PhrasePoint, _ separator: Separator?
  ) -> Bool {
    // "next week mon-fri"
    if let week = start.day, start.time == nil, end == nil, first.time == nil, last.time == nil,
      let from = first.day.flatMap({ Self.same($0, week) }),
      let to = last.day.flatMap({ Self.same($0, week) })
    {
      start.day = from
      end = last
      end?.day = to
      self.separator = separator
      return true
    }
    guard first.day == nil, first.moment == nil, last.day == nil, last.moment == nil,
      end == nil, start.moment == nil, start.time == nil, start.day?.isExact != true
    else { return false }
    start.time = first.time
    (self.separator, end) = (separator, last)
    return true
  }

  /// Adds a single point.
  private mutating func join(_ point: PhrasePoint) -> Bool {
    // "monday next week 9:15" names one day.
    if let day = point.day, let time = point.time, start.time == nil, end == nil,
      let known = start.day, let same = Self.same(known, day) ?? Self.same(day, known)
    {
      (start.day, start.time) = (same, time)
      return true
    }
    switch (point.day, point.time, point.moment) {
    case (let day?, nil, nil): return join(day, at: point)
    case (nil, let time?, nil): return join(time, at: point)
    default: return joinEnd(point)
    }
  }

  private mutating func join(_ day: PhraseDay, at point: PhrasePoint) -> Bool {
    guard let known = start.day else {
      guard start.moment == nil, end?.day == nil, end?.moment == nil, !day.isExact else {
        return false
      }
      start.day = day
      return true
    }
    // "mon-fri next week"
    if let last = end?.day, let from = Self.same(known, day), let to = Self.same(last, day) {
      start.day = from
      end?.day = to
      if case .weekdayOfWeek = from.base { sharesWeek = true }
      return true
    }
    guard end == nil else { return false }
    if let same = Self.same(known, day) ?? Self.same(day, known) {
      start.day = same
      return true
    }
    guard known.isDate, day.isDate, start.time == nil else { return false }
    (separator, end) = (.adjacent, point)
    return true
  }

  private mutating func join(_ time: PhraseTime, at point: PhrasePoint) -> Bool {
    if start.time == nil, start.moment == nil {
      guard end == nil, start.day?.isExact != true else { return false }
      start.time = time
      return true
    }
    // "viernes 4 por la noche a las 9" has a day and one time.
    guard end == nil, duration == nil, start.day?.isExact != true, start.time?.hasPart != true
    else {
      return false
    }
    (separator, end) = (.adjacent, point)
    return true
  }

  /// Adds a day with a time after another one.
  private mutating func joinEnd(_ point: PhrasePoint) -> Bool {
    guard end == nil, duration == nil,
      start.moment != nil || (start.day != nil && start.time != nil),
      start.day?.isExact != true
    else { return false }
    (separator, end) = (.adjacent, point)
    return true
  }

  /// The day of two statements about it: a weekday with its date or its week; nil for others.
  private static func same(_ weekday: PhraseDay, _ other: PhraseDay) -> PhraseDay? {
    guard case .weekday(let name, nil) = weekday.base, weekday.offsets.isEmpty,
      other.offsets.isEmpty
    else { return nil }
    var day = other
    switch other.base {
    case .day, .date, .dateOfYear:
      guard other.weekday == nil else { return nil }
      day.weekday = name
    case .period(.week, let distance): day.base = .weekdayOfWeek(name, distance)
    default: return nil
    }
    return day
  }
}
