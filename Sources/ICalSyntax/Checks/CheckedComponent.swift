// SPDX-License-Identifier: Apache-2.0

/// A component as the checks look at it: its properties with their values, read and counted in one
/// pass, so that a component of many properties costs no more than its length.
struct CheckedComponent {
  /// A property with what its checks need of it.
  struct Entry {
    let property: Property
    let name: PropertyName
    let values: TypedValues

    /// What the table says of the property, or nil if it says nothing.
    var row: PropertyTable.Row? { PropertyTable.row(for: name) }
  }

  let name: ComponentName
  let set: ComponentSet
  let position: SourcePosition?
  /// The well-formed properties, in the order of the file.
  private(set) var entries: [Entry] = []
  /// For each row of `PropertyTable`, the place of the first entry of that name plus one, or 0.
  private var firsts: [Int32]
  /// The same for how many there are.
  private var counts: [Int32]

  init(_ name: ComponentName, position: SourcePosition?, properties: some Sequence<Property>) {
    self.name = name
    self.position = position
    set = ComponentSet(name)
    firsts = [Int32](repeating: 0, count: PropertyTable.rows.count)
    counts = firsts
    for property in properties where property.isWellFormed {
      let name = property.name
      entries.append(Entry(property: property, name: name, values: property.typedValues))
      guard let index = name.index else { continue }
      if counts[index] == 0 { firsts[index] = Int32(clamping: entries.count) }
      counts[index] += 1
    }
  }

  init(_ component: Component) {
    self.init(
      component.name, position: component.position, properties: component.properties)
  }

  /// The first property of a name.
  subscript(name: PropertyName) -> Entry? {
    guard let index = name.index, firsts[index] > 0 else { return nil }
    return entries[Int(firsts[index]) - 1]
  }

  /// How many properties of a name there are.
  func count(of name: PropertyName) -> Int {
    name.index.map { Int(counts[$0]) } ?? 0
  }

  /// All properties of a name, in the order of the file.
  func all(_ name: PropertyName) -> [Entry] {
    switch count(of: name) {
    case 0: []
    case 1: self[name].map { [$0] } ?? []
    default: entries.filter { $0.name == name }
    }
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
