// SPDX-License-Identifier: Apache-2.0

public import CivilTime
public import ICalSyntax

/// Resolves TZIDs to the rules of time zones (RFC 5545 §3.2.19, §3.8.3.1).
///
/// A TZID is only defined within its file, but nearly all files use names with a general meaning.
/// The following interpretations are tried in order; the first match applies, and the text of the
/// file is never changed:
///
/// 1. the names of UTC;
/// 2. a name of the time zone database, then the same in another case or with other separators;
/// 3. the longest suffix of a path that is such a name, as in
///    `/mozilla.org/20050126_1/Europe/Berlin`;
/// 4. a Windows name, such as `W. Europe Standard Time`, or a display name, such as `Pacific Time
///    (US & Canada)`, with or without a leading `(UTC-08:00)`;
/// 5. the location information in the file's definition (VTIMEZONE): X-LIC-LOCATION, TZID-ALIAS-OF
///    (RFC 7808), X-MICROSOFT-CDO-TZID or TZURL;
/// 6. an offset, such as `UTC+2`, `GMT+0530` or `(GMT +01:00)`;
/// 7. the definition itself, whose rules are evaluated;
/// 8. without a definition, a place after which only one zone is named, such as `Santiago`;
/// 9. none: the time is kept as floating, and is never interpreted in the machine's own zone.
///
/// A name of the database takes precedence over the definition in the file: programs embed outdated
/// definitions, and the system keeps the database up to date. A Windows name, a display name and an
/// offset are guesses: the definition takes precedence if they disagree about the times in use.
/// ``report(on:definitions:use:horizon:)`` lists the disagreements, and ``prefersDefinitions``
/// gives every definition precedence.
///
/// ```swift
/// import CalendarModel
///
/// let zone = ZoneResolver.system.resolve("Eastern Standard Time")
/// print(zone.name ?? "")  // America/New_York
/// let noon = try CivilDateTime(parsing: "20260701T120000")
/// print(try ZoneResolver.system.rules(of: zone).resolve(noon))  // unique(-0400)
/// ```
///
/// ``system`` is one resolver for a whole process. Its zones are loaded once; see `ZoneDatabase` for
/// the cost.
///
/// Two resolvers are equal if they resolve every TZID in the same way: they have the same source of
/// zones, the same preference, and the Windows names of the library or copies of one resolver's
/// own.
public struct ZoneResolver: Sendable {
  /// The Windows names of a resolver that has its own; its copies share them.
  private final class WindowsNames: Sendable {
    let zone: @Sendable (String) -> String?

    init(_ zone: @escaping @Sendable (String) -> String?) {
      self.zone = zone
    }
  }

  let database: ZoneDatabase
  /// Nil for ``WindowsZoneNames``.
  private let windowsNames: WindowsNames?
  /// Whether definitions in the file take precedence over the time zone database.
  public var prefersDefinitions = false

  /// The resolver of the system's zones and the Windows names of CLDR, one for the process.
  public static let system = ZoneResolver()

  /// Creates a resolver, by default of the system's zones and the Windows names of CLDR.
  ///
  /// - Parameters:
  ///   - database: The time zone database.
  ///   - windowsZone: Returns the database name for a Windows name, or nil; by default
  ///     ``WindowsZoneNames`` does.
  public init(
    database: ZoneDatabase = .system,
    windowsZone: (@Sendable (String) -> String?)? = nil
  ) {
    self.database = database
    windowsNames = windowsZone.map { WindowsNames($0) }
  }

  /// The name in the database for a Windows name, or nil if it is unknown.
  func windowsZone(_ name: String) -> String? {
    guard let windowsNames else { return WindowsZoneNames.zone(named: name) }
    return windowsNames.zone(name)
  }

  /// Resolves a TZID.
  ///
  /// - Parameters:
  ///   - tzID: The value of a TZID parameter.
  ///   - definitions: The VTIMEZONE components of the file.
  ///   - use: The uses of the zone. If the name is a guess, and the definition disagrees with it
  ///     about the times in use, the definition takes precedence; for an endless series the first
  ///     year is compared. Without a use they are not compared.
  /// - Returns: The resolution of the TZID.
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

  /// Whether a definition and a zone disagree over the times in use.
  ///
  /// Outlook writes changes an hour early or late. Over more than a day, differences of a few hours
  /// do not indicate another zone.
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

  /// The definition that overrules the name if they disagree; nil if the name takes precedence.
  func contender(of zone: ResolvedZone, _ definitions: [Component]) -> Component? {
    switch zone.source {
    case .windows, .alias, .offset: Self.definition(of: zone.tzID, among: definitions)
    default: nil
    }
  }

  /// The zone of a TZID, independent of its uses.
  private func zone(of tzID: String, _ definitions: [Component]) -> ResolvedZone {
    let name = Self.withoutScheme(Self.normalized(tzID))
    if Self.isUTC(name) { return ResolvedZone(tzID, .utc, .named("UTC")) }
    let definition = Self.definition(of: tzID, among: definitions)
    if let definition, prefersDefinitions {
      return ResolvedZone(tzID, .definition, .embedded(definition))
    }
    if let (source, known) = named(name) {
      // A name that differs from that of the database is another spelling.
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
  /// - Throws: `ZoneResolutionError` if the zone is unknown, its file is unreadable, or it has only
  ///   an unusable definition in the calendar.
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
        .unknown, tzID: zone.tzID,
        message: "the time zone is unknown, and the calendar does not define it")
    }
  }

  /// The first definition of a TZID.
  static func definition(of tzID: String, among definitions: [Component]) -> Component? {
    definitions.first { $0[.tzID]?.text == tzID }
  }

  /// The zone of a name and its evidence, in the order of the list above.
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

extension ZoneResolver: Hashable {
  /// Whether two resolvers resolve every TZID in the same way.
  public static func == (left: ZoneResolver, right: ZoneResolver) -> Bool {
    guard left.windowsNames === right.windowsNames,
      left.prefersDefinitions == right.prefersDefinitions
    else { return false }
    return left.database === right.database
      || left.database.source == right.database.source
        && left.database.isFallback == right.database.isFallback
  }

  /// Hashes the parts that `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(database.source)
    hasher.combine(prefersDefinitions)
  }
}

/// The reason why a TZID has no rules.
public struct ZoneResolutionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of the error, for programs.
  public struct Code: Hashable, Sendable {
    private enum Value: Hashable, Sendable {
      case unknown, badDefinition, unreadable
    }

    private let value: Value

    /// The name of the zone is unknown.
    public static let unknown = Code(value: .unknown)
    /// Only the calendar defines the zone, and the definition is invalid.
    public static let badDefinition = Code(value: .badDefinition)
    /// The file of the zone is unreadable.
    public static let unreadable = Code(value: .unreadable)
  }

  /// The kind of the error.
  public let code: Code
  /// The TZID.
  public let tzID: String
  /// The description of the problem, for display.
  public let message: String

  init(_ code: Code, tzID: String, message: String) {
    self.code = code
    self.tzID = tzID
    self.message = message
  }

  /// The TZID and the description of the problem.
  public var description: String { "time zone '\(tzID)': \(message)" }
}
