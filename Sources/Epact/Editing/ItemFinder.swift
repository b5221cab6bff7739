// SPDX-License-Identifier: Apache-2.0

import CalendarLanguage
public import CalendarModel
public import CalendarSync
import CalendarStore
import CivilTime
import ICalSyntax
import ICUServices

/// An item of a calendar, as a user named it.
public struct FoundItem: Sendable {
  /// The calendar.
  public let calendar: CalendarInfo
  /// The entry of the item.
  public let entry: LocalEntry
  /// The original start of the occurrence of a series that the name chose, by a date or by a title
  /// of its own; nil for none.
  package fileprivate(set) var occurrence: EventTime?
  /// The title of an occurrence that the name chose by it; nil for none.
  fileprivate var ownTitle: String?

  /// Creates an item.
  public init(calendar: CalendarInfo, entry: LocalEntry) {
    self.calendar = calendar
    self.entry = entry
  }

  /// The item.
  public var item: CalendarItem { entry.item }

  /// The title; that of the occurrence if it has one of its own, which was named.
  package var title: String { ownTitle ?? item.title }

  /// The original start of the occurrence that was named by its own title; nil for none.
  package var occurrenceOfTitle: EventTime? { ownTitle == nil ? nil : occurrence }

  /// Whether the item can have more than one occurrence.
  public var isSeries: Bool { item.isSeries(of: Event.self) }
}

/// Finds the item that a user names.
///
/// An item has one of these names, in this order:
///
/// 1. its UID;
/// 2. its number in the list that was printed last;
/// 3. its whole title, or else a beginning of its title or at least 8 characters of its UID, or else
///    of a word of its title, or else a shorter beginning of its UID; without regard to case, or else
///    to accents; a number of at most four digits is no beginning;
/// 4. such a name and a date or time on which it takes place.
///
/// The title of a changed occurrence names that occurrence, unless it also names the series; that of
/// several changed occurrences names their series.
///
/// If a name fits several items, completed and cancelled reminders are left out, and then those
/// without the chosen occurrence. If it still fits several, it is an error with the candidates.
public struct ItemFinder: Sendable {
  /// The maximum number of candidates in an error.
  private static let candidateLimit = 10
  /// The maximum number of words of a date at the end of a name.
  private static let dateLimit = 5

  private let editor: LibraryEditor
  private let calendars: [CalendarInfo]
  private let listed: [ListedItem]
  private let dates: DateReading?

  /// Creates a finder.
  ///
  /// - Parameters:
  ///   - editor: The calendars, and the time zone of the times in errors.
  ///   - calendars: The calendars to search; nil for all of the configuration.
  ///   - listed: The items that were listed last, by number from 1.
  ///   - dates: Reads the date at the end of a name; nil if names have none.
  /// - Throws: `LibraryError` if the configuration is invalid.
  public init(
    _ editor: LibraryEditor, in calendars: [CalendarInfo]? = nil, listed: [ListedItem] = [],
    dates: DateReading? = nil
  ) throws {
    self.editor = editor
    self.dates = dates
    self.calendars = try calendars ?? editor.library.calendars()
    self.listed = listed
  }

  /// The item with a name.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - kinds: The kinds of the item; empty for all.
  ///   - prefersClosed: Whether completed and cancelled reminders are preferred instead of left
  ///     out.
  /// - Returns: The item.
  /// - Throws: `EpactError` if no item or more than one has the name; `LibraryError`.
  public func item(
    _ name: String, of kinds: Set<ItemKind> = [], prefersClosed: Bool = false
  ) throws -> FoundItem {
    let found = try items(name, of: kinds, prefersClosed: prefersClosed)
    guard found.count == 1 else { throw ambiguity(of: name, found) }
    return found[0]
  }

  /// The items that a name fits equally well, in order of title, calendar and time.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - kinds: The kinds of the items; empty for all.
  ///   - prefersClosed: Whether completed and cancelled reminders are preferred instead of left
  ///     out.
  ///   - choice: The chosen occurrences; of several items, those that have them are meant.
  /// - Returns: At least one item.
  /// - Throws: `EpactError` if no item has the name; `LibraryError`.
  public func items(
    _ name: String, of kinds: Set<ItemKind> = [], prefersClosed: Bool = false,
    having choice: SpanChoice? = nil
  ) throws -> [FoundItem] {
    var found = try candidates(name, of: kinds)
    if found.isEmpty { found = try candidates(withDateIn: name, of: kinds) }
    guard !found.isEmpty else {
      throw EpactError(
        .argument, "there is no item \"\(name)\"",
        details: editor.library.unreadableFiles(of: calendars), subject: name)
    }
    let preferred = found.filter { $0.item.isClosedReminder == prefersClosed }
    if !preferred.isEmpty { found = preferred }
    if let choice, choice != .all, found.count > 1 {
      let having = found.filter { (try? editor.span(choice, of: $0)) != nil }
      if !having.isEmpty { found = having }
    }
    return found.sorted { one, other in
      one.sortKey == other.sortKey ? one.item.uid < other.item.uid : one.sortKey < other.sortKey
    }
  }

  /// The items that a whole text names; empty if it names none.
  private func candidates(_ name: String, of kinds: Set<ItemKind>) throws -> [FoundItem] {
    guard !name.isEmpty else { return [] }
    let number = Int(name).flatMap {
      (1...listed.count + 1).contains($0) ? listed[safe: $0 - 1] : nil
    }
    var numbered: FoundItem?
    var all: [Name] = []
    for (place, calendar) in calendars.enumerated() {
      if let number, number.calendar == calendar.id,
        let entry = try editor.library.entry(number.uid, of: calendar)
      {
        numbered = FoundItem(calendar: calendar, entry: entry)
      }
      for item in try editor.library.summaries(of: calendar, where: ItemNaming.filter(for: name))
      where kinds.isEmpty || kinds.contains(item.kind) {
        all += item.titles.enumerated().map { number, title in
          Name(calendar: place, uid: item.uid, title: title, isOfOccurrence: number > 0)
        }
      }
    }
    var names = ItemNaming.closest(to: name, among: all) { name in
      (name.isOfOccurrence ? UID("") : name.uid, name.title)
    }
    let whole = Set(names.filter { !$0.isOfOccurrence }.map(\.uid))
    names.removeAll { $0.isOfOccurrence && whole.contains($0.uid) }
    let found = Self.withoutRepetition(try items(with: names))
    if let numbered, !found.contains(where: { $0.item.uid == UID(name) }) { return [numbered] }
    return found
  }

  /// A title of an item, by which it is found before its file is read.
  private struct Name {
    /// The position of the calendar among those of the finder.
    let calendar: Int
    let uid: UID
    let title: String
    /// Whether only changed occurrences have the title.
    let isOfOccurrence: Bool
  }

  /// The items, or the occurrences, with names.
  private func items(with names: [Name]) throws -> [FoundItem] {
    var found: [FoundItem] = []
    for (place, names) in Dictionary(grouping: names, by: \.calendar).sorted(by: { $0.key < $1.key }
    ) {
      let byUID = Dictionary(grouping: names, by: \.uid)
      let entries = try editor.library.entries(
        of: calendars[place], ItemSelection(uids: Set(byUID.keys)))
      for item in entries.map({ FoundItem(calendar: calendars[place], entry: $0) }) {
        for name in byUID[item.item.uid] ?? [] {
          found += name.isOfOccurrence ? item.occurrences(titled: name.title) : [item]
        }
      }
    }
    return found
  }

  /// The items, each once: several occurrences of a series with one title name the series.
  private static func withoutRepetition(_ found: [FoundItem]) -> [FoundItem] {
    func key(_ found: FoundItem) -> [String] { [found.calendar.id, found.item.uid.rawValue] }
    let groups = Dictionary(grouping: found, by: key)
    var seen: Set<[String]> = []
    return found.compactMap { item in
      guard groups[key(item), default: []].count > 1 else { return item }
      guard seen.insert(key(item)).inserted else { return nil }
      return FoundItem(calendar: item.calendar, entry: item.entry)
    }
  }

  /// The items that the first words of a text name, on the date or at the time of the last words.
  private func candidates(
    withDateIn name: String, of kinds: Set<ItemKind>
  ) throws -> [FoundItem] {
    guard let dates else { return [] }
    let words = name.split(separator: " ")
    for count in (1...Self.dateLimit).reversed() where count < words.count {
      let date = words.suffix(count).joined(separator: " ")
      guard let moments = try? dates.moments(naming: date) else { continue }
      let named = try candidates(words.dropLast(count).joined(separator: " "), of: kinds)
      for moment in moments {
        let found = named.compactMap { occurrence(of: $0, at: moment) }
        if !found.isEmpty { return found }
      }
    }
    return []
  }

  /// The occurrence of an item on a date or at a time; nil if it has none.
  private func occurrence(of found: FoundItem, at moment: Moment) -> FoundItem? {
    guard let span = try? editor.span(.this(moment), of: found) else { return nil }
    var found = found
    if case .occurrence(let start) = span { found.occurrence = start }
    return found
  }

  /// The error for a name that fits several items.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - items: The items; their numbers in the error are those in this order, from 1.
  /// - Returns: The error, with the candidates and what distinguishes them.
  public func ambiguity(of name: String, _ items: [FoundItem]) -> EpactError {
    let lines = items.prefix(Self.candidateLimit).enumerated().map { place, found in
      let when = editor.when(found.item)
      return "\(place + 1)  \"\(found.title)\"" + (when.isEmpty ? "" : ", \(when),")
        + " in \(found.calendar.name) (\(found.item.uid))"
    }
    let rest = items.count - lines.count
    return EpactError(
      .argument, "\"\(name)\" is the name of \(items.count) items",
      details: lines + (rest > 0 ? ["and \(rest) more"] : []), subject: name,
      remedy: .other(
        "Write the number instead of the name, the name and the date in one pair of quotation marks, "
          + "or the whole UID, or choose the calendar."))
  }
}

extension CalendarItem {
  /// Whether the item is a reminder that is completed or cancelled as a whole.
  var isClosedReminder: Bool {
    guard kind == .reminder, let main else { return false }
    return Reminder(main).statedStatus?.isClosed == true
  }

  /// The title of the override of an occurrence; nil if it has none.
  func ownTitle(at start: EventTime) -> String? {
    overrides.first { Event($0).recurrenceID?.time == start }?[.summary]?.text
  }
}

extension FoundItem {
  /// The changed occurrences with a title of their own.
  fileprivate func occurrences(titled title: String) -> [FoundItem] {
    item.occurrenceTitles.filter { $0.title == title }.map { start, title in
      var found = self
      (found.occurrence, found.ownTitle) = (start, title)
      return found
    }
  }

  /// The title, the calendar and the time, in seconds.
  fileprivate var sortKey: (String, String, Int64) {
    (item.title, calendar.name, item.span?.lowerBound.secondsSinceEpoch ?? .max)
  }
}

extension Array {
  /// The element at an index; nil outside of the array.
  fileprivate subscript(safe index: Int) -> Element? {
    indices.contains(index) ? self[index] : nil
  }
}
