// SPDX-License-Identifier: Apache-2.0

public import CivilTime
public import ICalSyntax

/// When somebody is busy in a range of time, without saying with what (RFC 5545 §3.6.4).
///
/// ```swift
/// var freeBusy = FreeBusy(in: range)
/// for occurrence in query.occurrences() { freeBusy.add(occurrence) }
/// let component = freeBusy.component(stamp: now)
/// ```
///
/// What makes somebody busy:
///
/// | what | how |
/// |---|---|
/// | an event | `BUSY` |
/// | an event with STATUS:TENTATIVE | `BUSY-TENTATIVE` |
/// | an event with TRANSP:TRANSPARENT or STATUS:CANCELLED, or that takes no time | not |
/// | an event of whole days | as any other; not, unless it says TRANSP:OPAQUE, if ``allDayBlocks`` is off |
/// | a period of a VFREEBUSY | as it says; a type that is not known is `BUSY` (RFC 5545 §3.2.9) |
/// | a VAVAILABILITY | as it says, outside of what it names as available (``Availability``) |
/// | a reminder or a journal entry | not |
///
/// Of periods that overlap the one that is harder to move counts, and those of one type that touch
/// become one.
public struct FreeBusy: Sendable {
  /// How busy somebody is: the FBTYPE parameter (RFC 5545 §3.2.9); the later case is the stronger one.
  public enum Kind: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Free, which a VFREEBUSY may say.
    case free = "FREE"
    /// Perhaps busy.
    case busyTentative = "BUSY-TENTATIVE"
    /// Busy.
    case busy = "BUSY"
    /// Busy with what cannot be moved.
    case busyUnavailable = "BUSY-UNAVAILABLE"

    /// Whether the left kind is the weaker one.
    public static func < (left: Kind, right: Kind) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  /// A stretch of time in which somebody is busy in one way.
  public struct Period: Hashable, Sendable {
    /// From when until when.
    public let interval: Range<Instant>
    /// How busy.
    public let kind: Kind
  }

  /// The range of time.
  public let range: Range<Instant>
  /// Whether events of whole days make somebody busy if they do not say whether they do.
  ///
  /// So says the RFC (RFC 5545 §3.8.2.7), and so it is unless it is turned off.
  public var allDayBlocks = true
  /// The most periods that are kept; real ones are a few thousand.
  public static let limit = 250_000
  /// Whether there were more periods than are kept, so that some are missing.
  public private(set) var isFull = false
  private var found: [Kind: [Range<Instant>]] = [:]
  private var count = 0

  /// Creates the busy time of somebody who has nothing to do.
  public init(in range: Range<Instant>) {
    self.range = range
  }

  /// Adds an occurrence.
  public mutating func add(_ occurrence: Occurrence) {
    guard occurrence.kind == .event else { return }
    let component = occurrence.component
    let transparency = component[.transparency]?.text.asciiUppercased
    guard transparency != Transparency.transparent.rawValue,
      allDayBlocks || !occurrence.isAllDay || transparency == Transparency.opaque.rawValue
    else { return }
    switch component[.status]?.text.asciiUppercased {
    case EventStatus.cancelled.rawValue?: return
    case EventStatus.tentative.rawValue?: add(occurrence.interval, .busyTentative)
    default: add(occurrence.interval, .busy)
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

  /// Adds periods that were found elsewhere, as ``Availability`` finds them.
  public mutating func add(_ periods: [Period]) {
    for period in periods { add(period.interval, period.kind) }
  }

  /// The periods, in order; none overlaps another one.
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

  /// The VFREEBUSY that tells the periods.
  ///
  /// - Parameters:
  ///   - stamp: When it is made (RFC 5545 §3.8.7.2).
  ///   - uid: Its UID; made of what it tells if it is left out, so that it is the same for the same
  ///     busy time.
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
    // Occurrences come in order of their starts, so that most that overlap become one at once.
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

  /// From when until when a period is, whose times are in UTC.
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
