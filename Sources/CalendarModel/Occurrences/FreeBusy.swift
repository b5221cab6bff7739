// SPDX-License-Identifier: Apache-2.0

public import CivilTime
public import ICalSyntax

/// The busy time in a range, without event details (RFC 5545 §3.6.4).
///
/// ```swift
/// var freeBusy = FreeBusy(in: range)
/// for occurrence in query.occurrences() { freeBusy.add(occurrence) }
/// let component = freeBusy.component(stamp: now)
/// ```
///
/// The following sources make the user busy:
///
/// | source | kind |
/// |---|---|
/// | an event | `BUSY` |
/// | an event with STATUS:TENTATIVE, or with a tentative answer of the user | `BUSY-TENTATIVE` |
/// | an event that the user declined (``user``) | none |
/// | an event with TRANSP:TRANSPARENT or STATUS:CANCELLED, or with zero duration | none |
/// | an all-day event | like other events; if ``allDayBlocks`` is false, only with TRANSP:OPAQUE |
/// | a period of a VFREEBUSY | its FBTYPE; an unknown type is `BUSY` (RFC 5545 §3.2.9) |
/// | a VAVAILABILITY | its BUSYTYPE, except in available times (``Availability``) |
/// | a reminder or a journal entry | none |
///
/// If periods overlap, the stronger kind applies. Adjacent periods of the same kind are merged.
public struct FreeBusy: Sendable {
  /// The kind of busy time: FBTYPE (RFC 5545 §3.2.9); later cases are stronger.
  public enum Kind: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Free, as declared by a VFREEBUSY.
    case free = "FREE"
    /// Tentatively busy.
    case busyTentative = "BUSY-TENTATIVE"
    /// Busy.
    case busy = "BUSY"
    /// Unavailable; the time cannot be rescheduled.
    case busyUnavailable = "BUSY-UNAVAILABLE"

    /// Whether the left kind is weaker.
    public static func < (left: Kind, right: Kind) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  /// A period of one kind of busy time.
  public struct Period: Hashable, Sendable {
    /// The time range.
    public let interval: Range<Instant>
    /// The kind of busy time.
    public let kind: Kind
  }

  /// The range of time.
  public let range: Range<Instant>
  /// Whether all-day events without TRANSP make the user busy.
  ///
  /// The RFC makes such events opaque (RFC 5545 §3.8.2.7), which is the default.
  public var allDayBlocks = true
  /// The user's addresses, by which the answers to invitations are recognized.
  public var user: Set<CalendarAddress> = []
  /// The maximum number of periods; typical calendars have a few thousand.
  public static let limit = 250_000
  /// Whether the limit was exceeded, so that periods are missing.
  public private(set) var isFull = false
  private var found: [Kind: [Range<Instant>]] = [:]
  private var count = 0

  /// Creates an empty busy time.
  public init(in range: Range<Instant>) {
    self.range = range
  }

  /// Adds an occurrence.
  public mutating func add(_ occurrence: Occurrence) {
    guard let kind = Self.kind(of: occurrence, allDayBlocks: allDayBlocks, user: user) else {
      return
    }
    add(occurrence.interval, kind)
  }

  /// The kind of busy time of an occurrence.
  ///
  /// - Parameters:
  ///   - occurrence: The occurrence.
  ///   - allDayBlocks: Whether all-day events without TRANSP make the user busy.
  ///   - user: The user's addresses.
  /// - Returns: The kind; nil if the occurrence does not make the user busy.
  public static func kind(
    of occurrence: Occurrence, allDayBlocks: Bool = true, user: Set<CalendarAddress> = []
  ) -> Kind? {
    let isOpaque = allDayBlocks || !occurrence.isAllDay
    return kind(of: occurrence.component, isOpaque: isOpaque, user: user)
  }

  /// The kind of busy time of a component.
  ///
  /// - Parameters:
  ///   - component: The component.
  ///   - isOpaque: Whether an event without TRANSP makes the user busy.
  ///   - user: The user's addresses.
  /// - Returns: The kind; nil if the component is no event, or does not make the user busy.
  package static func kind(
    of component: Component, isOpaque: Bool = true, user: Set<CalendarAddress>
  ) -> Kind? {
    guard component.name == .event else { return nil }
    let transparency = component[.transparency]?.text.asciiUppercased
    guard transparency != Transparency.transparent.rawValue,
      isOpaque || transparency == Transparency.opaque.rawValue
    else { return nil }
    let answer = component.answer(of: user)
    guard answer != .declined else { return nil }
    return switch component[.status]?.text.asciiUppercased {
    case EventStatus.cancelled.rawValue?: nil
    case EventStatus.tentative.rawValue?: .busyTentative
    default: answer == .tentative ? .busyTentative : .busy
    }
  }

  /// Adds the periods of a VFREEBUSY (RFC 5545 §3.8.2.6).
  public mutating func add(_ component: Component) {
    guard component.name == .freeBusy else { return }
    for property in component.properties(named: .freeBusy) {
      let kind = property[.freeBusyType].flatMap { Kind(rawValue: $0.asciiUppercased) } ?? .busy
      for value in property.typedValues.values {
        guard case .period(let period) = value, let interval = Self.interval(of: period) else {
          continue
        }
        add(interval, kind)
      }
    }
  }

  /// Adds other periods, such as those of ``Availability``.
  public mutating func add(_ periods: [Period]) {
    for period in periods { add(period.interval, period.kind) }
  }

  /// The periods in order, without overlaps.
  public var periods: [Period] {
    var changes: [(instant: Instant, kind: Kind, step: Int)] = []
    for (kind, intervals) in found {
      for interval in intervals {
        changes.append((interval.lowerBound, kind, 1))
        changes.append((interval.upperBound, kind, -1))
      }
    }
    changes.sort { $0.instant < $1.instant }
    var open: [Kind: Int] = [:]
    var periods: [Period] = []
    var start: Instant?
    for change in changes {
      if let start, start < change.instant, let kind = open.keys.max() {
        let last = periods.last
        let touches = last?.kind == kind && last?.interval.upperBound == start
        let lower = touches ? periods.removeLast().interval.lowerBound : start
        periods.append(Period(interval: lower..<change.instant, kind: kind))
      }
      let count = (open[change.kind] ?? 0) + change.step
      open[change.kind] = count == 0 ? nil : count
      start = change.instant
    }
    return periods
  }

  /// Creates a VFREEBUSY with the periods.
  ///
  /// - Parameters:
  ///   - stamp: The time of creation (RFC 5545 §3.8.7.2).
  ///   - uid: The UID; by default derived from the content, so that equal busy times have the same
  ///     UID.
  /// - Returns: A component with a FREEBUSY property for each period, in order.
  public func component(stamp: Instant, uid: UID? = nil) -> Component {
    var properties = [
      Property(.dtStart, rawValue: "\(range.lowerBound)"),
      Property(.dtEnd, rawValue: "\(range.upperBound)"),
    ]
    for period in periods {
      let value = "\(period.interval.lowerBound)/\(period.interval.upperBound)"
      let parameters =
        period.kind == .busy ? [] : [Parameter(.freeBusyType, period.kind.rawValue)]
      properties.append(Property(.freeBusy, rawValue: value, parameters: parameters))
    }
    let told = Component(.freeBusy, properties: properties)
    let uid = uid ?? UID.derived(from: CanonicalForm.digest(of: told))
    let first = [
      Property(.uid, text: uid.rawValue), Property(.dtStamp, rawValue: "\(stamp)"),
    ]
    return Component(.freeBusy, properties: first + properties)
  }

  private mutating func add(_ interval: Range<Instant>, _ kind: Kind) {
    let part = interval.clamped(to: range)
    guard !part.isEmpty else { return }
    // Occurrences are ordered by start, so that most overlapping ones are merged immediately.
    if let last = found[kind]?.last, last.lowerBound <= part.lowerBound,
      part.lowerBound <= last.upperBound
    {
      found[kind]?.removeLast()
      found[kind]?.append(last.lowerBound..<max(last.upperBound, part.upperBound))
    } else if count < Self.limit {
      found[kind, default: []].append(part)
      count += 1
    } else {
      isFull = true
    }
  }

  /// The time range of a period, whose times are in UTC.
  private static func interval(of period: ICalSyntax.Period) -> Range<Instant>? {
    let start = Instant(utc: period.start)
    let end: Instant?
    switch period.end {
    case .dateTime(let time, _): end = Instant(utc: time)
    case .duration(let duration): end = period.start.adding(duration).map { Instant(utc: $0) }
    }
    guard let end, start < end else { return nil }
    return start..<end
  }
}

/// A set of instants, as sorted ranges that neither overlap nor touch.
struct InstantRanges: Sendable {
  private(set) var ranges: [Range<Instant>] = []

  /// Merges ranges that overlap or touch; empty ranges are omitted.
  init(merging ranges: some Sequence<Range<Instant>>) {
    for range in ranges.filter({ !$0.isEmpty }).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = self.ranges.last, range.lowerBound <= last.upperBound {
        let upper = max(last.upperBound, range.upperBound)
        self.ranges[self.ranges.count - 1] = last.lowerBound..<upper
      } else {
        self.ranges.append(range)
      }
    }
  }

  /// Returns the difference of this set and another one.
  func subtracting(_ other: InstantRanges) -> InstantRanges {
    var rest: [Range<Instant>] = []
    var next = 0
    for range in ranges {
      var start = range.lowerBound
      while next < other.ranges.count, other.ranges[next].upperBound <= start { next += 1 }
      var index = next
      while index < other.ranges.count, other.ranges[index].lowerBound < range.upperBound {
        if start < other.ranges[index].lowerBound {
          rest.append(start..<other.ranges[index].lowerBound)
        }
        start = max(start, other.ranges[index].upperBound)
        index += 1
      }
      if start < range.upperBound { rest.append(start..<range.upperBound) }
    }
    return InstantRanges(merging: rest)
  }
}

extension Occurrence {
  /// The user's answer to the invitation (RFC 5545 §3.2.12).
  ///
  /// - Parameter user: The user's addresses.
  /// - Returns: The answer; nil if the user is no attendee.
  public func answer(of user: Set<CalendarAddress>) -> ParticipationStatus? {
    component.answer(of: user)
  }
}

extension Component {
  /// The user's answer to the invitation; nil if the user is no attendee.
  package func answer(of user: Set<CalendarAddress>) -> ParticipationStatus? {
    guard !user.isEmpty, self[.attendee] != nil else { return nil }
    let attendees = name == .reminder ? Reminder(self).attendees : Event(self).attendees
    return attendees.first { $0.isAny(of: user) }?.participationStatus
  }
}
