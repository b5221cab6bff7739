// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// The time zones of ICU, for machines without zone files.
///
/// They are often years old, so the program should show their ``version``. ICU does not provide
/// abbreviations such as `CEST`; the offset is used instead.
public struct ICUZones: ZoneFallback {
  /// Creates the source; zones are loaded on first use.
  public init() {}

  /// The description of the source: `ICU 72.1`.
  public var source: String { "ICU \(ICU.version)" }

  /// The version of the zones, such as `2022e`.
  public var version: String? { ICU.zoneVersion }

  /// The names of all zones.
  ///
  /// ICU also has three-letter names, which other systems use for other zones (`IST` for Kolkata);
  /// these are omitted.
  public var names: [String] {
    guard let names = try? ICUCalls.zoneNames() else { return [] }
    return names.split(separator: "\n").map(String.init).filter {
      $0 == "UTC" || $0.contains("/") && !$0.hasPrefix("SystemV/")
    }
  }

  /// Returns the rules of a zone, through the year 9999.
  ///
  /// - Parameter name: One of ``names``.
  /// - Returns: The rules, with that name.
  /// - Throws: `ZoneError` if ICU fails.
  public func rules(named name: String) throws(ZoneError) -> ZoneRules {
    let lines: String
    do {
      lines = try ICUCalls.zoneChanges(name)
    } catch {
      throw ZoneError(.unreadableFile, zone: name, error.message)
    }
    var changes: [(second: Int64, type: LocalTimeType)] = []
    for line in lines.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count == 3, let second = Int64(fields[0]), let seconds = Int(fields[1]),
        let offset = UTCOffset(seconds: seconds)
      else { throw ZoneError(.malformedFile, zone: name, "ICU returned no offset") }
      let type = LocalTimeType(
        offset: offset, isDaylight: fields[2] == "1", abbreviation: offset.description)
      // ICU also lists transitions that change standard and daylight time but not the total offset.
      if changes.last?.type.offset != offset { changes.append((second, type)) }
    }
    guard let first = changes.first,
      let rules = ZoneRules(
        name: name, initial: first.type, changes: Array(changes.dropFirst()), finalRule: nil)
    else { throw ZoneError(.malformedFile, zone: name, "ICU returned no offset") }
    return rules
  }
}

/// The time zone names of Windows, and the tz database zones that they map to.
///
/// Outlook and Exchange write these names as TZID. The table comes from CLDR and is loaded when the
/// value is created.
///
/// ```swift
/// let zones = try WindowsZones()
/// zones.zone(for: "W. Europe Standard Time")                  // "Europe/Berlin"
/// zones.zone(for: "W. Europe Standard Time", territory: "AT") // "Europe/Vienna"
/// zones.windowsName(for: "Europe/Vienna")                     // "W. Europe Standard Time"
/// ```
///
/// The zones have CLDR's canonical names, some of which are outdated (`Asia/Calcutta`);
/// `ZoneDatabase.canonicalName(of:)` returns the current ones.
public struct WindowsZones: Sendable {
  private struct Entry {
    let name: String
    /// The zones by territory, preferred one first.
    var zones: [String: [Substring]] = [:]
  }

  /// The territory code of the world.
  private static let world = "001"

  /// The entries by lowercase Windows name.
  private let entries: [String: Entry]
  /// The Windows names by lowercase zone name.
  private let names: [String: String]

  /// Loads the table.
  ///
  /// - Throws: `ICUError` if the table cannot be loaded.
  public init() throws(ICUError) {
    var entries: [String: Entry] = [:]
    var names: [String: String] = [:]
    for line in try ICUCalls.windowsZones().split(separator: "\n") {
      let fields = line.split(separator: "\t")
      guard fields.count == 3 else { continue }
      let name = String(fields[0])
      let zones = fields[2].split(separator: " ")
      entries[name.lowercased(), default: Entry(name: name)].zones[String(fields[1])] = zones
      // A preferred zone is listed both for its territory and for the world.
      for zone in zones { names[zone.lowercased()] = name }
    }
    self.entries = entries
    self.names = names
  }

  /// All Windows names, sorted.
  public var allNames: [String] { entries.values.map(\.name).sorted() }

  /// Returns the zone for a Windows name.
  ///
  /// - Parameters:
  ///   - name: The Windows name, such as `W. Europe Standard Time`, in any case.
  ///   - territory: The country code, such as `AT`, in any case. If it is nil, or has no zone of
  ///     this name, the zone of the world is used.
  /// - Returns: The name of the zone, or nil if the Windows name is unknown.
  public func zone(for name: String, territory: String? = nil) -> String? {
    guard let entry = entries[name.lowercased()] else { return nil }
    let local = territory.flatMap { entry.zones[$0.uppercased()] }
    return (local ?? entry.zones[WindowsZones.world])?.first.map(String.init)
  }

  /// Returns the Windows name of a zone.
  ///
  /// - Parameter zone: The name of the zone, such as `Europe/Vienna`, in any case; old and new
  ///   names are accepted.
  /// - Returns: The Windows name, or nil if Windows has none for it.
  public func windowsName(for zone: String) -> String? {
    if let name = names[zone.lowercased()] { return name }
    return ICUCalls.canonicalZone(zone).flatMap { names[$0.lowercased()] }
  }
}
