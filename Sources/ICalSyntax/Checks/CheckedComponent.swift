// SPDX-License-Identifier: Apache-2.0

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
      number = property.name.index
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
