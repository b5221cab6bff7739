// SPDX-License-Identifier: Apache-2.0

/// A component as the checks look at it: its properties by number, read and counted in one pass, so
/// that a component of many properties costs no more than its length.
struct CheckedComponent {
  /// A property with what its checks need of it.
  struct Entry {
    let property: Property
    /// Its place in `PropertyTable`, or nil if the table says nothing of it.
    let number: Int?
    /// Its values if the plan wants them read.
    private let known: TypedValues?

    init(_ property: Property, _ plan: CheckPlan) {
      self.property = property
      number = property.name.index
      let needsValue = number.map { plan.properties[$0].needsValue } ?? false
      known = needsValue || property.hasParameters ? property.typedValues : nil
    }

    /// The values; nil where they cannot be wrong.
    var readValues: TypedValues? { known }

    /// The values, read now if they were not.
    var values: TypedValues { known ?? property.typedValues }

    var name: PropertyName { property.name }

    /// What the table says of the property, or nil if it says nothing.
    var row: PropertyTable.Row? { number.map { PropertyTable.rows[$0] } }
  }

  let name: ComponentName
  let set: ComponentSet
  let position: SourcePosition?
  /// The well-formed properties, in the order of the file.
  private(set) var entries: [Entry] = []
  /// The properties of the table that are there.
  private(set) var present = PropertySet()
  /// Those that are there more than once.
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

  /// The first property of a number.
  subscript(number: Int) -> Entry? {
    guard present.contains(number) else { return nil }
    return entries.first { $0.number == number }
  }

  /// The first property of a name.
  subscript(name: PropertyName) -> Entry? {
    name.index.flatMap { self[$0] }
  }

  /// All properties of a number, in the order of the file.
  func all(_ number: Int) -> [Entry] {
    guard present.contains(number) else { return [] }
    return entries.filter { $0.number == number }
  }

  /// A diagnostic about the component as a whole, at its BEGIN line.
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
