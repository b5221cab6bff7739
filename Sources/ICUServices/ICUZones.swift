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
      else { throw ZoneError(.malformedFile, zone: name, "ICU tells no offset") }
      let type = LocalTimeType(
        offset: offset, isDaylight: fields[2] == "1", abbreviation: offset.description)
      // ICU also lists transitions that change standard and daylight time but not the total offset.
      if changes.last?.type.offset != offset { changes.append((second, type)) }
    }
    guard let first = changes.first,
      let rules = ZoneRules(
        name: name, initial: first.type, changes: Array(changes.dropFirst()), finalRule: nil)
    else { throw ZoneError(.malformedFile, zone: name, "ICU tells no offset") }
    return rules
  }
}
