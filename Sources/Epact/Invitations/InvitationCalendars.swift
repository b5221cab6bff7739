// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
import CalendarStore
import CalendarSync

/// The user's calendars for invitations: all of them, and those that can be written.
public struct InvitationCalendars: Sendable {
  /// The calendars of the configuration, and the chosen one.
  public let all: [CalendarLocation]
  /// The calendar that the user chose; nil for none.
  private let chosen: CalendarLocation?
  /// The paths of the calendars that cannot be written.
  private let readOnly: Set<String>
  /// The kinds of items that can be added to the chosen calendar, nil for all kinds, or why none can.
  private let addable: Result<Set<ItemKind>?, any Error>
  /// The calendars for new items, by kind.
  private let standard: [ItemKind: CalendarLocation]
  /// The names by which syncs know items.
  private let names: KnownNames

  /// Finds the calendars.
  ///
  /// - Parameters:
  ///   - library: The calendars of the configuration.
  ///   - chosen: The calendar that the user chose; nil for none.
  /// - Throws: `LibraryError` if the configuration is invalid.
  public init(_ library: CalendarLibrary, chosen: CalendarLocation?) throws {
    let calendars = try library.calendars()
    let locations = calendars.map(\.location)
    let paths = Set(locations.map(\.path))
    let canonical = chosen.map { PathResolver.canonical($0.path) }
    let isKnown = canonical.map(paths.contains) ?? true
    names = library.machine.knownNames
    all = locations + (isKnown ? [] : [chosen].compactMap(\.self))
    self.chosen = chosen
    // The calendar of an invitation that is only shown may be read-only.
    addable = Result { try chosen.flatMap { try library.addableKinds(at: $0) } }
    readOnly = Set(calendars.filter(\.isReadOnly).map(\.location.path))
    var standard: [ItemKind: CalendarLocation] = [:]
    for kind in CalendarInfo.standardKinds {
      standard[kind] = try library.defaultCalendar(for: kind)?.location
    }
    self.standard = standard
  }

  /// The calendar in which an item is stored: the chosen one, one that has the item, or that for
  /// new items.
  ///
  /// - Parameters:
  ///   - kind: The kind of the item.
  ///   - copies: The stored copies of the item.
  /// - Returns: The calendar.
  /// - Throws: `EpactError` if there is none, or the chosen one is read-only or for other kinds.
  public func destination(
    of kind: ItemKind, with copies: [InvitationReview.Copy]
  ) throws(EpactError) -> CalendarLocation {
    let holder = copies.map(\.calendar).first { !readOnly.contains($0.path) }
    guard let calendar = chosen ?? holder ?? standard[kind] else {
      throw EpactError(
        .configuration, "there is no calendar for the \(kind.rawValue)", remedy: .configure)
    }
    let kinds: Set<ItemKind>?
    do { kinds = try addable.get() } catch { throw EpactError(describing: error) }
    guard kinds.map(kind.isAddable) ?? true || copies.contains(where: { $0.calendar == calendar })
    else {
      throw EpactError(
        .failed, "the calendar is not for \(kind.rawValue)", subject: calendar.name)
    }
    return calendar
  }

  /// The calendars to which mails are applied, each with the calendars of its mails in their order.
  ///
  /// A mail belongs to the chosen calendar, to the one that has an item of it, or to the one for
  /// new items.
  ///
  /// - Parameter mails: The mails.
  /// - Returns: The calendars in the order of the first mails.
  /// - Throws: `EpactError` if there is none for a mail; `StoreError`; `CancellationError`.
  public func destinations(
    of mails: [ReceivedMail]
  ) async throws -> [(calendar: CalendarLocation, sources: [ImportSource])] {
    let holders = try await chosen == nil ? self.holders(of: mails) : [:]
    var result: [(calendar: CalendarLocation, sources: [ImportSource])] = []
    for mail in mails {
      let held = mail.messages.lazy.compactMap { holders[$0.item.uid] }.first
      let kind = mail.messages.first?.item.kind ?? .event
      let calendar = try held ?? destination(of: kind, with: [])
      if let place = result.firstIndex(where: { $0.calendar == calendar }) {
        result[place].sources += mail.sources
      } else {
        result.append((calendar, mail.sources))
      }
    }
    return result
  }

  /// The first writable calendar that has each item of some mails.
  private func holders(of mails: [ReceivedMail]) async throws -> [UID: CalendarLocation] {
    let wanted = Set(mails.flatMap { $0.messages.map(\.item.uid) })
    var holders: [UID: CalendarLocation] = [:]
    for calendar in all where calendar.exists && !readOnly.contains(calendar.path) {
      for entry in try await calendar.open(for: .reading, knowing: names).scan().entries
      where wanted.contains(entry.item.uid) && holders[entry.item.uid] == nil {
        holders[entry.item.uid] = calendar
      }
    }
    return holders
  }
}
