// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import Epact
import Foundation

/// The access of a program to the items of a kind, determined for each call.
///
/// Code that runs under write-only access holds an `EventAppender`, which has no method that reads.
enum StoreSession {
  /// Nothing.
  case none
  /// Events may be added.
  case writeOnly(EventAppender)
  /// All operations are allowed.
  case full(CalendarLibrary)
}

/// The kinds of items to which a program has full access, with the calendars.
struct FullAccess: Sendable {
  let entities: [EKEntityType]
  let library: CalendarLibrary
}

/// Adds events to the calendar that the user chose for a program with write-only access.
struct EventAppender: Sendable {
  private let library: CalendarLibrary
  /// The calendar for events without another one.
  let usual: CalendarChoice?

  fileprivate init(_ library: CalendarLibrary, calendar: String?) {
    self.library = library
    usual = calendar.map { .name($0) }
  }

  /// An event to add.
  struct Addition {
    let item: CalendarItem
    /// The calendar, chosen when the event was saved; nil for the default one.
    let calendar: CalendarChoice?
  }

  /// Adds events without reading or listing what the calendars hold: all of them, or none.
  ///
  /// - Parameter additions: The events.
  /// - Throws: `EKError` if no calendar accepts events; `LibraryError` if an event
  ///   cannot be written.
  func append(_ additions: [Addition]) throws {
    try library.append(try library.items(of: additions))
  }
}

/// The user's choice of a calendar for a program with write-only access.
package enum CalendarChoice: Hashable {
  /// The calendar with this identifier, for one event.
  case id(String)
  /// The calendar with this name, for all events; the default one if there is none.
  case name(String)
}

extension CalendarLibrary {
  /// The events to add, by their calendars.
  ///
  /// - Throws: `EKError` if no calendar accepts events.
  func items(of additions: [EventAppender.Addition]) throws -> [CalendarInfo: [CalendarItem]] {
    var items: [CalendarInfo: [CalendarItem]] = [:]
    for (choice, additions) in Dictionary(grouping: additions, by: \.calendar) {
      guard let calendar = try calendar(choice) else {
        throw EKError(.noCalendar, "expected a calendar that takes events, found none")
      }
      items[calendar, default: []] += additions.map(\.item)
    }
    return items
  }

  private func calendar(_ choice: CalendarChoice?) throws -> CalendarInfo? {
    let usable = try calendars().filter { !$0.isReadOnly && $0.kinds.contains(.event) }
    switch choice {
    case .id(let id)?: return usable.first { $0.id == id }
    case .name(let name)?:
      return try usable.first { $0.name == name } ?? defaultCalendar(for: .event)
    case nil: return try defaultCalendar(for: .event)
    }
  }
}

/// The only way from a store to the calendars.
struct StoreGate: Sendable {
  private let library: CalendarLibrary
  private let access: ProgramAccess
  private let prompt: any ProgramPrompt
  /// Reports errors of calls that have none to throw.
  let failures: StoreFailures

  init(machine: Machine, program: Program, prompt: any ProgramPrompt) {
    library = CalendarLibrary(machine: machine)
    access = ProgramAccess(of: program, machine: machine)
    self.prompt = prompt
    failures = StoreFailures(machine.note)
  }

  // MARK: For calls that throw

  /// The current status of the program's access.
  ///
  /// - Throws: An error of the ledger or of the policies.
  func currentStatus(for entity: EKEntityType) throws -> EKAuthorizationStatus {
    EKAuthorizationStatus(try access.status(for: ProgramEntity(entity)))
  }

  /// The current access of the program.
  ///
  /// - Throws: An error of the ledger or of the policies.
  func currentSession(for entity: EKEntityType) throws -> StoreSession {
    switch try currentStatus(for: entity) {
    case .fullAccess: .full(library)
    case .writeOnly where entity == .event:
      .writeOnly(EventAppender(library, calendar: try access.grant(for: .events)?.calendar))
    default: .none
    }
  }

  /// The kinds of items to which the program has full access, with the calendars.
  ///
  /// - Throws: An error of the ledger or of the policies.
  func currentFullAccess() throws -> FullAccess? {
    let entities = try [EKEntityType.event, .reminder].filter {
      try currentStatus(for: $0) == .fullAccess
    }
    return entities.isEmpty ? nil : FullAccess(entities: entities, library: library)
  }

  // MARK: For calls that do not throw

  /// The status of the program's access; an error is reported, and nothing is determined then.
  func status(for entity: EKEntityType) -> EKAuthorizationStatus {
    failures.catching(Self.reading) { try currentStatus(for: entity) } ?? .notDetermined
  }

  /// The access of the program; an error is reported, and there is no access then.
  func session(for entity: EKEntityType) -> StoreSession {
    failures.catching(Self.reading) { try currentSession(for: entity) } ?? .none
  }

  /// The kinds of items to which the program has full access; an error is reported.
  var fullAccess: FullAccess? {
    failures.catching(Self.reading) { try currentFullAccess() } ?? nil
  }

  /// The beginning of a report to the log.
  static let reading = "the access of the program cannot be read"

  /// Requests a tier, and waits while the user is asked.
  func request(_ tier: AccessTier, for entity: EKEntityType) async throws -> Bool {
    try await access.request(tier, for: ProgramEntity(entity), prompt: prompt)
  }

  /// Records a use for the access log.
  func note(_ use: ProgramUse, for entity: EKEntityType, count: Int = 1) {
    access.note(use, for: ProgramEntity(entity), count: count)
  }

  /// The error of a call without access, which names the program as the grants do.
  var notAuthorized: EKError {
    EKError(
      .eventStoreNotAuthorized,
      "\(access.program.name) has no such access to the calendars; the user can change the access "
        + "granted to \(access.program.identifier)")
  }
}

extension ProgramEntity {
  /// Creates the kind of items.
  init(_ entity: EKEntityType) {
    switch entity {
    case .event: self = .events
    case .reminder: self = .reminders
    }
  }
}

extension EKAuthorizationStatus {
  /// Creates the status of a program.
  init(_ status: ProgramStatus) {
    switch status {
    case .notDetermined: self = .notDetermined
    case .restricted: self = .restricted
    case .denied: self = .denied
    case .writeOnly: self = .writeOnly
    case .full: self = .fullAccess
    }
  }
}
