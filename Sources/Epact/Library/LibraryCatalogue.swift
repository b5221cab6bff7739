// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import Glibc

/// The calendars of a configuration and their sources.
///
/// Only the folders and their properties are read; no item is.
struct LibraryCatalogue: Sendable {
  let configuration: Configuration
  /// The calendars whose folder exists, by name in the configuration.
  let calendars: [CalendarInfo]

  /// Reads the properties of all calendars.
  init(_ configuration: Configuration) {
    self.configuration = configuration
    calendars = configuration.calendars.values.filter { !$0.isInDatabase }
      .sorted { $0.name < $1.name }.compactMap {
        Self.calendar($0, in: configuration)
      }
  }

  /// The sources of the calendars and of the accounts: this computer first, then by title.
  var sources: [CalendarSource] {
    var found = Set(calendars.map(\.source))
    for remote in Array(configuration.remotes.values) + configuration.accounts.values {
      if let source = CalendarSource(accountOf: remote) { found.insert(source) }
    }
    found.remove(.local)
    return [.local] + found.sorted { ($0.title, $0.id) < ($1.title, $1.id) }
  }

  /// The calendar with an identifier.
  ///
  /// - Throws: `LibraryError` if there is none.
  func calendar(_ id: String) throws(LibraryError) -> CalendarInfo {
    guard let calendar = calendars.first(where: { $0.id == id }) else {
      throw LibraryError(.noCalendar, subject: id, "there is no calendar with the identifier \(id)")
    }
    return calendar
  }

  /// The calendar for new items of a kind.
  ///
  /// A configured calendar that is read-only or not available is not replaced by another one.
  func defaultCalendar(for kind: ItemKind) -> CalendarInfo? {
    defaultCandidates(for: kind).first
  }

  /// The calendars among which the one for new items of a kind is: only the configured one, or else
  /// all that accept the items, without copies that mirrors make.
  ///
  /// The configured calendar for events is that for reminders, too, if it accepts them and no other
  /// one is configured.
  func defaultCandidates(for kind: ItemKind) -> [CalendarInfo] {
    let all = calendars.filter { !$0.isReadOnly && $0.kinds.contains(kind) }
    let copies = Set(configuration.mirrors.map(\.calendar))
    let own = all.filter { !copies.contains($0.name) }
    switch kind {
    case .event:
      return configuration.defaultCalendar.map { name in all.filter { $0.name == name } } ?? own
    case .reminder:
      if let name = configuration.defaultReminders { return all.filter { $0.name == name } }
      return all.first { $0.name == configuration.defaultCalendar }.map { [$0] } ?? own
    default: return own
    }
  }

  /// The syncs that use a calendar.
  func syncs(of calendar: CalendarInfo) -> [SyncSettings] {
    configuration.syncs.filter { $0.calendar == calendar.name }
  }

  /// The syncs of a calendar, if all of them are of feeds or birthdays, whose copy the calendar is;
  /// otherwise none.
  func feeds(of calendar: CalendarInfo) -> [SyncSettings] {
    let syncs = syncs(of: calendar)
    let areFeeds = syncs.allSatisfy { configuration.remotes[$0.remote]?.isReadOnly == true }
    return areFeeds ? syncs : []
  }

  private static func calendar(
    _ settings: CalendarSettings, in configuration: Configuration
  ) -> CalendarInfo? {
    let location = CalendarLocation(
      path: PathResolver.canonical(settings.path), name: settings.name)
    // A missing file is an empty calendar; a missing folder may be on a disk that is not mounted.
    let folder = location.isFile ? location.folder : location.path
    guard FileMode(folder)?.isFolder == true else { return nil }
    let source = source(of: settings, in: configuration)
    let properties = location.properties
    let isWritable =
      location.exists ? !location.isReadOnly : unsafe access(folder, W_OK) == 0
    return CalendarInfo(
      id: StableIdentifier(calendarAt: location.path).text, name: settings.name,
      title: properties[.name] ?? settings.name,
      color: properties[.color].flatMap(HexColor.init)?.text,
      location: location, source: source,
      isReadOnly: source.kind == .subscribed || settings.isReadOnly || !isWritable,
      isSubscribed: source.kind == .subscribed, isImmutable: location.isFile,
      kinds: kinds(of: settings, in: configuration))
  }

  /// The kinds of new items: a sync that only adds sends events alone, because reminders need full access.
  private static func kinds(
    of calendar: CalendarSettings, in configuration: Configuration
  ) -> Set<ItemKind> {
    let onlyAdds = configuration.syncs.contains {
      $0.calendar == calendar.name && $0.access == .writeOnly
    }
    return onlyAdds ? calendar.kinds.intersection([.event]) : calendar.kinds
  }

  /// The source of a calendar: an account takes precedence over feeds.
  private static func source(
    of calendar: CalendarSettings, in configuration: Configuration
  ) -> CalendarSource {
    let remotes = configuration.syncs.filter { $0.calendar == calendar.name }
      .compactMap { configuration.remotes[$0.remote] }
    if let account = remotes.lazy.compactMap(CalendarSource.init(accountOf:)).first {
      return account
    }
    return remotes.contains(where: \.isReadOnly) ? .subscribed : .local
  }
}

extension CalendarLocation {
  /// The path of the enclosing folder.
  var folder: String {
    guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
    return String(path[..<slash])
  }

  /// The properties of a folder; none if they cannot be read.
  var properties: CollectionProperties {
    guard !isFile, let calendar = try? FolderCalendar(path: path, for: .reading),
      let properties = try? calendar.folderProperties.collectionProperties()
    else { return CollectionProperties() }
    return properties
  }
}

extension CalendarLocation {
  /// The color of a folder as `#RRGGBB`; nil if it has none.
  package var color: String? { properties[.color].flatMap(HexColor.init)?.text }
}

/// A color as `#RRGGBB`.
struct HexColor: Hashable, Sendable {
  /// The color in lower case, as folders store it.
  let text: String

  /// Parses a color; a fully opaque alpha channel is left out.
  init?(_ text: String) {
    guard let canonical = CollectionProperty.color.canonical(text), canonical.hasPrefix("#"),
      canonical.utf8.count == 7, canonical.dropFirst().allSatisfy(\.isHexDigit)
    else { return nil }
    self.text = canonical
  }
}
