// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import ICalSyntax

/// The differences between several versions of an item, property by property.
///
/// The comparison uses meanings and occurrences. It ignores order, notation, bookkeeping properties
/// and everything that all versions have in common.
public struct ItemComparison: Sendable {
  /// A difference between the versions.
  public struct Row: Hashable, Sendable {
    /// The path of the component: `VEVENT`, `VEVENT 20260302T090000`, `VEVENT / VALARM`.
    public let component: String
    /// The names of the properties, or of a nested component.
    public let subject: String
    /// The unfolded content lines of each version; empty if it has none.
    public let versions: [[String]]

    /// The lines without the property name, if all lines are of one property without parameters.
    public var values: [[String]] {
      let name = subject + ":"
      guard versions.joined().allSatisfy({ $0.hasPrefix(name) }) else { return versions }
      return versions.map { $0.map { String($0.dropFirst(name.count)) } }
    }
  }

  /// The differences, in the order of the first version.
  public private(set) var rows: [Row] = []
  private let clock: MergeClock

  /// Compares versions of one item.
  ///
  /// - Parameters:
  ///   - versions: The versions; nil for a version that does not exist.
  ///   - normalForm: The normal form for the comparison.
  public init(_ versions: [CalendarItem?], normalForm: NormalForm = NormalForm()) {
    clock = MergeClock(normalForm, items: versions.compactMap(\.self))
    let keyed = versions.map { ComponentIdentity.keyed($0?.components ?? [], clock) }
    let kind = versions.compactMap(\.self).first?.kind.rawValue ?? ""
    for key in Self.union(keyed.map(\.keys)) {
      let components = keyed.map { $0[key] }
      let id = components.compactMap(\.self).first?[.recurrenceID]?.rawValue
      compare(components, path: id.map { "\(kind) \($0)" } ?? kind)
    }
    compareZones(versions, normalForm)
  }

  /// Compares the properties of several versions of a calendar.
  ///
  /// - Parameters:
  ///   - calendars: The calendars, without their items.
  ///   - normalForm: The normal form for the comparison.
  public init(calendars: [Component], normalForm: NormalForm = NormalForm()) {
    clock = MergeClock(normalForm, items: [])
    compare(calendars, path: ComponentName.calendar.canonicalName)
  }

  /// Compares the time zones of the TZIDs that all versions use.
  private mutating func compareZones(_ versions: [CalendarItem?], _ form: NormalForm) {
    let known = versions.compactMap(\.self)
    let components = known.flatMap(\.components)
    let used = known.map(\.components.usedTimeZones)
    let forms = known.map { version in
      ComparisonForm(form, components: components, definitions: version.timeZones)
    }
    let common = used.reduce(used.first ?? []) { $0.intersection($1) }.sorted()
    guard !common.isEmpty else { return }
    let definitions = versions.map { ZoneDefinitions($0?.timeZones ?? []) }
    for name in common where Set(forms.map({ $0.zoneName(name) })).count > 1 {
      let lines = definitions.map { $0[name]?.contentLines ?? [] }
      rows.append(Row(component: "VTIMEZONE", subject: name, versions: lines))
    }
  }

  private mutating func compare(_ components: [Component?], path: String) {
    guard let name = components.compactMap(\.self).first?.name else { return }
    let layout = MergeLayout(
      of: components.compactMap(\.self), component: name, isFused: false, clock: clock)
    let parts = components.map { MergeParts(of: $0, layout) }
    var elements: [(name: String, versions: [[String]])] = []
    var places: [String: Int] = [:]
    for key in Self.union(parts.map(\.keys)) {
      let versions = parts.map { $0[key] }
      let isSame = parts.dropFirst().allSatisfy { other in
        key.isElement
          ? other[key].count == parts[0][key].count
          : other.meaning(of: key) == parts[0].meaning(of: key)
      }
      guard !isSame else { continue }
      let lines = versions.map { $0.map(\.contentLine) }
      guard key.isElement, let name = versions.joined().first?.name.canonicalName else {
        rows.append(Row(component: path, subject: Self.subject(of: versions), versions: lines))
        continue
      }
      if let place = places[name] {
        for index in lines.indices { elements[place].versions[index] += lines[index] }
      } else {
        places[name] = elements.count
        elements.append((name, lines))
      }
    }
    for (name, versions) in elements {
      rows.append(Row(component: path, subject: name, versions: versions))
    }
    compareNested(components, path: path)
  }

  private mutating func compareNested(_ components: [Component?], path: String) {
    let keys = NestedIdentity.keys(of: components, clock)
    let keyed = zip(components, keys).map { component, keys in
      KeyedComponents(keys: keys, components: component.map { Array($0.components) } ?? [])
    }
    for key in Self.union(keyed.map(\.keys)) {
      let nested = keyed.map { $0[key] }
      guard let name = nested.compactMap(\.self).first?.name.canonicalName else { continue }
      if nested.contains(where: { $0 == nil }) {
        rows.append(
          Row(
            component: path, subject: name, versions: nested.map { $0?.contentLines ?? [] }))
      } else {
        compare(nested, path: "\(path) / \(name)")
      }
    }
  }

  /// The distinct property names of a part.
  private static func subject(of versions: [[Property]]) -> String {
    union(versions.map { $0.map(\.name.canonicalName) }).joined(separator: ", ")
  }

  /// The distinct elements of several lists, in order of first appearance.
  private static func union<Element: Hashable>(_ lists: [[Element]]) -> [Element] {
    var seen: Set<Element> = []
    return lists.joined().filter { seen.insert($0).inserted }
  }
}
