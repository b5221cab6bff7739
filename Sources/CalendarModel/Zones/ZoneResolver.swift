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
/// 4. a name of Windows, as `W. Europe Standard Time`, with or without `(UTC+01:00)` before it;
/// 5. an offset, as `UTC+2` or `GMT+0530`;
/// 6. the definition in the file (VTIMEZONE);
/// 7. nothing: the time is kept as floating, and never taken for a time of the machine's own zone.
///
/// A name wins over the definition in the file, because programs embed definitions that were out of
/// date when they were shipped, and the database is kept up to date by the system.
public struct ZoneResolver: Sendable {
  private let database: ZoneDatabase
  private let windowsZone: @Sendable (String) -> String?

  /// Creates a resolver.
  ///
  /// - Parameters:
  ///   - database: The time zone database.
  ///   - windowsZone: Gives the name in the database for a name of Windows, or nil.
  public init(
    database: ZoneDatabase, windowsZone: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    self.database = database
    self.windowsZone = windowsZone
  }

  /// Resolves a TZID.
  ///
  /// - Parameters:
  ///   - tzID: The value of a TZID parameter.
  ///   - definitions: The VTIMEZONE components of the file.
  /// - Returns: What the TZID means, and how that was found out.
  public func resolve(_ tzID: String, definitions: [Component] = []) -> ResolvedZone {
    let name = Self.normalized(tzID)
    if Self.namesOfUTC.contains(name.asciiUppercased) {
      return ResolvedZone(tzID, .utc, .named("UTC"))
    }
    if let known = database.canonicalName(of: name) {
      let name = spelling(name, known)
      return ResolvedZone(tzID, name == tzID ? .name : .spelling, .named(name))
    }
    if let known = named(foldedLike: name) { return ResolvedZone(tzID, .spelling, .named(known)) }
    if let known = suffix(of: name) { return ResolvedZone(tzID, .path, .named(known)) }
    if let known = windows(name) { return ResolvedZone(tzID, .windows, .named(known)) }
    if let offset = FixedOffsetName.offset(of: name) {
      return ResolvedZone(tzID, .offset, .fixed(offset))
    }
    if let definition = definitions.first(where: { $0[.tzID]?.text == tzID }) {
      return ResolvedZone(tzID, .definition, .embedded(definition))
    }
    return ResolvedZone(tzID, .unknown, .floating)
  }

  /// The rules of a resolved zone.
  ///
  /// - Throws: `ZoneResolutionError` if the zone is unknown, its file cannot be read, or it is defined
  ///   only in the calendar, which is not evaluated yet.
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
    case .embedded:
      throw ZoneResolutionError(
        .embeddedOnly, tzID: zone.tzID,
        message: "the zone is known only by its definition in the calendar, and definitions are "
          + "not evaluated yet")
    case .floating:
      throw ZoneResolutionError(
        .unknown, tzID: zone.tzID, message: "no zone is known by this name, and nothing defines it")
    }
  }

  /// The name as the file writes it if that is a name of the database, or as the database does.
  private func spelling(_ name: String, _ canonical: String) -> String {
    (try? database.rules(named: name).name) ?? canonical
  }

  private func named(foldedLike name: String) -> String? {
    let folded = Self.folded(name)
    return database.names.first { Self.folded($0) == folded }
  }

  /// The longest end of a path that is a name; only of paths that cannot be names themselves.
  private func suffix(of name: String) -> String? {
    guard name.hasPrefix("/") || name.hasPrefix("posix/") || name.hasPrefix("right/") else {
      return nil
    }
    var rest = name[...]
    while let slash = rest.firstIndex(of: "/") {
      rest = rest[rest.index(after: slash)...]
      guard !rest.isEmpty else { return nil }
      let end = String(rest)
      if let known = database.canonicalName(of: end) { return spelling(end, known) }
      if let known = named(foldedLike: end) { return known }
    }
    return nil
  }

  private func windows(_ name: String) -> String? {
    var candidates = [name]
    // "(UTC+01:00) Amsterdam, Berlin": the offset alone would say too little, so the name decides.
    if name.hasPrefix("("), let end = name.firstIndex(of: ")") {
      candidates.append(Self.normalized(String(name[name.index(after: end)...])))
    }
    for candidate in candidates {
      if let found = windowsZone(candidate), database.canonicalName(of: found) != nil {
        return found
      }
    }
    return nil
  }
}

extension ZoneResolver {
  private static let namesOfUTC: Set<String> = [
    "UTC", "Z", "ETC/UTC", "GMT", "ETC/GMT", "ETC/ZULU", "ZULU", "UCT", "ETC/UCT", "UNIVERSAL",
  ]

  private static func fixed(_ offset: UTCOffset, name: String) -> ZoneRules {
    ZoneRules(
      fixed: LocalTimeType(offset: offset, isDaylight: false, abbreviation: name), name: name)
  }

  /// The name without quotes, escapes, and the spaces and zero bytes that some programs leave at it.
  private static func normalized(_ tzID: String) -> String {
    var bytes = Array(tzID.utf8).filter { $0 != 0x00 && $0 != UInt8(ascii: "\\") }
    let around: Set<UInt8> = [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\"")]
    while let last = bytes.last, around.contains(last) { bytes.removeLast() }
    return String(decoding: bytes.drop { around.contains($0) }, as: UTF8.self)
  }

  /// The name with all separators the same: `America/Los Angeles`, `Europe_Berlin`, `US-Eastern`.
  private static func folded(_ name: String) -> String {
    String(
      decoding: name.utf8.map { byte in
        let isSeparator = [UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "/")].contains(byte)
        return isSeparator ? UInt8(ascii: "_") : byte
      }, as: UTF8.self
    ).asciiUppercased
  }
}
