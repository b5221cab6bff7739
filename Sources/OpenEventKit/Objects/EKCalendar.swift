// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Epact
import Foundation

/// The saved state of a calendar's object.
struct CalendarState {
  /// The calendar as it was saved or read last; nil for a calendar that was never saved.
  var saved: StoreCalendar?
  /// The calendar as it was fetched.
  var fetched: StoreCalendar?
  /// Whether the calendar was removed.
  var isRemoved = false
}

/// A calendar of events, of reminders, or of both.
open class EKCalendar: EKObject, @unchecked Sendable {
  /// The values that a program can change.
  private struct Fields: Equatable {
    var title: String
    var color: CGColor?
    var source: EKSource?
  }

  let core: StoreCore
  private(set) var kinds: Set<ItemKind>
  var state = CalendarState()
  private let temporaryID: String
  private var fields: Fields

  /// Creates a calendar.
  ///
  /// - Parameters:
  ///   - entityType: The kind of items that the calendar holds.
  ///   - eventStore: The store to which the calendar belongs.
  public init(for entityType: EKEntityType, eventStore: EKEventStore) {
    core = eventStore.core
    kinds = [entityType.kind]
    temporaryID = core.makeUID().rawValue
    fields = Fields(title: "")
    super.init(lock: core.lock)
  }

  /// Creates a calendar of events.
  ///
  /// - Parameter eventStore: The store to which the calendar belongs.
  @available(iOS, deprecated: 6.0, message: "use init(for:eventStore:)")
  public convenience init(eventStore: EKEventStore) {
    self.init(for: .event, eventStore: eventStore)
  }

  /// Creates the object of a calendar.
  @usableFromInline
  init(_ calendar: StoreCalendar, _ core: StoreCore) {
    self.core = core
    kinds = calendar.kinds
    temporaryID = calendar.id
    fields = Self.fields(of: calendar, core)
    super.init(lock: core.lock)
    state = CalendarState(saved: calendar, fetched: calendar)
  }

  private static func fields(of calendar: StoreCalendar, _ core: StoreCore) -> Fields {
    Fields(
      title: calendar.title, color: calendar.color.flatMap { CGColor(text: $0) },
      source: EKSource(calendar.source, core))
  }

  // MARK: State

  /// Shows what was saved.
  func take(_ calendar: StoreCalendar) {
    if state.saved == nil { state.fetched = calendar }
    state.saved = calendar
    kinds = calendar.kinds
    fields = Self.fields(of: calendar, core)
  }

  /// Returns to an earlier state; the values stay, as changes.
  func restore(_ before: CalendarState) {
    state = before
    if let saved = before.saved { kinds = saved.kinds }
  }

  /// Takes the latest values, except of what the program changed.
  func update(to latest: StoreCalendar) {
    guard let saved = state.saved, saved != latest else { return }
    let (old, new) = (Self.fields(of: saved, core), Self.fields(of: latest, core))
    if fields.title == old.title { fields.title = new.title }
    if fields.color == old.color { fields.color = new.color }
    if fields.source == old.source { fields.source = new.source }
    state.saved = latest
    kinds = latest.kinds
  }

  /// Whether the object has changes that were not saved.
  var hasUnsavedChanges: Bool {
    lock.withLock {
      guard let saved = state.saved else { return fields != Fields(title: "") }
      return fields != Self.fields(of: saved, core)
    }
  }

  /// Whether the calendar has changes that are not committed.
  open override var hasChanges: Bool {
    lock.withLock { core.batch.isPending(self) || hasUnsavedChanges }
  }

  /// Whether the calendar was never saved.
  open override var isNew: Bool { lock.withLock { state.saved == nil } }

  /// Discards all changes and returns to the saved values; does nothing for a new calendar.
  open override func reset() {
    lock.withLock {
      if let saved = state.saved { fields = Self.fields(of: saved, core) }
    }
  }

  /// Discards all changes and returns to the values that were fetched.
  open override func rollback() {
    lock.withLock {
      fields = state.fetched.map { Self.fields(of: $0, core) } ?? Fields(title: "")
    }
  }

  /// Reads the latest values into all fields without changes.
  ///
  /// - Returns: False if the calendar was deleted, and then must be let go.
  @discardableResult
  open override func refresh() -> Bool {
    lock.withLock {
      guard let saved = state.saved else { return true }
      guard !state.isRemoved, let latest = core.latest(saved.id) else { return false }
      update(to: latest)
      return true
    }
  }

  /// Whether another object is the same calendar of the same store.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? EKCalendar else { return false }
    return self === other || core === other.core && calendarIdentifier == other.calendarIdentifier
  }

  /// A hash of the store, because the identifier changes when the calendar is saved first.
  open override var hash: Int { ObjectIdentifier(core).hashValue }

  /// The title, for debugging.
  open override var description: String { "EKCalendar \(title) <\(calendarIdentifier)>" }

  // MARK: Properties

  /// The identifier, which changes when a new calendar is saved.
  open var calendarIdentifier: String { lock.withLock { state.saved?.id ?? temporaryID } }

  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// The source; nil for a new calendar until one is set.
  ///
  /// It cannot change after the calendar was saved.
  open var source: EKSource! {
    get { lock.withLock { fields.source } }
    set { lock.withLock { fields.source = newValue } }
  }

  /// The name for people.
  open var title: String {
    get { lock.withLock { fields.title } }
    set { lock.withLock { fields.title = newValue } }
  }

  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// The color; nil for a new calendar until one is set.
  ///
  /// A saved calendar without a color is shown in one of a palette, because programs rely on a
  /// color. It is always the same one, and it is not stored.
  open var cgColor: CGColor! {
    get { lock.withLock { fields.color ?? state.saved.map { CGColor.shown(for: $0.id) } } }
    set { lock.withLock { fields.color = newValue } }
  }

  /// The color that was set or stored.
  var ownColor: CGColor? { lock.withLock { fields.color } }

  /// The kind of the calendar, which follows from its source.
  open var type: EKCalendarType {
    switch source?.sourceType {
    case .calDAV?: .calDAV
    case .exchange?: .exchange
    case .subscribed?: .subscription
    default: .local
    }
  }

  /// Whether items can be added, changed and removed.
  open var allowsContentModifications: Bool {
    lock.withLock { state.saved.map { !$0.isReadOnly } ?? true }
  }

  /// Whether the calendar is the copy of a feed.
  open var isSubscribed: Bool { lock.withLock { state.saved?.isSubscribed ?? false } }

  /// Whether the calendar itself cannot be changed or removed; its items may be.
  open var isImmutable: Bool {
    lock.withLock { state.saved.map { $0.isImmutable || $0.isSubscribed } ?? false }
  }

  /// The availabilities of events that the calendar can store.
  open var supportedEventAvailabilities: EKCalendarEventAvailabilityMask {
    lock.withLock { kinds.contains(.event) ? [.busy, .free] : [] }
  }

  /// The kinds of items that the calendar holds.
  open var allowedEntityTypes: EKEntityMask {
    lock.withLock {
      var mask: EKEntityMask = []
      if kinds.contains(.event) { mask.insert(.event) }
      if kinds.contains(.reminder) { mask.insert(.reminder) }
      return mask
    }
  }
}
