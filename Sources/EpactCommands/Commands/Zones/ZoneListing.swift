// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import Epact

/// Prints time zones: the whole database, or the resolution of names.
struct ZoneListing {
  private let now: Instant
  /// The maximum number of transitions printed for a zone.
  private let next: Int
  private let resolver: ZoneResolver
  private let database: ZoneDatabase
  private let console: Console

  init(now: Instant, next: Int, in context: Context) {
    self.now = now
    self.next = next
    resolver = context.zoneResolver
    database = context.machine.zones
    console = context.console
  }

  // MARK: - All zones

  /// Prints the source of the time zones, and the name and current offset of each.
  func list(isJSON: Bool) -> ExitStatus {
    guard let source = database.source else {
      console.complain(
        Failure(.nothingDone, "there are no time zones", hint: "Debian has them in tzdata."))
      return .nothingDone
    }
    let names = database.names
    let zones = names.filter { database.canonicalName(of: $0) == $0 }
    var status = ExitStatus.done
    var members: [JSONValue] = []
    if !isJSON {
      console.show(
        "\(version), \(source): \(Count(zones.count, "zone")), \(Count(names.count - zones.count, "other name")) of them"
      )
    }
    for name in zones {
      do throws(ZoneError) {
        let rules = try database.rules(named: name)
        if isJSON {
          members.append(.object([.init(name: "name", value: .string(name))] + time(by: rules)))
        } else {
          let type = rules.localTimeType(at: now)
          console.show("\(name)  \(type.offset) \(type.abbreviation)")
        }
      } catch {
        console.complain(Failure(.someFailed, "\(error)"))
        status = .someFailed
      }
      guard !console.isBroken else { return status }
    }
    if isJSON { console.write(data + [.init(name: "zones", value: .array(members))]) }
    return status
  }

  // MARK: - Names

  /// Prints the resolution of each name; unresolved names are reported as errors.
  func explain(_ names: [String], isJSON: Bool) -> ExitStatus {
    var refused = 0
    var members: [JSONValue] = []
    for (index, name) in names.enumerated() {
      let zone = resolver.resolve(name)
      do throws(ZoneResolutionError) {
        let rules = try resolver.rules(of: zone)
        if isJSON {
          members.append(.object(Self.members(of: zone) + time(by: rules) + changes(by: rules)))
        } else {
          if index > 0 { console.show("") }
          show(zone, rules)
        }
      } catch {
        refused += 1
        complain(zone, error)
        if isJSON { members.append(.object(Self.members(of: zone))) }
      }
    }
    if isJSON { console.write(data + [.init(name: "zones", value: .array(members))]) }
    return refused == 0 ? .done : refused < names.count ? .someFailed : .nothingDone
  }

  private func show(_ zone: ResolvedZone, _ rules: ZoneRules) {
    let type = rules.localTimeType(at: now)
    console.show("\(zone.tzID) is \(Self.words(for: zone)) (time zones \(version))")
    console.show(
      "now \(rules.civil(at: now)?.description ?? "\(now)")  \(type.offset) \(type.abbreviation)")
    let changes = nextChanges(by: rules)
    for change in changes {
      console.show(
        "\(change.instant)  \(change.before.offset) \(change.before.abbreviation) -> "
          + "\(change.after.offset) \(change.after.abbreviation)")
    }
    if changes.isEmpty, next > 0 { console.show("The clocks do not change any more.") }
  }

  private func complain(_ zone: ResolvedZone, _ error: ZoneResolutionError) {
    guard let refusal = zone.refusal else {
      return console.complain(Failure(.nothingDone, "\(error)"))
    }
    // Short names are similar to too many others.
    let hint =
      zone.tzID.utf8.count < 6
      ? nil
      : Suggestion.nearest(to: zone.tzID, among: database.names)
        .map { "Did you mean \($0)?" as ConsoleText }
    console.complain(
      Failure(
        .nothingDone, "expected the name of a time zone, found \"\(zone.tzID)\", \(refusal.clause)",
        hint: hint))
  }

  /// The description of a resolution, as the end of a sentence.
  static func words(for zone: ResolvedZone) -> String {
    let canonical = zone.canonicalName ?? ""
    switch zone.source {
    case .utc: return "a name of UTC"
    case .name where zone.name == canonical: return "a time zone"
    case .name: return "another name of \(canonical)"
    case .spelling: return "another spelling of \(canonical)"
    case .path: return "\(canonical), by the end of its path"
    case .windows: return "\(canonical), by its name in Windows"
    case .alias: return "\(canonical), by a name for people"
    case .location: return "\(canonical), by what its definition says of itself"
    case .offset: return "an offset from UTC"
    case .definition: return "what the file defines it to be"
    case .place: return "\(canonical), by a place"
    case .unknown: return "no time zone"
    }
  }

  // MARK: - Parts

  private var version: String { database.version ?? "of an unknown version" }

  private var data: [JSONValue.Member] {
    [
      .init(name: "source", value: JSONValue(database.source)),
      .init(name: "version", value: JSONValue(database.version)),
      .init(name: "now", value: .string("\(now)")),
    ]
  }

  static func members(of zone: ResolvedZone) -> [JSONValue.Member] {
    [
      .init(name: "tzid", value: .string(zone.tzID)),
      .init(name: "resolution", value: .string(zone.source.rawValue)),
      .init(name: "zone", value: JSONValue(zone.name)),
      .init(name: "canonical", value: JSONValue(zone.canonicalName)),
      .init(name: "refusal", value: JSONValue(zone.refusal?.rawValue)),
    ]
  }

  private func time(by rules: ZoneRules) -> [JSONValue.Member] {
    let type = rules.localTimeType(at: now)
    return [
      .init(name: "offset", value: .string(type.offset.description)),
      .init(name: "abbreviation", value: .string(type.abbreviation)),
      .init(name: "isDaylight", value: .bool(type.isDaylight)),
    ]
  }

  private func changes(by rules: ZoneRules) -> [JSONValue.Member] {
    let changes = nextChanges(by: rules).map { change -> JSONValue in
      [
        "instant": .string(change.instant.description),
        "before": .string(change.before.offset.description),
        "after": .string(change.after.offset.description),
        "abbreviation": .string(change.after.abbreviation),
        "isDaylight": .bool(change.after.isDaylight),
      ]
    }
    return [.init(name: "changes", value: .array(changes))]
  }

  private func nextChanges(by rules: ZoneRules) -> [ZoneTransition] {
    Array(rules.transitions(from: now.adding(seconds: 1) ?? now).prefix(next))
  }
}

extension Console {
  fileprivate func write(_ members: [JSONValue.Member]) { write(.object(members)) }
}
