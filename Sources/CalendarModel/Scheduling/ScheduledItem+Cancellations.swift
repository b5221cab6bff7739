// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax
import Recurrence

/// CANCEL (RFC 5546 §3.2.5).
///
/// Cancelled components stay in the calendar with STATUS:CANCELLED. A cancelled occurrence becomes
/// an override with that status and not an EXDATE, because only an override keeps the SEQUENCE and
/// the DTSTAMP of the cancellation, by which a late REQUEST for the occurrence is recognized as
/// stale.
extension ScheduledItem {
  /// Applies a cancellation to the scope that its component names.
  ///
  /// The scope is the item, an occurrence, an occurrence and all later ones, or the invitation of
  /// some attendees.
  mutating func cancel(_ component: Component, _ key: OccurrenceKey) -> SchedulingOutcome {
    let incoming = SchedulingRevision(of: component)
    if key == .series { return cancelAll(by: component, incoming) }
    switch target(key) {
    case .none:
      let isExcluded = withOccurrences { source in source.isExcluded(key) }
      return isExcluded == true ? .unchanged : .refused(.noOccurrence)
    case .stored(let place):
      guard let revision = parts[place]?.revision, !incoming.isEarlier(than: revision) else {
        return .stale(stored: parts[place]?.revision ?? incoming, incoming: incoming)
      }
      if component.isForFuture { return cancelFuture(from: key, by: component, incoming) }
      let user = userAddresses
      return change(place) { $0.apply(cancellation: component, of: user) } ?? .unchanged
    case .occurrence(var part):
      let revision = part.revision
      guard !incoming.isEarlier(than: revision) else {
        return .stale(stored: revision, incoming: incoming)
      }
      if component.isForFuture { return cancelFuture(from: key, by: component, incoming) }
      let outcome = part.apply(cancellation: component, of: userAddresses)
      if case .updated = outcome { store(part.component, for: key) }
      return outcome
    }
  }

  /// Cancels the item with all its occurrences, or uninvites attendees from all of them.
  private mutating func cancelAll(
    by component: Component, _ incoming: SchedulingRevision
  ) -> SchedulingOutcome {
    let current = main?.revision ?? parts.compactMap { $0?.revision }.first ?? incoming
    guard !incoming.isEarlier(than: current) else {
      return .stale(stored: current, incoming: incoming)
    }
    var total = SchedulingOutcome.unchanged
    var uninvited: [CalendarAddress] = []
    let first = places[.series] ?? parts.firstIndex { $0 != nil }
    let user = userAddresses
    guard let first, let uninvites = change(first, { $0.isUninvited(by: component, not: user) })
    else {
      return .unchanged
    }
    // The same message was applied before, to all occurrences.
    if !uninvites, let main, main.isCancelled, main.revision == incoming { return .unchanged }
    var affected = Array(parts.indices)
    if uninvites {
      let named = Set(component.properties(named: .attendee).map(\.address))
      affected = Set(named.flatMap { overrides(inviting: $0) }).union([first]).sorted()
    }
    for place in affected {
      guard place == first || uninvites || isOpen(place, to: incoming) else { continue }
      let outcome = change(place) { part in
        uninvites ? part.uninvite(by: component) : part.cancelled(by: component)
      }
      switch outcome {
      case .updated(.uninvited(let addresses))?: uninvited += addresses
      case .updated?: total = .updated(.cancelled)
      case .refused(let refusal)? where place == first: total = .refused(refusal)
      default: break
      }
    }
    guard uninvites, !uninvited.isEmpty else { return total }
    var seen: Set<CalendarAddress> = []
    return .updated(.uninvited(uninvited.filter { seen.insert($0).inserted }))
  }

  /// Whether a cancellation of the series also cancels an override.
  ///
  /// Overrides with a later revision are excluded. An override that was cancelled individually
  /// keeps its revision.
  private func isOpen(_ place: Int, to incoming: SchedulingRevision) -> Bool {
    parts[place].map { !$0.isCancelled && !incoming.isEarlier(than: $0.revision) } ?? false
  }

  /// Cancels an occurrence and all later ones.
  ///
  /// The series ends before the occurrence, and the later overrides are cancelled.
  private mutating func cancelFuture(
    from key: OccurrenceKey, by component: Component, _ incoming: SchedulingRevision
  ) -> SchedulingOutcome {
    do throws(EditError) {
      guard try endSeries(before: key, by: incoming) else {
        return cancelAll(by: component, incoming)
      }
    } catch {
      return .refused(.unsupported(error.message))
    }
    if let main = places[.series] {
      _ = change(main) { part in
        part.raise(to: incoming)
        part.addRemarks(of: component, named: [.comment])
      }
    }
    for (other, place) in places where other != .series && !other.isBefore(key) {
      guard isOpen(place, to: incoming) else { continue }
      _ = change(place) { $0.cancel(by: component) }
    }
    return .updated(.cancelledFuture)
  }
}

extension ScheduledComponent {
  /// Whether a cancellation uninvites some attendees without cancelling the item (RFC 5546 §3.2.5).
  ///
  /// Such a cancellation names some attendees, but not all of them and not the calendar's owner, and has
  /// no STATUS.
  mutating func isUninvited(
    by cancellation: Component, not user: Set<CalendarAddress>
  ) -> Bool {
    guard cancellation[.status] == nil else { return false }
    let named = cancellation.properties(named: .attendee).map(\.address)
    guard !named.contains(where: { $0.isAny(of: user) }) else { return false }
    return !named.isEmpty && !isEveryGuest(among: Set(named))
  }

  /// Cancels the component or the invitation of some attendees.
  fileprivate mutating func apply(
    cancellation: Component, of user: Set<CalendarAddress>
  ) -> SchedulingOutcome {
    isUninvited(by: cancellation, not: user)
      ? uninvite(by: cancellation) : cancelled(by: cancellation)
  }

  fileprivate mutating func cancelled(by cancellation: Component) -> SchedulingOutcome {
    let before = revision
    let wasCancelled = isCancelled
    cancel(by: cancellation)
    return wasCancelled && revision == before ? .unchanged : .updated(.cancelled)
  }

  fileprivate mutating func uninvite(by cancellation: Component) -> SchedulingOutcome {
    let named = cancellation.properties(named: .attendee).map(\.address)
    let incoming = SchedulingRevision(of: cancellation)
    let removed = remove(named)
    guard !removed.isEmpty else {
      guard incoming.isSame(as: revision) || named.isEmpty else {
        // An earlier REQUEST that invites them again may still come.
        raise(to: incoming)
        return .refused(.unknownAttendee(named[0]))
      }
      return .unchanged
    }
    raise(to: incoming)
    addRemarks(of: cancellation, named: [.comment])
    return .updated(.uninvited(removed))
  }
}

extension OccurrenceKey {
  /// Whether the occurrence comes before another one that is named in the same form.
  fileprivate func isBefore(_ other: OccurrenceKey) -> Bool {
    switch (self, other) {
    case (.date(let left), .date(let right)): left < right
    case (.instant(let left), .instant(let right)): left < right
    case (.local(let left, _), .local(let right, _)): left < right
    default: true
    }
  }
}

/// The occurrences of a series, to be asked for many of them.
protocol OccurrenceSource: Sendable {
  /// Whether the series recurs.
  var isRecurring: Bool { get }
  /// The first occurrence, by the start of the main component.
  mutating func isStart(_ key: OccurrenceKey) -> Bool
  /// Whether the series has an occurrence, that no EXDATE takes out.
  mutating func hasOccurrence(_ key: OccurrenceKey) -> Bool
  /// Whether an EXDATE takes the occurrence out of the series.
  mutating func isExcluded(_ key: OccurrenceKey) -> Bool
  /// The occurrence as a component of its own, as long as it has no override.
  mutating func template(of key: OccurrenceKey) -> Component?
  /// The time of an occurrence in the form of the start of the series.
  mutating func time(of key: OccurrenceKey) -> EventTime?
}

/// The occurrences of a series with this content.
struct SeriesOccurrences<Content: ItemContent>: OccurrenceSource {
  private var series: SeriesView<Content>
  private var template: OccurrenceTemplate<Content>
  private let instances: RecurrenceInstances?
  private var excluded: Set<CivilDateTime> = []
  private var excludedDays: Set<CivilDate> = []

  init?(_ main: Component, among components: [Component], _ zones: CanonicalZones) {
    guard var series = try? SeriesView<Content>(main, zones: zones, RecurrenceOptions())
    else { return nil }
    instances = try? series.instances()
    template = OccurrenceTemplate(of: main, among: components, series)
    for time in series.content.recurrence.excludedDates {
      if case .date(let date) = time { excludedDays.insert(date) }
      excluded.insert(series.wall(of: time))
    }
    self.series = series
  }

  var isRecurring: Bool { series.content.recurrence.isRecurring }

  mutating func isStart(_ key: OccurrenceKey) -> Bool {
    wall(of: key).map { $0 == series.wall(of: series.start) } ?? false
  }

  mutating func hasOccurrence(_ key: OccurrenceKey) -> Bool {
    guard let wall = wall(of: key), let instances else { return false }
    var iterator = instances.starting(at: wall).makeIterator()
    return iterator.next().map { series.shown($0.local) == wall } ?? false
  }

  mutating func isExcluded(_ key: OccurrenceKey) -> Bool {
    guard let wall = wall(of: key) else { return false }
    return excluded.contains(wall) || excludedDays.contains(wall.date)
  }

  mutating func template(of key: OccurrenceKey) -> Component? {
    wall(of: key).map { template.component(at: $0) }
  }

  mutating func time(of key: OccurrenceKey) -> EventTime? {
    wall(of: key).map { series.time($0) }
  }

  private mutating func wall(of key: OccurrenceKey) -> CivilDateTime? {
    switch key {
    case .series, .unreadable: nil
    case .date(let date): series.wall(of: .date(date))
    case .instant(let instant): instant.civil().map { series.wall(of: .utc($0)) }
    case .local(let wall, _): series.wall(of: .floating(wall))
    }
  }
}
