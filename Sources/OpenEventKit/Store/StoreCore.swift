// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import CivilTime
import Dispatch
import Epact
import Foundation

/// The state that a store and its objects share, behind one lock.
@usableFromInline
final class StoreCore: @unchecked Sendable {
  /// The lock of the store and of all its objects.
  let lock = NSRecursiveLock()
  /// The only way to the calendars.
  let gate: StoreGate
  /// The identifier of the store.
  let identifier: String
  let changes = StoreChanges()
  private let environment: StoreEnvironment
  /// The identifiers of the only visible sources; nil for all.
  let visibleSources: Set<String>?

  /// The uncommitted changes.
  var batch = Batch()
  /// The calendars that the user chose for a program with write-only access.
  var chosenCalendars: Set<String> = []

  // MARK: Caches

  /// The events that queries have found.
  var preparedItems = PreparedItems()
  private var knownZones: ItemZones?
  private var calendarObjects: [String: WeakCalendar] = [:]
  private var watches = Watches()

  private struct WeakCalendar {
    weak var object: EKCalendar?
  }

  /// The watches for changes by others.
  private struct Watches {
    /// The watch of the calendars; nil until the program has full access.
    var calendars: LibraryWatch?
    /// The watch of the folder of the ledger, in which the answers of the user are stored.
    var access: FolderWatch?
    /// The access of the program when it was read last; nil after an error.
    var lastStatus: [EKAuthorizationStatus]?
  }

  init(_ environment: StoreEnvironment, sources: Set<String>? = nil) {
    self.environment = environment
    gate = StoreGate(
      machine: environment.machine, program: environment.program, prompt: environment.prompt)
    identifier = environment.makeIdentifier()
    visibleSources = sources
  }

  /// A store over the same calendars that sees only some sources.
  func limited(to sources: Set<String>) -> StoreCore {
    StoreCore(environment, sources: sources)
  }

  // MARK: Environment

  /// The machine with the folders and the environment of the process.
  var machine: Machine { environment.machine }

  /// The time zones, with the current default zone of the program.
  var zones: ItemZones {
    let viewer = environment.timeZone()
    return lock.withLock {
      if let known = knownZones, known.viewer == viewer { return known }
      let zones = ItemZones(resolver: environment.machine.zoneResolver, viewer: viewer)
      knownZones = zones
      return zones
    }
  }

  /// The current time.
  var now: Instant { environment.machine.now() }

  /// The addresses of the user; none without full access.
  var users: Set<CalendarAddress> {
    guard let library = gate.fullAccess?.library else { return [] }
    return gate.failures.catching(Self.listing) { try library.userAddresses() } ?? []
  }

  /// The beginning of a report to the log.
  static let listing = "the calendars cannot be read"

  /// An editor for one save.
  var editor: ItemEditor {
    var editor = environment.machine.itemEditor(at: now) { [environment] in
      UID(environment.makeIdentifier())
    }
    editor.userAddresses = users
    return editor
  }

  /// The options for expanding rules.
  var occurrenceOptions: OccurrenceOptions {
    var options = OccurrenceOptions()
    // EventKit shows cancelled events, with their status.
    options.includesCancelled = true
    options.recurrence = environment.machine.recurrenceOptions
    // Queries return arrays. A rule by the hour has 35,000 occurrences in their four years.
    options.occurrenceLimit = 100_000
    return options
  }

  /// The UID of a new item.
  func makeUID() -> UID { UID(environment.makeIdentifier()) }

  /// Reports something to the log of the machine.
  func report(_ message: String) { environment.machine.note(message) }

  // MARK: Objects

  /// The object of a calendar: always the same one while a program holds it.
  func object(for calendar: StoreCalendar) -> EKCalendar {
    lock.withLock {
      if let known = calendarObjects[calendar.id]?.object {
        known.update(to: calendar)
        return known
      }
      let object = EKCalendar(calendar, self)
      calendarObjects[calendar.id] = WeakCalendar(object: object)
      return object
    }
  }

  /// Forgets the objects of the calendars, so that queries return new ones.
  func forgetCalendars() { calendarObjects = [:] }

  /// Makes an object the one of its calendar, after it was saved first.
  func adopt(_ object: EKCalendar) {
    calendarObjects[object.calendarIdentifier] = WeakCalendar(object: object)
  }

  // MARK: Changes by others

  /// Watches the calendars and the access, as far as the access allows it.
  func watch() {
    lock.withLock {
      watchAccess()
      guard watches.calendars == nil, let library = gate.fullAccess?.library else { return }
      watches.calendars = gate.failures.catching("changes of the calendars cannot be seen") {
        try library.watch { [changes] in changes.schedule() }
      }
    }
  }

  private func watchAccess() {
    guard watches.access == nil else { return }
    watches.lastStatus = status
    let folder = environment.machine.stateFolder
    watches.access = gate.failures.catching("changes of the access cannot be seen") {
      try FolderWatch([folder], by: environment.machine.folderWatcher) { [weak self] _ in
        self?.lookAtAccess()
      }
    }
  }

  private func lookAtAccess() {
    let isChanged = lock.withLock {
      // An error is no change; the next look is after the next change of the ledger.
      guard let status else { return false }
      defer { watches.lastStatus = status }
      return status != watches.lastStatus
    }
    guard isChanged else { return }
    watch()
    changes.schedule()
  }

  private var status: [EKAuthorizationStatus]? {
    gate.failures.catching(StoreGate.reading) {
      try [EKEntityType.event, .reminder].map { try gate.currentStatus(for: $0) }
    }
  }
}
