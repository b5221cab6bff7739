// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax

/// How names of zones are looked up, each way by itself.
extension ZoneResolver {
  /// Places that are words of every day, too, and say nothing when they stand alone.
  private static let vaguePlaces: Set<String> = ["north", "south", "west", "east", "center"]

  private static let namesOfUTC: Set<String> = [
    "UTC", "Z", "ETC/UTC", "GMT", "ETC/GMT", "ETC/ZULU", "ZULU", "UCT", "ETC/UCT", "UNIVERSAL",
    "ETC/UNIVERSAL", "GREENWICH", "ETC/GREENWICH",
  ]

  static func isUTC(_ name: String) -> Bool { namesOfUTC.contains(name.asciiUppercased) }

  /// The name without quotes, escapes, and the spaces and zero bytes that some programs leave at it.
  static func normalized(_ tzID: some StringProtocol) -> String {
    var bytes = Array(tzID.utf8).filter { $0 != 0x00 && $0 != UInt8(ascii: "\\") }
    let around: Set<UInt8> = [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\"")]
    while let last = bytes.last, around.contains(last) { bytes.removeLast() }
    return String(decoding: bytes.drop { around.contains($0) }, as: UTF8.self)
  }

  /// The longest end of a path that is a name; only of paths that cannot be names themselves.
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

  /// The zone of a name of Windows, or of one that was made of it.
  ///
  /// Lotus leaves the last two words out, and Exchange puts a number behind the name if it has met
  /// another definition under it.
  func windows(_ name: String) -> String? {
    let bare = Self.withoutOffset(name)
    var candidates = [name, bare, bare + " Standard Time"]
    if let space = bare.lastIndex(of: " "), bare[bare.index(after: space)...].allSatisfy(\.isNumber)
    {
      candidates.append(String(bare[..<space]))
    }
    for candidate in candidates {
      if let found = windowsZone(candidate), database.canonicalName(of: found) != nil {
        return database.spelling(of: found)
      }
    }
    return nil
  }

  /// The zone of a name that programs show to people: `Pacific Time (US & Canada), Tijuana`, or
  /// `(UTC+01:00) Amsterdam, Berlin, Bern`.
  ///
  /// An offset in front says too little, so the name behind it decides.
  func alias(_ name: String) -> String? {
    let bare = Self.withoutOffset(name)
    let parts = bare.split(separator: ",").map { Self.normalized($0) }
    let known = [bare] + parts
    if let zone = known.lazy.compactMap({ ZoneAliases.zone(named: $0) }).first {
      return database.spelling(of: zone) ?? (zone == "UTC" ? zone : nil)
    }
    guard parts.count > 1 || bare != name else { return nil }
    return parts.lazy.compactMap { place($0) }.first
  }

  /// The zone of a place that stands alone, such as `Santiago`.
  func place(_ name: String) -> String? {
    guard !name.isEmpty, !name.contains("/"), !Self.vaguePlaces.contains(name.lowercased()) else {
      return nil
    }
    return database.name(ofPlace: name)
  }

  /// The zone that a definition says it defines, by what programs add to it: the place of libical, the
  /// number of Microsoft, the name of RFC 7808, or the end of its address.
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

  /// What stands behind `(UTC+01:00)` or the like; the name itself if nothing does.
  private static func withoutOffset(_ name: String) -> String {
    guard name.hasPrefix("("), let end = name.firstIndex(of: ")") else { return name }
    let rest = normalized(name[name.index(after: end)...])
    return rest.isEmpty ? name : rest
  }
}
