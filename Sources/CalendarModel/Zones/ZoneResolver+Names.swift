// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax

/// The individual lookups of time zone names.
extension ZoneResolver {
  /// Place names that are also common words, and are too vague on their own.
  private static let vaguePlaces: Set<String> = ["north", "south", "west", "east", "center"]

  private static let namesOfUTC: Set<String> = [
    "UTC", "Z", "ETC/UTC", "GMT", "ETC/GMT", "ETC/ZULU", "ZULU", "UCT", "ETC/UCT", "UNIVERSAL",
    "ETC/UNIVERSAL", "GREENWICH", "ETC/GREENWICH",
  ]

  static func isUTC(_ name: String) -> Bool {
    namesOfUTC.contains(name.asciiUppercased) || FixedOffsetName.isUTC(name)
  }

  /// The name without the prefix `tzone://Microsoft/` that Outlook writes for `Utc` and `Custom`.
  static func withoutScheme(_ name: String) -> String {
    let scheme = "tzone://microsoft/"
    return name.lowercased().hasPrefix(scheme)
      ? normalized(name.dropFirst(scheme.count)) : name
  }

  /// The name without quotes, escapes, surrounding spaces and the zero bytes of some programs.
  static func normalized(_ tzID: some StringProtocol) -> String {
    var bytes = Array(tzID.utf8).filter { $0 != 0x00 && $0 != UInt8(ascii: "\\") }
    let around: Set<UInt8> = [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\"")]
    while let last = bytes.last, around.contains(last) { bytes.removeLast() }
    return String(decoding: bytes.drop { around.contains($0) }, as: UTF8.self)
  }

  /// The longest suffix of a path that is a name; only for paths that cannot be names themselves.
  func suffix(of name: String) -> String? {
    guard name.hasPrefix("/") || name.hasPrefix("posix/") || name.hasPrefix("right/") else {
      return nil
    }
    var rest = name[...]
    while let slash = rest.firstIndex(of: "/") {
      rest = rest[rest.index(after: slash)...]
      guard !rest.isEmpty else { return nil }
      let end = String(rest)
      if let known = database.spelling(of: end) ?? database.name(foldedLike: end) { return known }
    }
    return nil
  }

  /// The zone for a Windows name, or a variant of one.
  ///
  /// Lotus omits the last two words. Exchange appends a number if another definition has the same
  /// name. Some programs write the name of daylight time.
  func windows(_ name: String) -> String? {
    let bare = Self.withoutOffset(name)
    let short = Self.withoutSuffix(bare)
    let daylight = " Daylight Time"
    let candidates =
      short.hasSuffix(daylight)
      ? [name, short.dropLast(daylight.count) + " Standard Time"]
      : [name, bare, bare + " Standard Time", short, short + " Standard Time"]
    return candidates.lazy.compactMap { windowsName($0) }.first
  }

  /// The zone for an exact Windows name, if the database has it.
  private func windowsName(_ name: String) -> String? {
    guard let found = windowsZone(name), database.canonicalName(of: found) != nil else {
      return nil
    }
    return database.spelling(of: found)
  }

  /// The zone for a display name.
  ///
  /// Examples are `Pacific Time (US & Canada), Tijuana` and `(UTC+01:00) Amsterdam, Berlin, Bern`.
  ///
  /// A leading offset is ambiguous, so that the following name decides; of several places, the
  /// first one with that offset is used.
  func alias(_ name: String) -> String? {
    let bare = Self.withoutSuffix(Self.withoutOffset(name))
    // A single word may also be the name of a definition.
    let isWord = bare == name && !bare.contains(",") && !bare.lowercased().contains("time")
    if let zone = isWord ? alias(ofWord: bare) : shown(bare) { return zone }
    let parts = Self.parts(of: bare)
    guard parts.count > 1 || bare != name else { return nil }
    let zones = parts.compactMap { shown($0) ?? place($0) }
    guard let offset = FixedOffsetName(name)?.offset else { return zones.first }
    return zones.first { hasOffset(offset, $0) } ?? zones.first
  }

  private func alias(ofWord text: String) -> String? {
    ZoneAliases.zone(named: text).flatMap { $0 == "UTC" ? $0 : known($0) }
  }

  /// The zone for a single display name.
  private func shown(_ text: String) -> String? {
    if let zone = alias(ofWord: text) { return zone }
    guard let name = WindowsZoneNames.name(shownAs: text) else { return nil }
    return name == "UTC"
      ? name : windowsName(name) ?? WindowsZoneNames.zone(named: name).flatMap(known)
  }

  /// The places of a list with the surrounding words.
  ///
  /// The text after a dash, as Google writes it, comes first.
  private static func parts(of text: String) -> [String] {
    let dashed = text.replacing(" – ", with: " - ").split(separator: " - ").reversed()
    return dashed.flatMap { part in
      part.replacing(" / ", with: ",").replacing(": ", with: ",")
        .split { $0 == "," || $0 == ";" }.map { normalized($0) }
    }.filter { !$0.isEmpty }
  }

  /// Whether a zone has an offset in winter or summer, according to its current rules.
  private func hasOffset(_ offset: UTCOffset, _ zone: String) -> Bool {
    guard let rules = try? database.rules(named: zone) else { return false }
    let january = Instant(secondsSinceEpoch: 2_114_380_800)  // 2037-01-01T00:00:00Z
    let july = Instant(secondsSinceEpoch: 2_130_019_200)  // 2037-07-01T00:00:00Z
    return rules.offset(at: january) == offset || rules.offset(at: july) == offset
  }

  /// The zone for a place name on its own, such as `Santiago`.
  func place(_ name: String) -> String? {
    guard !name.isEmpty, !name.contains("/"), !Self.vaguePlaces.contains(name.lowercased()) else {
      return nil
    }
    return database.name(ofPlace: name)
  }

  /// The zone according to location information in a definition.
  ///
  /// Programs add it as the location of libical, the number of Microsoft, the name of RFC 7808, or
  /// the end of the URL.
  func location(in definition: Component) -> String? {
    if let place = definition["X-LIC-LOCATION"]?.text, let zone = known(place) { return zone }
    if let alias = definition[.tzIDAliasOf]?.text, let zone = known(alias) { return zone }
    if let number = definition["X-MICROSOFT-CDO-TZID"].flatMap({ Int($0.text) }),
      let zone = ZoneAliases.zone(ofMicrosoft: number)
    {
      return zone == "UTC" ? zone : known(zone)
    }
    guard let address = definition[.tzURL]?.rawValue else { return nil }
    let path = address.hasSuffix(".ics") ? String(address.dropLast(4)) : address
    return suffix(of: "/" + path)
  }

  private func known(_ name: String) -> String? {
    let name = Self.normalized(name)
    return Self.isUTC(name) ? "UTC" : database.spelling(of: name) ?? suffix(of: name)
  }

  /// The text after `(UTC+01:00)` or a similar offset, or the name itself if there is none.
  private static func withoutOffset(_ name: String) -> String {
    let rest: String
    if let found = FixedOffsetName(name) {
      rest = found.rest
    } else if name.hasPrefix("("), let end = name.firstIndex(of: ")") {
      rest = normalized(name[name.index(after: end)...])
    } else {
      return name
    }
    if rest.hasPrefix("("), rest.firstIndex(of: ")") == rest.indices.last {
      return normalized(rest.dropFirst().dropLast())
    }
    return rest.isEmpty ? name : rest
  }

  /// The name without the suffixes of Exchange and Windows.
  ///
  /// Exchange appends a number to a repeated name, and Windows appends words to the name of a
  /// replaced zone.
  private static func withoutSuffix(_ name: String) -> String {
    for word in [" - Old", " - New", " (Old)", " (Custom)"]
    where name.lowercased().hasSuffix(word.lowercased()) {
      return normalized(name.dropLast(word.count))
    }
    guard let space = name.lastIndex(of: " "), space != name.startIndex,
      name[name.index(after: space)...].allSatisfy(\.isNumber)
    else { return name }
    return String(name[..<space])
  }
}
