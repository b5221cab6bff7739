// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import EpactFoundation
public import Foundation

/// An event, or one occurrence of a recurring event.
///
/// ```swift
/// let event = EKEvent(eventStore: store)
/// event.calendar = store.defaultCalendarForNewEvents
/// event.title = "Lunch"
/// event.startDate = noon
/// event.endDate = noon.addingTimeInterval(3600)
/// try store.save(event, span: .thisEvent)
/// ```
open class EKEvent: EKCalendarItem, @unchecked Sendable {
  /// The times that the program set since the event was shown, also while it lasts whole days.
  private var exact = EventTimes()

  /// Creates an event, in the default time zone of the program.
  ///
  /// - Parameter eventStore: The store to which the event belongs.
  public init(eventStore: EKEventStore) {
    let core = eventStore.core
    var fields = ItemFields()
    fields.times.timeZone = core.zones.viewer
    let snapshot = LazySnapshot(ItemSnapshot(new: fields))
    super.init(core, ItemState(origin: nil, saved: snapshot, fetched: snapshot), in: nil)
  }

  @usableFromInline
  override init(_ core: StoreCore, _ state: ItemState, in calendar: EKCalendar?) {
    super.init(core, state, in: calendar)
  }

  /// Creates the object of an occurrence that a query found.
  convenience init(
    _ occurrence: Occurrence, of found: StoreCore.Found, in calendar: EKCalendar,
    _ core: StoreCore, _ zones: ItemZones
  ) {
    let origin = ItemOrigin(
      calendar: calendar.calendarIdentifier, item: found.item, base: found.entry,
      occurrence: occurrence.recurrenceID?.time)
    let snapshot = LazySnapshot {
      var event = Event(occurrence.component)
      event.start = occurrence.start.time
      event.end = .time(zones.time(of: occurrence.end, found.item.timeZones))
      return ItemSnapshot(
        event: OccurrenceReading(content: event, component: occurrence.component),
        of: found.item, in: origin.calendar, zones)
    }
    self.init(core, ItemState(origin: origin, saved: snapshot, fetched: snapshot), in: calendar)
  }

  /// Creates the object of an occurrence; nil if the item does not have it.
  convenience init?(_ origin: ItemOrigin, in calendar: EKCalendar, _ core: StoreCore) {
    guard let found = core.snapshot(of: origin, .event) else { return nil }
    let snapshot = LazySnapshot(found)
    self.init(core, ItemState(origin: origin, saved: snapshot, fetched: snapshot), in: calendar)
  }

  override var entity: EKEntityType { .event }

  // MARK: Identity

  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// The identifier; nil until the event is saved.
  ///
  /// All occurrences of a series have the same one, except those that differ from it. It changes if
  /// the event moves to another calendar.
  open var eventIdentifier: String! {
    lock.withLock {
      guard let origin = state.origin else {
        return state.isAppended
          ? ItemIdentifier.event(newUID, in: StoreCalendar.virtual.id) : String?.none
      }
      let start = isDetached ? original : nil
      return ItemIdentifier.event(origin.uid, in: origin.calendar, detachedAt: start)
    }
  }

  /// The instant at which the series has the occurrence.
  private var original: Instant? {
    state.origin.flatMap { origin in
      origin.occurrence.map { core.zones.instant(of: $0, origin.item.timeZones) }
    }
  }

  /// Whether the occurrence differs from its series.
  open var isDetached: Bool {
    lock.withLock { state.isDetached }
  }

  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// When the series has the occurrence, also after it was moved; nil until a start is set.
  open var occurrenceDate: Date! { lock.withLock { original.map { Date($0) } ?? startDate } }

  // MARK: Times

  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// The start; nil until it is set.
  ///
  /// That of an all-day event is the start of the day in the default time zone.
  open var startDate: Date! {
    get { fields.times.start }
    set {
      changeTimes {
        exact.start = newValue
        $0.start = newValue
      }
    }
  }

  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// The end; nil until it is set.
  ///
  /// That of an all-day event is the last second of its last day in the default time zone: a date
  /// at midnight stands for the day that it begins.
  open var endDate: Date! {
    get { fields.times.end }
    set {
      changeTimes {
        exact.end = newValue
        $0.end = newValue
      }
    }
  }

  /// Whether the event lasts whole days.
  ///
  /// If it no longer does, the times that the program set before apply, so that the order of the
  /// assignments makes no difference.
  open var isAllDay: Bool {
    get { fields.times.isAllDay }
    set {
      changeTimes { times in
        if times.isAllDay, !newValue { end(days: &times) }
        times.isAllDay = newValue
      }
    }
  }

  private func end(days times: inout EventTimes) {
    // Days have no time zone, and times that were days are on the clock of the default one.
    times.timeZone = times.timeZone ?? core.zones.viewer
    if let start = exact.start, core.zones.start(of: start) == times.start { times.start = start }
    if let end = exact.end, core.zones.end(of: end) == times.end { times.end = end }
  }

  override func show(_ fields: ItemFields?, _ parts: ItemParts?, in calendar: EKCalendar?) {
    super.show(fields, parts, in: calendar)
    exact = EventTimes()
  }

  private func changeTimes(_ change: (inout EventTimes) -> Void) {
    lock.withLock {
      var times = fields.times
      change(&times)
      times.round(core.zones)
      fields.times = times
    }
  }

  /// Returns the order of the starts of two events.
  ///
  /// - Parameter other: The other event.
  /// - Returns: The order; an event without a start is the last one.
  open func compareStartDate(with other: EKEvent) -> ComparisonResult {
    let (own, others) = (
      fields.times.start ?? .distantFuture, other.fields.times.start ?? .distantFuture
    )
    return own == others ? .orderedSame : own < others ? .orderedAscending : .orderedDescending
  }

  // MARK: Properties

  /// The location with its position; nil if there is none.
  open var structuredLocation: EKStructuredLocation? {
    get { parts.location }
    set { parts.location = newValue }
  }

  /// How the event counts for the availability; other values than busy and free are ignored.
  open var availability: EKEventAvailability {
    get { fields.availability }
    set {
      guard newValue == .busy || newValue == .free else { return }
      fields.availability = newValue
    }
  }

  /// The status, which a program cannot set.
  open var status: EKEventStatus {
    lock.withLock {
      switch state.saved.value.component.flatMap({ Event($0).status }) {
      case .tentative?: .tentative
      case .confirmed?: .confirmed
      case .cancelled?: .canceled
      case nil: .none
      }
    }
  }

  /// The organizer; nil if there is none.
  open var organizer: EKParticipant? {
    lock.withLock {
      guard let component = state.saved.value.component else { return nil }
      let event = Event(component)
      return event.organizer.map {
        EKParticipant($0, attendees: event.attendees, users: core.users)
      }
    }
  }

  // MARK: Birthdays

  /// Always nil, because an event does not refer to the contact whose birthday it is.
  open var birthdayContactIdentifier: String? { nil }

  /// Always -1, because an event does not refer to the contact whose birthday it is.
  open var birthdayPersonID: Int { -1 }

  /// Always nil, because an event does not refer to the contact whose birthday it is.
  open var birthdayPersonUniqueID: String? { nil }
}
