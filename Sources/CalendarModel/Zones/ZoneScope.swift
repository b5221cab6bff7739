// SPDX-License-Identifier: Apache-2.0

import CivilTime
package import ICalSyntax

/// The TZIDs of one calendar, which receives components of other calendars.
///
/// A TZID is valid only in its VCALENDAR, which defines it once (RFC 5545 §3.2.19, §3.6.5). Two
/// calendars can define one TZID differently: Outlook calls each zone that it cannot name
/// `Customized Time Zone`. When components move to another calendar, such a TZID gets another name
/// there: `Customized Time Zone 2`. No time is then another instant than before.
///
/// A TZID keeps its name if the calendar does not use it, or if its meaning is the same one for the
/// moved components: the resolver knows the name, or both definitions have the same offsets. Equal
/// definitions share a name.
///
/// ```swift
/// var scope = ZoneScope(zones: resolver)
/// var output: [Component] = []
/// for item in items {
///   let adopted = scope.adopt(item.components, definitions: item.timeZones)
///   output += adopted.newDefinitions + adopted.components
/// }
/// ```
package struct ZoneScope: Sendable {
  /// Components with the TZIDs of the calendar that received them.
  package struct Adopted: Sendable {
    /// The components, in their order.
    package private(set) var components: [Component]
    /// The definitions that the calendar did not have, in the order of the other calendar.
    package fileprivate(set) var newDefinitions: [Component] = []
    /// The new names of TZIDs; empty if all TZIDs keep their names.
    package fileprivate(set) var names: [String: String] = [:]

    fileprivate init(_ components: [Component]) {
      self.components = components
    }

    fileprivate mutating func rename() {
      guard !names.isEmpty else { return }
      components = components.map { $0.renamingTimeZones(names) }
    }
  }

  /// The definitions of one TZID under several names.
  private struct Variants: Sendable {
    /// The names of definitions, by the meaning of the definition.
    var names: [String: String] = [:]
    /// The next number for a name.
    var next = 2
  }

  /// The maximum number of names that are tried for one TZID beyond those in use.
  private static let attemptLimit = 100
  /// The instants from 1970 through 2100, in which two equal definitions have equal offsets.
  private static let usual =
    Instant(secondsSinceEpoch: 0)..<Instant(secondsSinceEpoch: 4_102_444_800)

  private let zones: ZoneResolver
  /// The TZIDs in use, with their definitions; nil for a TZID without one.
  private var known: [String: Component?] = [:]
  private var variants: [String: Variants] = [:]

  /// Creates the scope of a calendar.
  ///
  /// - Parameters:
  ///   - zones: The resolver of TZIDs.
  ///   - definitions: The VTIMEZONE components of the calendar; the first one with a TZID applies.
  package init(zones: ZoneResolver, definitions: [Component] = []) {
    self.zones = zones
    for definition in definitions {
      guard let name = definition[.tzID]?.text, known[name] == nil else { continue }
      known[name] = .some(definition)
    }
  }

  /// The definition of a TZID in the calendar; nil if it has none.
  package func definition(of tzID: String) -> Component? { known[tzID] ?? nil }

  /// Records that components of the calendar use TZIDs, which it may not define.
  package mutating func use(_ names: some Sequence<String>) {
    for name in names where known[name] == nil { known[name] = .some(nil) }
  }

  /// Removes a TZID that no component of the calendar uses, so that it can be defined again.
  package mutating func forget(_ tzID: String) {
    guard known.removeValue(forKey: tzID) != nil else { return }
    variants = [:]
  }

  /// Receives the components of an item of another calendar.
  ///
  /// - Parameters:
  ///   - components: The components.
  ///   - definitions: The VTIMEZONE components of their calendar.
  /// - Returns: The components with the TZIDs of this calendar, and the definitions to add to it.
  package mutating func adopt(_ components: [Component], definitions: [Component]) -> Adopted {
    var adopted = Adopted(components)
    let used = components.usedTimeZones
    guard !used.isEmpty || !definitions.isEmpty else { return adopted }
    let index = ZoneDefinitions(definitions)
    var new: Set<String> = []
    var uses: TimeZoneUses?
    for tzID in used.sorted() {
      let own = index[tzID]
      var name = tzID
      if let known = known[tzID], !isSameSource(own, known), !isNamed(tzID) {
        let all = uses ?? TimeZoneUses(of: components)
        uses = all
        name = self.name(for: tzID, own, all[tzID])
      }
      if name != tzID { adopted.names[tzID] = name }
      guard definition(of: name) == nil else { continue }
      known[name] = .some(own?.renamingTimeZones([tzID: name]))
      if own != nil { new.insert(tzID) }
    }
    for definition in definitions {
      guard let tzID = definition[.tzID]?.text else { continue }
      if !used.contains(tzID), known[tzID] == nil {
        known[tzID] = .some(definition)
      } else if new.remove(tzID) == nil {
        continue
      }
      let own = self.definition(of: adopted.names[tzID] ?? tzID)
      adopted.newDefinitions.append(own ?? definition)
    }
    adopted.rename()
    return adopted
  }

  /// Receives a definition of another calendar for all of its components.
  ///
  /// - Parameter definition: The VTIMEZONE component.
  /// - Returns: The TZID and its name in this calendar; nil if the definition has no TZID.
  package mutating func adopt(_ definition: Component) -> (tzID: String, name: String)? {
    guard let tzID = definition[.tzID]?.text else { return nil }
    var name = tzID
    if let known = known[tzID], !isSameSource(definition, known), !isNamed(tzID) {
      name = self.name(for: tzID, definition, nil)
    }
    if self.definition(of: name) == nil {
      known[name] = .some(definition.renamingTimeZones([tzID: name]))
    }
    return (tzID, name)
  }

  private func isSameSource(_ own: Component?, _ other: Component?) -> Bool {
    guard let own, let other else { return own == nil && other == nil }
    return own.hasSameSource(as: other) || own == other
  }

  /// Whether the name alone decides about the zone, so that its definitions are not used.
  private func isNamed(_ tzID: String) -> Bool {
    guard !zones.prefersDefinitions else { return false }
    switch zones.resolve(tzID).source {
    case .utc, .name, .spelling, .path: return true
    default: return false
    }
  }

  /// The name in this calendar for a TZID whose name is in use.
  private mutating func name(
    for tzID: String, _ own: Component?, _ use: TimeZoneUses.Use?
  ) -> String {
    let meaning = rules(tzID, own, use)
    if isSame(meaning, rules(tzID, definition(of: tzID), use), use) { return tzID }
    let key = key(own, tzID, use, meaning)
    var variants = variants[tzID] ?? knownVariants(of: tzID, use)
    defer { self.variants[tzID] = variants }
    if let name = variants.names[key] { return name }
    var name = tzID
    for _ in 0..<Self.attemptLimit {
      name = "\(tzID) \(variants.next)"
      variants.next += 1
      // A resolver may know the new name, too.
      let renamed = own?.renamingTimeZones([tzID: name])
      if known[name] == nil, isSame(meaning, rules(name, renamed, use), use) { break }
    }
    variants.names[key] = name
    return name
  }

  /// The variants of a TZID that the calendar has already.
  private func knownVariants(of tzID: String, _ use: TimeZoneUses.Use?) -> Variants {
    var variants = Variants()
    while let known = known["\(tzID) \(variants.next)"] {
      let name = "\(tzID) \(variants.next)"
      let key = key(known, name, nil, rules(name, known, nil))
      if variants.names[key] == nil { variants.names[key] = name }
      variants.next += 1
    }
    return variants
  }

  /// The rules of a TZID; nil if its times are floating.
  private func rules(
    _ tzID: String, _ definition: Component?, _ use: TimeZoneUses.Use?
  ) -> ZoneRules? {
    let definitions = definition.map { [$0] } ?? []
    return try? zones.rules(of: zones.resolve(tzID, definitions: definitions, use: use))
  }

  private func isSame(
    _ left: ZoneRules?, _ right: ZoneRules?, _ use: TimeZoneUses.Use?
  ) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    let range = Self.range(of: use, left)
    return left.differences(from: right, between: range.lowerBound, and: range.upperBound).isEmpty
  }

  /// The usual range, extended by the times in use.
  private static func range(of use: TimeZoneUses.Use?, _ rules: ZoneRules) -> Range<Instant> {
    guard let times = use?.instants(by: rules, horizon: usual.lowerBound) else { return usual }
    let day: Int64 = 86_400
    let lower = times.lowerBound.adding(seconds: -day) ?? times.lowerBound
    let upper = times.upperBound.adding(seconds: day) ?? times.upperBound
    return min(usual.lowerBound, lower)..<max(usual.upperBound, upper)
  }

  /// A text that is equal for definitions with the same offsets, and for a missing definition.
  private func key(
    _ definition: Component?, _ tzID: String, _ use: TimeZoneUses.Use?, _ meaning: ZoneRules?
  ) -> String {
    guard let definition else { return "undefined" }
    // The definition of a name that is a guess can decide about other times than those in use.
    let isGuess = zones.contender(of: zones.resolve(tzID, definitions: [definition]), [definition])
    let rules = isGuess == nil ? meaning : try? ZoneDefinition(definition).rules()
    guard let rules else { return "unusable" }
    let range = Self.range(of: use, rules)
    var form = CanonicalForm()
    // Few items use other times; they share definitions among themselves.
    if range != Self.usual { form.append("\(range.lowerBound) \(range.upperBound)") }
    form.append(rules.offset(at: range.lowerBound).description)
    for change in rules.transitions(from: range.lowerBound, to: range.upperBound)
    where change.before.offset != change.after.offset {
      form.append(change.instant.description)
      form.append(change.after.offset.description)
    }
    return SHA256.digest(of: form.bytes).description
  }
}

extension Component {
  /// Returns the component with other TZIDs, in its definition and in all of its properties.
  ///
  /// - Parameter names: The new names by the old ones.
  /// - Returns: The component; the same one if it has none of the old names.
  package func renamingTimeZones(_ names: [String: String]) -> Component {
    guard !names.isEmpty else { return self }
    var renamed = self
    if name == .timeZone, let property = self[.tzID], let new = names[property.text] {
      var tzID = property
      tzID.text = new
      renamed[.tzID] = tzID
    }
    guard usedTimeZones.contains(where: { names[$0] != nil }) else { return renamed }
    renamed.properties = PropertyList(
      renamed.properties.map { property -> Property in
        guard let tzID = property[.tzID], let new = names[tzID] else { return property }
        var changed = property
        changed[.tzID] = new
        return changed
      })
    renamed.components = ComponentList(components.map { $0.renamingTimeZones(names) })
    return renamed
  }
}

extension CalendarItem {
  /// Returns the item with TZIDs that do not contradict those of another version of the item.
  ///
  /// The components of both can then be combined, with the definitions of both.
  package func namingTimeZones(beside other: CalendarItem) -> CalendarItem {
    var scope = ZoneScope(
      zones: normalForm.zones ?? other.normalForm.zones ?? ZoneResolver(),
      definitions: other.timeZones)
    for component in other.components { scope.use(component.usedTimeZones) }
    return namingTimeZones(in: &scope)
  }

  /// Returns the item with the TZIDs of a calendar that receives it.
  package func namingTimeZones(in scope: inout ZoneScope) -> CalendarItem {
    let adopted = scope.adopt(components, definitions: timeZones)
    guard !adopted.names.isEmpty else { return self }
    let own = timeZones.map { $0.renamingTimeZones(adopted.names) }
    return (try? replacing(components: adopted.components, timeZones: own)) ?? self
  }
}
