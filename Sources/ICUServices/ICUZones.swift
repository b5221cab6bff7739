// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// The time zones that ICU carries, for machines that have no files of them.
///
/// They are often years old, so whoever falls back on them should say so, with their ``version``. Names of
/// times, such as `CEST`, are not among them; the offset stands in their place.
public struct ICUZones: ZoneFallback {
  /// Creates the zones; they are read when they are asked for.
  public init() {}

  /// What the zones come from: `ICU 72.1`.
  public var source: String { "ICU \(ICU.version)" }

  /// The version of the zones, such as `2022e`.
  public var version: String? { ICU.zoneVersion }

  /// The names of all zones.
  ///
  /// ICU knows names of three letters, too, that are other zones elsewhere (`IST` for Kolkata); they are
  /// left out.
  public var names: [String] {
    guard let names = try? ICUCalls.zoneNames() else { return [] }
    return names.split(separator: "\n").map(String.init).filter {
      $0 == "UTC" || $0.contains("/") && !$0.hasPrefix("SystemV/")
    }
  }

  /// The rules of a zone, through the year 9999.
  ///
  /// - Parameter name: One of ``names``.
  /// - Returns: The rules, under that name.
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
      // ICU tells, too, where standard and daylight time change and their sum does not.
      if changes.last?.type.offset != offset { changes.append((second, type)) }
    }
    guard let first = changes.first,
      let rules = ZoneRules(
        name: name, initial: first.type, changes: Array(changes.dropFirst()), finalRule: nil)
    else { throw ZoneError(.malformedFile, zone: name, "ICU tells no offset") }
    return rules
  }
}
