// SPDX-License-Identifier: Apache-2.0

/// The rules of the RFCs for components, one row each; `PropertyTable` has their properties.
public enum ComponentTable {
  /// The rules for one component.
  public struct Row: Hashable, Sendable {
    /// The name.
    public let name: ComponentName
    /// The components that may contain it.
    public let parents: ComponentSet
    /// Two mutually exclusive properties, or none.
    public let exclusive: [PropertyName]
    /// Whether properties that no RFC defines for the component are reported.
    ///
    /// The components of RFC 9073 are new, and other RFCs may use more properties in them: RFC 9074
    /// §8 uses URL in a VLOCATION without defining it as an extension.
    public let isClosed: Bool
    /// The section that defines the component, such as `RFC 5545 §3.6.1`.
    public let reference: String
    /// The required properties, in the order of `PropertyTable`.
    public let required: [PropertyName]
  }

  /// Returns the row of a component, or nil if no supported RFC defines it.
  public static func row(for name: ComponentName) -> Row? {
    name.index.map { rows[$0] }
  }

  /// All rows, in the order of `ComponentVocabulary`.
  public static let rows: [Row] = [
    row(.calendar, [], rfc: "5545 §3.6"),
    row(.event, .calendar, exclusive: [.dtEnd, .duration], rfc: "5545 §3.6.1"),
    row(.reminder, .calendar, exclusive: [.due, .duration], rfc: "5545 §3.6.2"),
    row(.journal, .calendar, rfc: "5545 §3.6.3"),
    row(.freeBusy, .calendar, rfc: "5545 §3.6.4"),
    row(.timeZone, .calendar, rfc: "5545 §3.6.5"),
    row(.standard, .timeZone, rfc: "5545 §3.6.5"),
    row(.daylight, .timeZone, rfc: "5545 §3.6.5"),
    row(.alarm, [.event, .reminder], rfc: "5545 §3.6.6"),
    row(.availability, .calendar, exclusive: [.dtEnd, .duration], rfc: "7953 §3.1"),
    row(.available, .availability, exclusive: [.dtEnd, .duration], rfc: "7953 §3.1"),
    row(.participant, [.items, .freeBusy], isClosed: false, rfc: "9073 §7.1"),
    // In an alarm it is the place that triggers the alarm (RFC 9074 §8).
    row(
      .location, [.items, .freeBusy, .participant, .alarm], isClosed: false, rfc: "9073 §7.2"),
    row(.resource, [.items, .freeBusy, .participant], isClosed: false, rfc: "9073 §7.3"),
  ]

  private static func row(
    _ name: ComponentName, _ parents: ComponentSet, exclusive: [PropertyName] = [],
    isClosed: Bool = true, rfc: String
  ) -> Row {
    let component = ComponentSet(name)
    let required = PropertyTable.rows.filter { $0.occurrence(in: component) == .one }
    return Row(
      name: name, parents: parents, exclusive: exclusive, isClosed: isClosed,
      reference: "RFC \(rfc)", required: required.map { PropertyName($0.name) })
  }
}
