// SPDX-License-Identifier: Apache-2.0

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
