// SPDX-License-Identifier: Apache-2.0

/// What the tables say, in the form that asks least of the machine: the checks run over every file
/// that is imported, and nearly all of what they look at is as it should be.
struct CheckPlan: Sendable {
  /// What is looked at first of a property.
  struct Step: Sendable {
    /// The components in which it may stand once.
    let once: ComponentSet
    /// The components in which it may stand at all.
    let anywhere: ComponentSet
    /// Whether its value has to be read: that of a text says nothing about rules.
    let needsValue: Bool
    /// Whether its value is one text, in which commas and semicolons are escaped.
    let isText: Bool
  }

  /// What is looked at first of a parameter.
  struct ParameterStep: Sendable {
    /// The properties that may have it; all if nil.
    let properties: PropertySet?
    /// Whether any single value will do.
    let isPlain: Bool
  }

  /// The steps of the properties, in the order of `PropertyTable`.
  let properties = PropertyTable.rows.map { row in
    Step(
      once: row.one.union(row.upToOne), anywhere: row.one.union(row.upToOne).union(row.any),
      needsValue: row.valueType != .text || row.limit != nil,
      isText: row.valueType == .text && row.separator == nil && row.limit == nil)
  }
  /// The steps of the parameters, in the order of `ParameterTable`.
  let parameters = ParameterTable.rows.map { row in
    ParameterStep(
      properties: row.properties.isEmpty ? nil : PropertySet(names: row.properties),
      isPlain: row.content == .text && row.name != "PARTSTAT")
  }
  /// What a component must have, in the order of `ComponentTable`.
  let required = ComponentTable.rows.map { PropertySet(names: $0.required) }
  /// Pairs that exclude each other, in the order of `ComponentTable`.
  let exclusive = ComponentTable.rows.map { PropertySet(names: $0.exclusive) }
  /// Properties whose VALUE parameter must be there (RFC 7986 §5, RFC 9073 §6.5, RFC 9253 §8.2), and
  /// RELATED-TO and REQUEST-STATUS.
  let extended = PropertySet(names: [
    .refreshInterval, .image, .conference, .styledDescription, .structuredData, .link, .relatedTo,
    .requestStatus,
  ])
  /// Properties that must go together where there are several of them.
  let distinct = PropertySet(names: [.name, .descriptionText, .styledDescription, .requestStatus])
  /// Properties that `checkTimes` looks at.
  let times = PropertySet(names: [.dtStart, .dtEnd, .due, .duration])

  /// Texts that name something, and are compared letter by letter with what other files say.
  let names = PropertySet(names: [.uid, .tzID, .relatedTo, .tzIDAliasOf])

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

  /// The number of a property that is in the table.
  private static func number(_ name: PropertyName) -> Int {
    guard let index = name.index else { preconditionFailure("PropertyTable has a row for \(name)") }
    return index
  }
}
