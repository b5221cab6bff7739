// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
public import CalendarModel
public import CivilTime
import ICUServices
public import Recurrence
import Synchronization

/// The time zones, the calendar systems and the language of the machine's user.
extension Machine {
  /// The resolver of time zone names, with the Windows names of the user's country.
  ///
  /// It is created once for each source of zones and each country, so that the resolvers of a
  /// machine and of its copies are equal.
  public var zoneResolver: ZoneResolver {
    resolvers.resolver(of: zones, territory: territory)
  }

  /// The normal form for comparisons, with the time zones of the machine.
  public var normalForm: NormalForm { NormalForm(zones: zoneResolver) }

  /// The recurrence options, with the calendar systems that RSCALE may name.
  public var recurrenceOptions: RecurrenceOptions {
    var options = RecurrenceOptions()
    options.calendars = calendars
    return options
  }

  /// Creates an editor of items with the time zones and the calendar systems of the machine.
  ///
  /// - Parameters:
  ///   - now: The time for DTSTAMP, CREATED and LAST-MODIFIED.
  ///   - makeUID: Creates the UID of a new item.
  /// - Returns: The editor.
  package func itemEditor(
    at now: Instant, makeUID: @escaping @Sendable () -> UID
  ) -> ItemEditor {
    var editor = ItemEditor(zones: zoneResolver, now: now, makeUID: makeUID)
    editor.recurrence = recurrenceOptions
    if let viewer = try? viewerZone() { editor.viewer = viewer }
    return editor
  }

  /// The rules of the viewer's time zone: the requested one, or that of the machine, or else UTC.
  ///
  /// - Throws: `EpactError` if the requested zone is unknown.
  public func viewerZone(_ name: String? = nil) throws(EpactError) -> ZoneRules {
    let resolver = zoneResolver
    if let name {
      guard let rules = try? resolver.rules(of: resolver.resolve(name)) else {
        throw EpactError(
          .argument, "expected the name of a time zone, found \"\(name)\"", subject: name)
      }
      return rules
    }
    if let localZone, let rules = try? resolver.rules(of: resolver.resolve(localZone)) {
      return rules
    }
    do throws(ZoneResolutionError) {
      return try resolver.rules(of: resolver.resolve("UTC"))
    } catch {
      throw EpactError(.failed, error.message)
    }
  }

  /// A time in the time zone of the machine, as `2026-11-27 18:03:20`; for tables and messages.
  package func localTime(_ instant: Instant) -> String {
    guard let civil = (try? viewerZone())?.civil(at: instant) else { return instant.timestamp }
    return civil.digits(between: " ")
  }

  /// The name of the local time zone if it is unknown, so that UTC is used instead; otherwise nil.
  package var unknownLocalZone: String? {
    let resolver = zoneResolver
    return localZone.flatMap { name in
      (try? resolver.rules(of: resolver.resolve(name))) == nil ? name : nil
    }
  }

  /// The end of comparisons of time zone definitions with endless recurrences: in about ten years.
  package var zoneHorizon: Instant { Self.zoneHorizon(after: now()) }

  /// The end of comparisons of time zone definitions with endless recurrences, relative to `now`.
  package static func zoneHorizon(after now: Instant) -> Instant {
    now.adding(seconds: 10 * 366 * 86_400) ?? now
  }

  /// The locale of displayed dates, such as `de_AT`.
  ///
  /// It is the first non-empty value of `LC_ALL`, `LC_TIME` and `LANG`. The C locale names no
  /// language; dates are then in British English, with the day before the month and the 24-hour
  /// clock.
  package var dateLocale: String {
    let name = localeName.prefix { $0 != "." && $0 != "@" }
    return name.isEmpty || name == "C" || name == "POSIX" ? "en_GB" : String(name)
  }

  private var localeName: String {
    ["LC_ALL", "LC_TIME", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
  }

  /// The territory of the locale, such as `AT` in `de_AT.UTF-8`; nil if there is none.
  ///
  /// It selects among the zones of a Windows name, which differ between countries.
  private var territory: String? {
    guard let part = localeName.split(separator: "_").dropFirst().first else { return nil }
    let code = part.prefix { $0.isLetter }
    return code.utf8.count == 2 ? String(code) : nil
  }
}

/// The resolvers of time zone names that a machine has created.
///
/// It is a class so that all copies of a machine share them.
final class ZoneResolvers: Sendable {
  private struct Key: Hashable {
    let database: ObjectIdentifier
    let territory: String?
  }

  private let windows = WindowsZoneTable()
  private let known = Mutex<[Key: ZoneResolver]>([:])

  /// The resolver of a database for a country, the same one at each call.
  func resolver(of database: ZoneDatabase, territory: String?) -> ZoneResolver {
    let key = Key(database: ObjectIdentifier(database), territory: territory)
    return known.withLock { [windows] known in
      if let resolver = known[key] { return resolver }
      // The resolver retains the database, so that no other one gets the same identifier.
      let resolver = ZoneResolver(database: database) {
        windows.zone(for: $0, territory: territory)
      }
      known[key] = resolver
      return resolver
    }
  }
}

/// The Windows names of time zones, for the user's country.
///
/// `WindowsZoneNames` has the worldwide zones, and is newer than ICU's table on most systems. ICU
/// also has the zones of countries, which are used where its worldwide zone is the same. Its table
/// is loaded on demand: most files have no Windows names, and loading takes longer than reading
/// most files.
///
/// It is a class so that all users share the table.
private final class WindowsZoneTable: Sendable {
  private struct State {
    var zones: WindowsZones?
    var isRead = false
  }

  private let state = Mutex(State())

  /// The zone for a Windows name, or nil if the name is unknown.
  func zone(for name: String, territory: String?) -> String? {
    let known = WindowsZoneNames.zone(named: name)
    guard known == nil || territory != nil else { return known }
    guard let zones, let zone = zones.zone(for: name) else { return known }
    return known == nil || known == zone ? zones.zone(for: name, territory: territory) : known
  }

  /// ICU's table, or nil if it cannot be loaded.
  private var zones: WindowsZones? {
    state.withLock { state in
      if !state.isRead {
        state.isRead = true
        state.zones = try? WindowsZones()
      }
      return state.zones
    }
  }
}

extension Version {
  /// The versions of the program, of its libraries and of the time zones, a line each.
  package static func lines(on machine: Machine) -> [String] {
    // The first two words are libcurl and its TLS library.
    let libraries = NetworkTransport.libraryVersion?.split(separator: " ").prefix(2)
    let zones = machine.zones.source.map {
      "time zones \(machine.zones.version ?? "of an unknown version") from \($0)"
    }
    return [
      "epact \(program)", "ICU \(ICU.version), Unicode \(ICU.unicodeVersion)",
      libraries?.joined(separator: ", ") ?? "no libcurl, and so no network",
      zones ?? "no time zones found; ICU carries version \(ICU.zoneVersion ?? "unknown")",
    ]
  }
}
