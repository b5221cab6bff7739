// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// Checks a component against the RFCs: its values, and the combination of properties.
///
/// It checks one component and all nested ones in linear time. `CalendarChecker` checks whole
/// calendars.
public struct ComponentChecker: Sendable {
  /// The maximum number of property diagnostics for a component and all nested ones.
  ///
  /// More would not help the reader of a file that is this broken.
  private static let limit = 10_000
  /// The maximum number of diagnostics about one misplaced or repeated property name.
  private static let repetitionLimit = 10
  /// The maximum number of reported repetitions of one property that have a fix.
  private static let fixLimit = 1_000

  /// The current time in UTC for adding a missing DTSTAMP; nil to omit that fix.
  let now: CivilDateTime?
  /// The time zones for fixes of times that must be in UTC; nil to omit these fixes.
  let zones: ZoneDatabase?
  /// The prepared rules.
  let plan: CheckPlan

  /// Creates a checker.
  ///
  /// - Parameters:
  ///   - now: The current time in UTC, for fixes that need it.
  ///   - zones: The time zones, for fixes that need them.
  public init(now: CivilDateTime? = nil, zones: ZoneDatabase? = nil) {
    (self.now, self.zones) = (now, zones)
    plan = CheckPlan()
  }

  /// Returns the diagnostics for a component, ordered by position.
  public func diagnostics(for component: Component, in parent: ComponentName? = nil) -> [Diagnostic]
  {
    var found: [Diagnostic] = []
    let around = parent.map { CheckedComponent($0, position: nil, properties: [], plan) }
    check(component, in: around, into: &found)
    guard !found.isEmpty else { return [] }
    return found.sorted { $0.position < $1.position }
  }

  private func check(
    _ component: Component, in parent: CheckedComponent?, into found: inout [Diagnostic]
  ) {
    let checked = CheckedComponent(
      component.name, position: component.position, properties: component.properties, plan)
    check(checked, in: parent, into: &found)
    checkParts(of: component, into: &found)
    for nested in component.components { check(nested, in: checked, into: &found) }
  }

  /// Checks one component without the nested ones.
  func check(
    _ component: CheckedComponent, in parent: CheckedComponent?, into found: inout [Diagnostic]
  ) {
    for entry in component.entries {
      guard found.count < Self.limit else { break }
      check(entry, in: component, into: &found)
    }
    if let index = component.name.index {
      checkPlace(of: component, in: parent, into: &found)
      checkOccurrences(in: component, index, into: &found)
    }
    if !component.present.isDisjoint(with: plan.times) { checkTimes(of: component, into: &found) }
    if component.set == .alarm { checkAlarm(component, in: parent, into: &found) }
    if !component.set.isEmpty, ComponentSet.observance.contains(component.set) {
      checkObservance(component, into: &found)
    }
  }

  private func checkPlace(
    of component: CheckedComponent, in parent: CheckedComponent?, into found: inout [Diagnostic]
  ) {
    // Components that no RFC defines may contain any component.
    guard let parent, !parent.set.isEmpty, let row = ComponentTable.row(for: component.name),
      row.parents.isDisjoint(with: parent.set)
    else { return }
    let expected = ComponentTable.rows.filter { row.parents.contains(ComponentSet($0.name)) }
      .map(\.name.rawName).joined(separator: " or ")
    found.append(
      component.diagnostic(
        .error, .misplacedComponent,
        "expected \(row.name) inside \(expected), found it inside \(parent.name.canonicalName)",
        reference: row.reference))
  }

  private func checkOccurrences(
    in component: CheckedComponent, _ index: Int, into found: inout [Diagnostic]
  ) {
    let row = ComponentTable.rows[index]
    if !plan.required[index].isSubset(of: component.present) {
      for required in row.required where component[required] == nil {
        found.append(
          component.diagnostic(
            .error, .missingProperty, "expected \(required) in \(row.name), found none",
            reference: row.reference
          ).with(insertion(of: required, into: component)))
      }
    }
    var firsts: [Int: CheckedComponent.Entry] = [:]
    var told: [Int: Int] = [:]
    var fixed: [Int: Int] = [:]
    for entry in component.entries {
      guard let number = entry.number else { continue }
      let step = plan.properties[number]
      let isOnce = !step.once.isDisjoint(with: component.set)
      let isMisplaced = row.isClosed && step.anywhere.isDisjoint(with: component.set)
      guard isMisplaced || isOnce && component.repeated.contains(number) else { continue }
      guard let first = firsts[number] ?? (isMisplaced ? entry : nil) else {
        firsts[number] = entry
        continue
      }
      let diagnostic = isMisplaced ? misplaced(entry, row) : repeated(entry, first, row)
      if diagnostic.fix == nil {
        told[number, default: 0] += 1
        guard told[number, default: 0] <= Self.repetitionLimit else { continue }
      } else {
        // Far more of those with a fix are reported, so that one repair fixes them all.
        fixed[number, default: 0] += 1
        guard fixed[number, default: 0] <= Self.fixLimit else { continue }
      }
      found.append(diagnostic)
    }
    checkTogether(component, row, index, into: &found)
  }

  /// Checks combinations of properties that are forbidden or discouraged.
  private func checkTogether(
    _ component: CheckedComponent, _ row: ComponentTable.Row, _ index: Int,
    into found: inout [Diagnostic]
  ) {
    // AVAILABLE allows only one RRULE, and another check reports its repetition.
    if component.repeated.contains(plan.rRule), component.set != .available {
      for rule in component.all(plan.rRule).dropFirst() {
        found.append(
          rule.property.diagnostic(
            aboutName: .note, .ruleConflict,
            "expected one RRULE, which is all that most programs read, found another one",
            reference: row.reference))
      }
    }
    if !component.repeated.isDisjoint(with: plan.distinct) {
      checkVariants(component, into: &found)
    }
    guard row.exclusive.count == 2, plan.exclusive[index].isSubset(of: component.present),
      let other = component[row.exclusive[1]]
    else { return }
    found.append(
      other.property.diagnostic(
        aboutName: .error, .conflictingProperties,
        "expected \(row.exclusive[0]) or \(row.exclusive[1]), found both",
        reference: row.reference))
  }

  private func misplaced(
    _ entry: CheckedComponent.Entry, _ row: ComponentTable.Row
  ) -> Diagnostic {
    entry.property.diagnostic(
      aboutName: .warning, .misplacedProperty,
      "expected no \(entry.name.canonicalName) in \(row.name), found one",
      reference: row.reference)
  }

  private func repeated(
    _ entry: CheckedComponent.Entry, _ first: CheckedComponent.Entry, _ row: ComponentTable.Row
  ) -> Diagnostic {
    let isSame = first.property == entry.property
    return entry.property.diagnostic(
      aboutName: .error, .repeatedProperty,
      "expected \(entry.name.canonicalName) at most once in \(row.name), found another one",
      reference: row.reference
    ).with(isSame ? removal(of: entry.property, "remove what is there twice") : nil)
  }

  /// Checks the nested components that a component requires, and related properties.
  private func checkParts(of component: Component, into found: inout [Diagnostic]) {
    if component.name == .alarm { checkPlaces(ofAlarm: component, into: &found) }
    guard component.name == .timeZone,
      !component.components.contains(where: { $0.name == .standard || $0.name == .daylight })
    else { return }
    found.append(
      component.diagnostic(
        .error, .missingComponent, "expected STANDARD or DAYLIGHT in VTIMEZONE, found none",
        reference: "RFC 5545 §3.6.5"))
  }
}

/// A component with its properties indexed for the checks.
///
/// The properties are read and counted in one pass, so that the checks take linear time.
struct CheckedComponent {
  /// A property with the data that its checks need.
  struct Entry {
    let property: Property
    /// The index in `PropertyTable`, or nil if the property is not in the table.
    let number: Int?
    /// The parsed values, if the plan requires them.
    private let known: TypedValues?

    init(_ property: Property, _ plan: CheckPlan) {
      self.property = property
      number = property.nameIndex
      let needsValue = number.map { plan.properties[$0].needsValue } ?? false
      known = needsValue || property.hasParameters ? property.typedValues : nil
    }

    /// The parsed values, or nil if they cannot be invalid.
    var readValues: TypedValues? { known }

    /// The values, parsed on demand.
    var values: TypedValues { known ?? property.typedValues }

    var name: PropertyName { property.name }

    /// The property's row in the table, or nil if it has none.
    var row: PropertyTable.Row? { number.map { PropertyTable.rows[$0] } }
  }

  let name: ComponentName
  let set: ComponentSet
  let position: SourcePosition?
  /// The well-formed properties, in file order.
  private(set) var entries: [Entry] = []
  /// The present properties that are in the table.
  private(set) var present = PropertySet()
  /// The properties that occur more than once.
  private(set) var repeated = PropertySet()

  init(
    _ name: ComponentName, position: SourcePosition?, properties: some Collection<Property>,
    _ plan: CheckPlan
  ) {
    self.name = name
    self.position = position
    set = ComponentSet(name)
    entries.reserveCapacity(properties.count)
    for property in properties where property.isWellFormed {
      let entry = Entry(property, plan)
      entries.append(entry)
      if let number = entry.number, !present.insert(number).inserted {
        _ = repeated.insert(number)
      }
    }
  }

  /// The first property with an index.
  subscript(number: Int) -> Entry? {
    guard present.contains(number) else { return nil }
    return entries.first { $0.number == number }
  }

  /// The first property with a name.
  subscript(name: PropertyName) -> Entry? {
    name.index.flatMap { self[$0] }
  }

  /// Returns all properties with an index, in file order.
  func all(_ number: Int) -> [Entry] {
    guard present.contains(number) else { return [] }
    return entries.filter { $0.number == number }
  }

  /// Creates a diagnostic about the whole component, at its BEGIN line.
  func diagnostic(
    _ severity: Diagnostic.Severity, _ code: DiagnosticCode, _ message: String,
    reference: String? = nil
  ) -> Diagnostic {
    let position = position ?? SourcePosition(line: 1, column: 1)
    let text = "BEGIN:\(name.rawName)"
    return Diagnostic(
      severity, code, at: position, message, reference: reference,
      excerpt: Excerpt(line: text.utf8.span, column: position.column))
  }
}
