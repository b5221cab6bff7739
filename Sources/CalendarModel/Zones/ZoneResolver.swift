// SPDX-License-Identifier: Apache-2.0

public import CivilTime
public import ICalSyntax

/// Finds the rules of the time zone that a TZID means (RFC 5545 §3.2.19, §3.8.3.1).
///
/// A TZID is only a name within its file, but nearly all files use names that mean something
/// elsewhere too. They are tried in this order, the first match wins, and the text of the file is
/// never rewritten:
///
/// 1. UTC under its several names;
/// 2. a name of the time zone database, then the same in another case or with other separators;
/// 3. the longest end of a path that is such a name, as in `/mozilla.org/20050126_1/Europe/Berlin`;
/// 4. a name of Windows, as `W. Europe Standard Time`, or one that programs show to people, as
///    `Pacific Time (US & Canada)`, with or without `(UTC-08:00)` before it;
/// 5. what the definition in the file (VTIMEZONE) says that it defines, in X-LIC-LOCATION,
///    TZID-ALIAS-OF (RFC 7808), X-MICROSOFT-CDO-TZID or TZURL;
/// 6. an offset, as `UTC+2`, `GMT+0530` or `(GMT +01:00)`;
/// 7. the definition itself, whose rules are evaluated;
/// 8. if there is none, a place that only one zone is named after, as `Santiago`;
/// 9. nothing: the time is kept as floating, and never taken for a time of the machine's own zone.
///
/// A name of the database wins over the definition in the file, because programs embed definitions that
/// were out of date when they were shipped, and the database is kept up to date by the system. A name of
/// Windows, a name for people and an offset are guesses: there the definition wins if the two disagree
/// about the times in use. ``report(on:definitions:use:horizon:)`` lists the disagreements, and
/// ``prefersDefinitions`` makes every definition win.
///
/// ```swift
/// let resolver = ZoneResolver(database: ZoneDatabase(folders: ZoneDatabase.systemFolders))
/// let zone = resolver.resolve("Eastern Standard Time")
/// zone.name                                        // "America/New_York"
/// let noon = try CivilDateTime(parsing: "20260701T120000")
/// try resolver.rules(of: zone).resolve(noon)       // .unique(-0400)
/// ```
public struct ZoneResolver: Sendable {
  let database: ZoneDatabase
  let windowsZone: @Sendable (String) -> String?
  /// Whether a definition in the file wins over the time zone database, where both know the zone.
  public var prefersDefinitions = false

  /// Creates a resolver.
  ///
  /// - Parameters:
  ///   - database: The time zone database.
  ///   - windowsZone: Gives the name in the database for a name of Windows, or nil; without it, the
  ///     zones of ``WindowsZoneNames``.
  public init(
    database: ZoneDatabase,
    windowsZone: @escaping @Sendable (String) -> String? = { WindowsZoneNames.zone(named: $0) }
  ) {
    self.database = database
    self.windowsZone = windowsZone
  }

  /// Resolves a TZID.
  ///
  /// - Parameters:
  ///   - tzID: The value of a TZID parameter.
  ///   - definitions: The VTIMEZONE components of the file.
  ///   - use: What the zone is used for. If the name is a guess, and the definition disagrees with it about
  ///     the times in use, the definition wins; of a series without end the first year counts. Without a
  ///     use the two are not compared.
  /// - Returns: What the TZID means, and how that was found out.
  public func resolve(
    _ tzID: String, definitions: [Component] = [], use: TimeZoneUses.Use? = nil
  ) -> ResolvedZone {
    let zone = zone(of: tzID, definitions)
    guard let use, let definition = contender(of: zone, definitions),
      let rules = try? rules(of: zone), let defined = try? ZoneDefinition(definition).rules(),
      let range = use.instants(by: rules, horizon: Instant(secondsSinceEpoch: 0)),
      Self.disagree(defined, rules, over: range)
    else { return zone }
    return ResolvedZone(
      tzID, .definition, .embedded(definition),
      overruledName: zone.canonicalName ?? "a fixed offset")
  }

  /// Whether the clocks of a definition and of a zone differ over the times in use.
  ///
  /// Outlook writes changes an hour early or late. Over more than a day, differences of some hours say
  /// nothing about which zone it is.
  private static func disagree(
    _ defined: ZoneRules, _ rules: ZoneRules, over range: Range<Instant>
  ) -> Bool {
    func length(from start: Instant, to end: Instant) -> Int64 {
      end.secondsSinceEpoch - start.secondsSinceEpoch
    }
    let day: Int64 = 86_400
    let isLong = length(from: range.lowerBound, to: range.upperBound) > day
    return defined.differences(from: rules, between: range.lowerBound, and: range.upperBound)
      .contains { !isLong || length(from: $0.start, to: $0.end) >= day }
  }

  /// The definition that wins over the name of a zone if the two disagree; nil if the name always wins.
  func contender(of zone: ResolvedZone, _ definitions: [Component]) -> Component? {
    switch zone.source {
    case .windows, .alias, .offset: Self.definition(of: zone.tzID, among: definitions)
    default: nil
    }
  }

  /// The zone of a TZID, whatever it is used for.
  private func zone(of tzID: String, _ definitions: [Component]) -> ResolvedZone {
    let name = Self.withoutScheme(Self.normalized(tzID))
    if Self.isUTC(name) { return ResolvedZone(tzID, .utc, .named("UTC")) }
    let definition = Self.definition(of: tzID, among: definitions)
    if let definition, prefersDefinitions {
      return ResolvedZone(tzID, .definition, .embedded(definition))
    }
    if let (source, known) = named(name) {
      // A name that is not quite the database's is another spelling of it.
      let isSpelling = source == .name && known != tzID
      return zone(tzID, isSpelling ? .spelling : source, known)
    }
    if let definition, let known = location(in: definition) { return zone(tzID, .location, known) }
    if let offset = FixedOffsetName.offset(of: name) {
      return ResolvedZone(tzID, .offset, .fixed(offset))
    }
    if let definition { return ResolvedZone(tzID, .definition, .embedded(definition)) }
    if let known = place(name) { return zone(tzID, .place, known) }
    let refusal = ZoneRefusal(of: name) { area in
      database.names.contains { $0.hasPrefix(area + "/") }
    }
    return ResolvedZone(tzID, .unknown, .floating, refusal: refusal)
  }

  /// The rules of a resolved zone.
  ///
  /// - Throws: `ZoneResolutionError` if the zone is unknown, its file cannot be read, or it is defined
  ///   only in the calendar, by a definition of which nothing can be made.
  public func rules(of zone: ResolvedZone) throws(ZoneResolutionError) -> ZoneRules {
    switch zone.meaning {
    case .named("UTC"): return Self.fixed(.zero, name: "UTC")
    case .fixed(let offset): return Self.fixed(offset, name: zone.tzID)
    case .named(let name):
      do throws(ZoneError) {
        return try database.rules(named: name)
      } catch {
        throw ZoneResolutionError(.unreadable, tzID: zone.tzID, message: error.message)
      }
    case .embedded(let definition): return try ZoneDefinition(definition).rules()
    case .floating:
      throw ZoneResolutionError(
        .unknown, tzID: zone.tzID, message: "no zone is known by this name, and nothing defines it")
    }
  }

  /// The definition of a TZID; the first one, as everywhere.
  static func definition(of tzID: String, among definitions: [Component]) -> Component? {
    definitions.first { $0[.tzID]?.text == tzID }
  }

  /// The zone of a name, and how it was found, in the order of the list above.
  private func named(_ name: String) -> (source: ResolvedZone.Source, name: String)? {
    if let known = database.spelling(of: name) { return (.name, known) }
    if let known = database.name(foldedLike: name) { return (.spelling, known) }
    if let known = suffix(of: name) { return (.path, known) }
    if let known = windows(name) { return (.windows, known) }
    if let known = alias(name) { return (.alias, known) }
    return nil
  }

  private func zone(
    _ tzID: String, _ source: ResolvedZone.Source, _ name: String
  ) -> ResolvedZone {
    ResolvedZone(
      tzID, source, .named(name), canonicalName: database.canonicalName(of: name) ?? name)
  }

  private static func fixed(_ offset: UTCOffset, name: String) -> ZoneRules {
    ZoneRules(
      fixed: LocalTimeType(offset: offset, isDaylight: false, abbreviation: name), name: name)
  }
}
