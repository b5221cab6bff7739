// SPDX-License-Identifier: Apache-2.0

/// The rules of the tables in a form that is fast to check.
///
/// The checks run on every imported file, and nearly all properties are valid.
struct CheckPlan: Sendable {
  /// The first checks of a property.
  struct Step: Sendable {
    /// The components that may contain the property at most once.
    let once: ComponentSet
    /// The components that may contain the property.
    let anywhere: ComponentSet
    /// Whether the value must be parsed; plain texts have no value rules.
    let needsValue: Bool
    /// Whether its value is one text, in which commas and semicolons are escaped.
    let isText: Bool
  }

  /// The first checks of a parameter.
  struct ParameterStep: Sendable {
    /// The properties that may have the parameter; nil for all.
    let properties: PropertySet?
    /// Whether any single value is valid.
    let isPlain: Bool
    /// Values in upper case that are valid in all components but journal entries.
    let usual: [[UInt8]]
  }

  /// The steps of the properties, indexed as in `PropertyTable`.
  let properties = PropertyTable.rows.map { row in
    Step(
      once: row.one.union(row.upToOne), anywhere: row.one.union(row.upToOne).union(row.any),
      needsValue: row.valueType != .text || row.limit != nil,
      isText: row.valueType == .text && row.separator == nil && row.limit == nil)
  }
  /// The steps of the parameters, indexed as in `ParameterTable`.
  let parameters = ParameterTable.rows.map { row in
    ParameterStep(
      properties: row.properties.isEmpty ? nil : PropertySet(names: row.properties),
      isPlain: row.content == .text && row.name != "PARTSTAT", usual: Self.usualValues(of: row))
  }
  /// The required properties of components, indexed as in `ComponentTable`.
  let required = ComponentTable.rows.map { PropertySet(names: $0.required) }
  /// Pairs of mutually exclusive properties, indexed as in `ComponentTable`.
  let exclusive = ComponentTable.rows.map { PropertySet(names: $0.exclusive) }
  /// The properties that `checkExtension` checks.
  ///
  /// These are the properties that require a VALUE parameter (RFC 7986 §5, RFC 9073 §6.5, RFC 9253
  /// §8.2), RELATED-TO and REQUEST-STATUS.
  let extended = PropertySet(names: [
    .refreshInterval, .image, .conference, .styledDescription, .structuredData, .link, .relatedTo,
    .requestStatus,
  ])
  /// Properties whose repetitions must be consistent.
  let distinct = PropertySet(names: [.name, .descriptionText, .styledDescription, .requestStatus])
  /// The properties that `checkTimes` checks.
  let times = PropertySet(names: [.dtStart, .dtEnd, .due, .duration])

  /// Texts that are identifiers, and are compared letter by letter with those in other files.
  let names = PropertySet(names: [.uid, .tzID, .relatedTo, .tzIDAliasOf])

  /// The index of TZID among the parameters.
  let tzID = ParameterName.tzID.index
  let uid = Self.number(.uid)
  let rRule = Self.number(.rRule)
  let exDate = Self.number(.exDate)
  let rDate = Self.number(.rDate)
  let dtStart = Self.number(.dtStart)
  let dtEnd = Self.number(.dtEnd)
  let due = Self.number(.due)
  let duration = Self.number(.duration)
  let recurrenceID = Self.number(.recurrenceID)
  let attach = Self.number(.attach)
  let name = Self.number(.name)
  let descriptionText = Self.number(.descriptionText)
  let styledDescription = Self.number(.styledDescription)
  let requestStatus = Self.number(.requestStatus)

  /// The values of a parameter that need no further check.
  private static func usualValues(of row: ParameterTable.Row) -> [[UInt8]] {
    let words: [String] =
      switch row.content {
      case .words(let words): words
      case .text where row.name == "PARTSTAT":
        ["NEEDS-ACTION", "ACCEPTED", "DECLINED", "TENTATIVE"]
      default: []
      }
    return words.map { Array($0.utf8) }
  }

  /// The index of a property that is in the table.
  private static func number(_ name: PropertyName) -> Int {
    guard let index = name.index else { preconditionFailure("PropertyTable has a row for \(name)") }
    return index
  }
}

/// A set of properties that the RFCs define, with one bit for each.
struct PropertySet: SetAlgebra, Hashable, Sendable {
  /// One bit for each row of `PropertyTable`, in table order.
  private var bits: UInt128

  private init(bits: UInt128) {
    self.bits = bits
  }

  init() {
    bits = 0
  }

  /// Creates the set of the named properties without those that no RFC defines.
  init(names: some Sequence<PropertyName>) {
    self.init(names.compactMap(\.index))
  }

  func contains(_ number: Int) -> Bool { bits & (1 << UInt128(number)) != 0 }

  mutating func insert(_ number: Int) -> (inserted: Bool, memberAfterInsert: Int) {
    let isNew = !contains(number)
    bits |= 1 << UInt128(number)
    return (isNew, number)
  }

  mutating func remove(_ number: Int) -> Int? {
    guard contains(number) else { return nil }
    bits &= ~(1 << UInt128(number))
    return number
  }

  mutating func update(with number: Int) -> Int? {
    insert(number).inserted ? nil : number
  }

  func union(_ other: Self) -> Self { Self(bits: bits | other.bits) }
  func intersection(_ other: Self) -> Self { Self(bits: bits & other.bits) }
  func symmetricDifference(_ other: Self) -> Self { Self(bits: bits ^ other.bits) }
  mutating func formUnion(_ other: Self) { bits |= other.bits }
  mutating func formIntersection(_ other: Self) { bits &= other.bits }
  mutating func formSymmetricDifference(_ other: Self) { bits ^= other.bits }
}
