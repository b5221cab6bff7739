// SPDX-License-Identifier: Apache-2.0

public import CalendarFiles
public import CalendarModel
import CalendarStore
import CalendarSync
public import CivilTime
import ICalSyntax

/// The user's calendars to compare with an invitation.
public struct ReviewRequest: Sendable {
  /// The calendars; missing ones are skipped.
  public var calendars: [CalendarLocation]
  /// The viewer's time zone, for dates and floating times.
  public var viewer: ZoneRules
  /// The user's calendar addresses, by which declined events are recognized.
  public var user: Set<CalendarAddress> = []

  /// Creates a request.
  public init(_ calendars: [CalendarLocation], viewer: ZoneRules) {
    self.calendars = calendars
    self.viewer = viewer
  }
}

/// The stored copies of an invitation, and the events that overlap with it.
///
/// ```swift
/// let review = try await InvitationReview(of: invitation, request) { event in print(event) }
/// for collision in review.collisions { print(collision.other.start.rfc3339) }
/// ```
public struct InvitationReview: Sendable {
  /// The relation of an invitation to a stored copy, by SEQUENCE and DTSTAMP (RFC 5546 §2.1.5).
  public enum Standing: String, Hashable, Sendable, CaseIterable {
    /// The copy is of the same revision.
    case same
    /// The invitation is newer.
    case update
    /// The copy is newer.
    case outdated
  }

  /// A stored copy of the item.
  public struct Copy: Sendable {
    /// The calendar.
    public let calendar: CalendarLocation
    /// The item.
    public let item: CalendarItem
    /// The relation of the invitation to the copy.
    public let standing: Standing

    /// The attendee's answer in the copy; nil if the attendee is not invited there.
    public func answer(of attendee: Attendee) -> ParticipationStatus? {
      guard let component = item.main ?? item.components.first else { return nil }
      return Invitation.content(of: component).attendees
        .first { $0.address == attendee.address }?.participationStatus
    }
  }

  /// An overlap of an occurrence of the invitation with another event.
  public struct Collision: Sendable {
    /// The occurrence of the invitation.
    public let occurrence: Occurrence
    /// The occurrence of the user's event.
    public let other: Occurrence
    /// The name of the calendar with the user's event.
    public let calendar: String
  }

  /// The maximum number of collisions.
  public static let collisionLimit = 100

  /// The occurrences of the invitation, from ``Invitation/occurrences(viewer:machine:)``.
  public let occurrences: [Occurrence]
  /// The stored copies, in the order of the calendars.
  public private(set) var copies: [Copy] = []
  /// The collisions, in the order of the user's events.
  public private(set) var collisions: [Collision] = []
  /// The reasons to ask the user before the message is stored or answered, each once.
  public private(set) var concerns: [SchedulingConcern] = []

  /// Compares an invitation with calendars.
  ///
  /// Events that do not make the user busy, and those that the user declined, do not collide.
  ///
  /// - Parameters:
  ///   - invitation: The invitation.
  ///   - request: The calendars.
  ///   - machine: The time zones and the clock.
  ///   - report: Receives the events of the calendars.
  /// - Throws: `CancellationError`; problems of the calendars are only reported.
  public init(
    of invitation: Invitation, _ request: ReviewRequest, machine: Machine = .live(),
    report: (FileEvent) -> Void
  ) async throws {
    occurrences = invitation.occurrences(viewer: request.viewer, machine: machine)
    let calendars = request.calendars.filter(\.exists)
    for calendar in calendars {
      try Task.checkCancellation()
      do {
        guard let item = try await Self.item(invitation.item.uid, in: calendar, machine) else {
          continue
        }
        copies.append(
          Copy(
            calendar: calendar, item: item,
            standing: Self.standing(of: invitation.message, to: item, machine)))
      } catch let error as StoreError {
        report(.unreadable(path: calendar.path, reason: "\(error)"))
      }
    }
    let held: [CalendarItem?] = copies.isEmpty ? [nil] : copies.map(\.item)
    for concern in held.flatMap({ invitation.concerns(about: $0, machine: machine) })
    where !concerns.contains(concern) {
      concerns.append(concern)
    }
    let busy = occurrences.filter { FreeBusy.kind(of: $0) != nil }
    guard let first = busy.first?.interval.lowerBound,
      let last = busy.map(\.interval.upperBound).max(), first < last
    else { return }
    let view = try OccurrenceView(
      ViewRequest(calendars, in: first..<last, viewer: request.viewer), machine: machine,
      report: report)
    for other in view.occurrences() where other.uid != invitation.item.uid {
      guard FreeBusy.kind(of: other, user: request.user) != nil else { continue }
      collide(busy, other, in: view.calendar(ofSource: other.source))
      guard collisions.count < Self.collisionLimit else { break }
    }
  }

  private mutating func collide(_ own: [Occurrence], _ other: Occurrence, in calendar: String) {
    for occurrence in own {
      guard occurrence.interval.lowerBound < other.interval.upperBound else { return }
      guard occurrence.interval.overlaps(other.interval) else { continue }
      collisions.append(Collision(occurrence: occurrence, other: other, calendar: calendar))
      guard collisions.count < Self.collisionLimit else { return }
    }
  }

  private static func item(
    _ uid: UID, in calendar: CalendarLocation, _ machine: Machine
  ) async throws -> CalendarItem? {
    let listing = try await calendar.open(for: .reading, knowing: machine.knownNames).scan()
    return listing.entries.first { $0.item.uid == uid }?.item
  }

  /// The stored item with a UID; nil if there is none, or no such calendar.
  static func item(
    _ uid: UID, ifPresentIn calendar: CalendarLocation, _ machine: Machine
  ) async throws -> CalendarItem? {
    calendar.exists ? try await item(uid, in: calendar, machine) : nil
  }

  private static func standing(
    of message: SchedulingMessage, to item: CalendarItem, _ machine: Machine
  ) -> Standing {
    var scheduled = ScheduledItem(item, zones: machine.zoneResolver)
    let outcomes = scheduled.apply(message, from: SchedulingOrigin(isConfirmed: true))
      .map(\.outcome)
    if scheduled.isChanged { return .update }
    let isOutdated = outcomes.contains { outcome in
      if case .stale = outcome { true } else { false }
    }
    return isOutdated ? .outdated : .same
  }
}

extension Invitation {
  /// The reasons to ask the user before the message is stored or answered.
  ///
  /// - Parameters:
  ///   - stored: The stored item; nil if there is none.
  ///   - machine: The time zones.
  /// - Returns: The concerns; empty if there are none.
  public func concerns(about stored: CalendarItem?, machine: Machine) -> [SchedulingConcern] {
    var scheduled = ScheduledItem(stored, zones: machine.zoneResolver)
    return scheduled.concerns(of: message, from: mail.origin.senders)
  }
}
