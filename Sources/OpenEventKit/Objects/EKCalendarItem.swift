// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import EpactFoundation
public import Foundation

/// The base of events and reminders.
///
/// An object is bound to its store. Saving writes only changed fields, and preserves the rest of
/// the file, including everything that the object does not show.
open class EKCalendarItem: EKObject, @unchecked Sendable {
  let core: StoreCore
  var state: ItemState
  private var knownNewUID: UID?
  /// The calendar that the program set, or in which the item was found.
  private(set) var place: EKCalendar?
  /// The values with changes; nil if the object was not looked at.
  private var ownFields: ItemFields?
  /// The parts that the program may have changed in place.
  private var ownParts: ItemParts?

  @usableFromInline
  init(_ core: StoreCore, _ state: ItemState, in calendar: EKCalendar?) {
    self.core = core
    self.state = state
    place = calendar
    super.init(lock: core.lock)
  }

  /// The kind of the item.
  var entity: EKEntityType { .event }

  /// The UID of an item that was never saved, which is made when it is needed.
  var newUID: UID {
    lock.withLock {
      let uid = knownNewUID ?? core.makeUID()
      knownNewUID = uid
      return uid
    }
  }

  // MARK: Fields

  /// The values of the object, with those of its parts.
  var fields: ItemFields {
    get {
      lock.withLock {
        var fields = ownFields ?? state.saved.value.fields
        if let ownParts { fields.take(ownParts) }
        if let place { fields.calendar = place.calendarIdentifier }
        return fields
      }
    }
    set { lock.withLock { ownFields = newValue } }
  }

  /// The alarms, the rules and the location of the object.
  var parts: ItemParts {
    get {
      lock.withLock {
        if let ownParts { return ownParts }
        let parts = state.saved.value.makeParts()
        ownParts = parts
        return parts
      }
    }
    set { lock.withLock { ownParts = newValue } }
  }

  /// The values of the object and its parts.
  package var values: ItemValues { lock.withLock { ItemValues(fields: fields, parts: parts) } }

  /// Shows other values and parts, in a calendar.
  func show(_ fields: ItemFields?, _ parts: ItemParts?, in calendar: EKCalendar?) {
    ownFields = fields
    ownParts = parts
    place = calendar
  }

  /// Shows the values of a snapshot.
  func show(_ snapshot: ItemSnapshot) {
    let calendar = snapshot.fields.calendar
    show(
      snapshot.fields, snapshot.makeParts(),
      in: place?.calendarIdentifier == calendar ? place : core.knownCalendar(calendar))
  }

  /// Whether a value differs from that of a snapshot.
  private func differs(from snapshot: LazySnapshot) -> Bool {
    if ownFields == nil, ownParts == nil, place?.calendarIdentifier == state.origin?.calendar {
      return false
    }
    return fields != snapshot.value.fields
  }

  /// Whether the object has changes that were not saved.
  var hasUnsavedChanges: Bool { lock.withLock { differs(from: state.saved) } }

  // MARK: State

  /// Whether the object has changes that are not committed.
  open override var hasChanges: Bool {
    lock.withLock { core.batch.isPending(self) || differs(from: state.saved) }
  }

  /// Whether the item was never saved.
  open override var isNew: Bool {
    lock.withLock { state.origin == nil && !state.isAppended }
  }

  /// Discards all changes and returns to the saved values; does nothing for a new item.
  open override func reset() {
    lock.withLock {
      guard state.origin != nil else { return }
      show(state.saved.value)
    }
  }

  /// Discards all changes and returns to the values that were fetched.
  open override func rollback() {
    lock.withLock { show(state.fetched.value) }
  }

  /// Reads the latest values into all fields without changes.
  ///
  /// An occurrence is valid as long as its series has it at the same original time, or the series
  /// that continues it since a split.
  ///
  /// - Returns: False if the item was deleted, and then must be let go. An error is reported to the
  ///   log, and changes nothing.
  @discardableResult
  open override func refresh() -> Bool {
    lock.withLock {
      guard let origin = state.origin else { return !state.isAppended }
      guard !state.isRemoved else { return false }
      let found = core.gate.failures.catching("an object cannot be refreshed") {
        try core.latest(of: self, origin)
      }
      // After an error the item may still be there.
      guard let found else { return true }
      guard let latest = found else { return false }
      take(latest)
      return true
    }
  }

  /// Takes the latest values of all fields without changes.
  func take(_ latest: StoreCore.Latest) {
    if core.batch.isPending(self) { core.batch.keep(values, of: self) }
    defer { core.batch.note(shown: fields, by: self) }
    let base = state.saved.value.fields
    let current = fields
    var merged = current
    merged.merge(latest.snapshot.fields, changedSince: base)
    var parts = parts
    let new = latest.snapshot.makeParts()
    if current.alarms == base.alarms { parts.alarms = new.alarms }
    if current.rules == base.rules { parts.rules = new.rules }
    if current.location == base.location { parts.location = new.location }
    state.origin = latest.origin
    state.saved = LazySnapshot(latest.snapshot)
    show(merged, parts, in: place)
  }

  // MARK: Identity

  /// The UID.
  var uid: UID { state.origin?.uid ?? newUID }

  /// The identifier on this computer, which changes if the item moves to another calendar.
  open var calendarItemIdentifier: String {
    lock.withLock {
      ItemIdentifier.local(uid, in: state.origin?.calendar ?? fields.calendar ?? "")
    }
  }

  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// The identifier on servers: the UID, which all occurrences of a series share.
  ///
  /// Several calendars may hold items with the same identifier.
  open var calendarItemExternalIdentifier: String! { lock.withLock { uid.rawValue } }

  /// The local identifier.
  @available(iOS, deprecated: 6.0, message: "use calendarItemIdentifier")
  open var uuid: String { calendarItemIdentifier }

  /// Whether another object is the same occurrence of the same item of the same store.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? EKCalendarItem else { return false }
    if self === other { return true }
    guard core === other.core, entity == other.entity else { return false }
    return lock.withLock {
      guard let own = state.origin, let origin = other.state.origin else { return false }
      return own.uid == origin.uid && own.calendar == origin.calendar
        && own.occurrence == origin.occurrence
    }
  }

  /// A hash of the identifier.
  open override var hash: Int { lock.withLock { uid.hashValue } }

  /// The title, for debugging.
  open override var description: String {
    "\(type(of: self)) \(title ?? "") <\(calendarItemIdentifier)>"
  }

  // MARK: Properties

  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// The calendar; nil until one is set.
  open var calendar: EKCalendar! {
    get { lock.withLock { place ?? core.knownCalendar(fields.calendar) } }
    set {
      lock.withLock {
        place = newValue
        fields.calendar = newValue?.calendarIdentifier
      }
    }
  }

  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// The title; empty for a new item.
  open var title: String! {
    get { fields.title }
    set { fields.title = newValue }
  }

  /// The title of the location.
  ///
  /// Setting it replaces the structured location of an event.
  open var location: String? {
    get { lock.withLock { parts.location?.title } }
    set {
      lock.withLock {
        guard newValue != parts.location?.title else { return }
        parts.location = newValue.map { EKStructuredLocation(title: $0) }
      }
    }
  }

  /// The notes.
  open var notes: String? {
    get { fields.notes }
    set { fields.notes = newValue }
  }

  /// The URL.
  open var url: URL? {
    get { fields.url }
    set { fields.url = newValue }
  }

  /// The time zone; nil if the times float, so that they are the same on the clock everywhere.
  ///
  /// Setting it does not move the instant.
  open var timeZone: TimeZone? {
    get { fields.times.timeZone }
    set { fields.times.timeZone = newValue }
  }

  /// When the item was created; nil if unknown.
  open var creationDate: Date? {
    lock.withLock { stamps(\.created) }
  }

  /// When the item was changed last; nil if unknown.
  open var lastModifiedDate: Date? {
    lock.withLock { stamps(\.lastModified) ?? stamps(\.stamp) }
  }

  private func stamps(_ field: KeyPath<Event, Instant?>) -> Date? {
    // The properties are the same in events and reminders.
    state.saved.value.component.flatMap { Event($0)[keyPath: field] }.map { Date($0) }
  }

  // MARK: Attendees

  /// Whether there are attendees.
  open var hasAttendees: Bool { attendees != nil }

  /// The attendees; nil if there are none.
  ///
  /// They are read-only.
  open var attendees: [EKParticipant]? {
    lock.withLock {
      guard let component = state.saved.value.component else { return nil }
      let attendees = Event(component).attendees
      guard !attendees.isEmpty else { return nil }
      let users = core.users
      return attendees.map { EKParticipant($0, users: users) }
    }
  }

  // MARK: Notes, alarms and rules

  /// Whether there are notes.
  open var hasNotes: Bool { notes?.isEmpty == false }

  /// Whether there are alarms.
  open var hasAlarms: Bool { !fields.alarms.isEmpty }

  /// The alarms; nil if there are none.
  open var alarms: [EKAlarm]? {
    get {
      let alarms = parts.alarms
      return alarms.isEmpty ? nil : alarms
    }
    set { parts.alarms = newValue ?? [] }
  }

  /// Adds an alarm.
  open func addAlarm(_ alarm: EKAlarm) {
    lock.withLock { parts.alarms.append(alarm) }
  }

  /// Removes an alarm.
  open func removeAlarm(_ alarm: EKAlarm) {
    lock.withLock { parts.alarms.remove(alarm) }
  }

  /// Whether the item recurs; false for a detached occurrence.
  open var hasRecurrenceRules: Bool { !fields.rules.isEmpty }

  /// The rules by which the item recurs; empty if it does not, and for a detached occurrence.
  open var recurrenceRules: [EKRecurrenceRule]? {
    get { parts.rules }
    set { parts.rules = newValue ?? [] }
  }

  /// Adds a rule.
  open func addRecurrenceRule(_ rule: EKRecurrenceRule) {
    lock.withLock { parts.rules.append(rule) }
  }

  /// Removes a rule.
  open func removeRecurrenceRule(_ rule: EKRecurrenceRule) {
    lock.withLock { parts.rules.remove(rule) }
  }
}

extension Array where Element: NSObject {
  /// Removes an object, or else the first one that equals it.
  fileprivate mutating func remove(_ object: Element) {
    let place = firstIndex { $0 === object } ?? firstIndex { $0.isEqual(object) }
    if let place { remove(at: place) }
  }
}
