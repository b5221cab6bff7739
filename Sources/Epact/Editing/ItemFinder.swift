// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CalendarSync
import CivilTime

/// An item of a calendar, as a user named it.
public struct FoundItem: Sendable {
  /// The calendar.
  public let calendar: CalendarInfo
  /// The entry of the item.
  public let entry: LocalEntry

  /// Creates an item.
  public init(calendar: CalendarInfo, entry: LocalEntry) {
    self.calendar = calendar
    self.entry = entry
  }

  /// The item.
  public var item: CalendarItem { entry.item }

  /// Whether the item can have more than one occurrence.
  public var isSeries: Bool { item.isSeries(of: Event.self) }
}

/// Finds the item that a user names.
///
/// An item has one of these names, in this order:
///
/// 1. its UID;
/// 2. its number in the list that was printed last;
/// 3. its whole title, or else a beginning of its UID or its title, or else of a word of its title,
///    without regard to case.
///
/// If a name fits several items, completed and cancelled reminders are left out. If it still fits
/// several, it is an error with the candidates.
public struct ItemFinder: Sendable {
  /// The maximum number of candidates in an error.
  private static let candidateLimit = 10

  private let editor: LibraryEditor
  private let calendars: [CalendarInfo]
  private let listed: [ListedItem]

  /// Creates a finder.
  ///
  /// - Parameters:
  ///   - editor: The calendars, and the time zone of the times in errors.
  ///   - calendars: The calendars to search; nil for all of the configuration.
  ///   - listed: The items that were listed last, by number from 1.
  /// - Throws: `LibraryError` if the configuration is invalid.
  public init(
    _ editor: LibraryEditor, in calendars: [CalendarInfo]? = nil, listed: [ListedItem] = []
  ) throws {
    self.editor = editor
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
    var ranks: [[FoundItem]] = [[], [], [], []]
    let folded = name.lowercased()
    let number = Int(name).flatMap {
      (1...listed.count + 1).contains($0) ? listed[safe: $0 - 1] : nil
    }
    var numbered: FoundItem?
    for calendar in calendars {
      let contents = try editor.library.contents(of: calendar)
      if let number, number.calendar == calendar.id, let entry = contents.entries[number.uid] {
        numbered = FoundItem(calendar: calendar, entry: entry)
      }
      for (uid, entry) in contents.entries where kinds.isEmpty || kinds.contains(entry.item.kind) {
        let found = FoundItem(calendar: calendar, entry: entry)
        if let rank = Self.rank(of: name, folded, uid, entry.item.title.lowercased()) {
          ranks[rank].append(found)
        }
      }
    }
    if ranks[0].isEmpty, let numbered { return numbered }
    guard !name.isEmpty, let candidates = ranks.first(where: { !$0.isEmpty }) else {
      throw EpactError(.argument, "there is no item \"\(name)\"", subject: name)
    }
    let preferred = candidates.filter { $0.item.isClosedReminder == prefersClosed }
    let rest = preferred.isEmpty ? candidates : preferred
    guard rest.count == 1 else { throw ambiguous(name, rest) }
    return rest[0]
  }

  /// The closeness of a name to an item, from 0 for its UID; nil if it is not its name.
  private static func rank(of name: String, _ folded: String, _ uid: UID, _ title: String) -> Int? {
    if uid.rawValue == name { return 0 }
    if title == folded { return 1 }
    if uid.rawValue.lowercased().hasPrefix(folded) || title.hasPrefix(folded) { return 2 }
    let words = title.split { !$0.isLetter && !$0.isNumber }
    return words.contains { $0.hasPrefix(folded) } ? 3 : nil
  }

  private func ambiguous(_ name: String, _ candidates: [FoundItem]) -> EpactError {
    let lines = candidates.sorted { one, other in
      one.sortKey == other.sortKey
        ? one.item.uid < other.item.uid : one.sortKey < other.sortKey
    }.map { found in
      let when = editor.when(found.item)
      return "\(found.item.uid) \"\(found.item.title)\"" + (when.isEmpty ? "" : ", \(when),")
        + " in \(found.calendar.name)"
    }
    let rest = lines.count - Self.candidateLimit
    return EpactError(
      .argument, "\"\(name)\" is the name of \(candidates.count) items",
      details: Array(lines.prefix(Self.candidateLimit)) + (rest > 0 ? ["and \(rest) more"] : []),
      subject: name,
      remedy: .other("Write the whole UID, or choose the calendar."))
  }
}

extension CalendarItem {
  /// Whether the item is a reminder that is completed or cancelled as a whole.
  var isClosedReminder: Bool {
    guard kind == .reminder, let main else { return false }
    return Reminder(main).statedStatus?.isClosed == true
  }
}

extension FoundItem {
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
