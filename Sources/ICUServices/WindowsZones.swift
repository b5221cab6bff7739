// SPDX-License-Identifier: Apache-2.0

/// The names that Windows has for time zones, and the zones of the tz database that they mean.
///
/// Outlook and Exchange write these names as TZID. The table is CLDR's, read once when it is created.
///
/// ```swift
/// let zones = try WindowsZones()
/// zones.zone(for: "W. Europe Standard Time")                  // "Europe/Berlin"
/// zones.zone(for: "W. Europe Standard Time", territory: "AT") // "Europe/Vienna"
/// zones.windowsName(for: "Europe/Vienna")                     // "W. Europe Standard Time"
/// ```
///
/// The zones have the names that CLDR prefers, of which some are old ones (`Asia/Calcutta`);
/// `ZoneDatabase.canonicalName(of:)` knows the current one.
public struct WindowsZones: Sendable {
  private struct Entry {
    let name: String
    /// The zones of each territory, the preferred one first.
    var zones: [String: [Substring]] = [:]
  }

  /// The code that stands for all the world.
  private static let world = "001"

  /// The entries by their names in lower case.
  private let entries: [String: Entry]
  /// The Windows names by the zones' names in lower case.
  private let names: [String: String]

  /// Reads the table.
  ///
  /// - Throws: `ICUError` if the table cannot be read.
  public init() throws(ICUError) {
    var entries: [String: Entry] = [:]
    var names: [String: String] = [:]
    for line in try ICUCalls.windowsZones().split(separator: "\n") {
      let fields = line.split(separator: "\t")
      guard fields.count == 3 else { continue }
      let name = String(fields[0])
      let zones = fields[2].split(separator: " ")
      entries[name.lowercased(), default: Entry(name: name)].zones[String(fields[1])] = zones
      // A zone is listed for its own territory and, if it is a preferred one, for the world.
      for zone in zones { names[zone.lowercased()] = name }
    }
    self.entries = entries
    self.names = names
  }

  /// All Windows names, in order.
  public var allNames: [String] { entries.values.map(\.name).sorted() }

  /// The zone that a Windows name means.
  ///
  /// - Parameters:
  ///   - name: The Windows name, such as `W. Europe Standard Time`, in any case.
  ///   - territory: The code of the country, such as `AT`, in any case; without one, or with one that
  ///     does not have the time zone, the zone for all the world is meant.
  /// - Returns: The name of the zone, or nil if Windows has no such time zone.
  public func zone(for name: String, territory: String? = nil) -> String? {
    guard let entry = entries[name.lowercased()] else { return nil }
    let local = territory.flatMap { entry.zones[$0.uppercased()] }
    return (local ?? entry.zones[WindowsZones.world])?.first.map(String.init)
  }

  /// The Windows name of a zone.
  ///
  /// - Parameter zone: The name of the zone, such as `Europe/Vienna`, in any case; old and new names
  ///   both do.
  /// - Returns: The Windows name, or nil if Windows has none for it.
  public func windowsName(for zone: String) -> String? {
    if let name = names[zone.lowercased()] { return name }
    return ICUCalls.canonicalZone(zone).flatMap { names[$0.lowercased()] }
  }
}
