// SPDX-License-Identifier: Apache-2.0

/// Compares the value types of RECURRENCE-ID with those of DTSTART in the main components, whichever
/// of them comes first, and finds overrides that recur although there is no main component
/// (RFC 5545 §3.8.4.4).
struct OverrideTypes: Sendable {
  /// The most items and the most overrides that are remembered.
  private let limit: Int
  /// The types of the main components' starts, by a hash of kind and UID; nil of one without a start.
  private var starts: [Int: ValueType?] = [:]
  /// Overrides that came before their main components, with what is wrong if the types differ.
  private var waiting: [Int: [(type: ValueType, diagnostic: Diagnostic)]] = [:]
  private var waitingCount = 0
  /// Overrides with a rule, until their main components come.
  private var recurring: [Int: Diagnostic] = [:]

  init(limit: Int) {
    self.limit = limit
  }

  /// What is wrong with a component, or with overrides of it that came before it.
  mutating func diagnostics(about component: Component) -> [Diagnostic] {
    guard [.event, .reminder, .journal].contains(component.name),
      let uid = component[.uid]?.text, !uid.isEmpty
    else { return [] }
    var hasher = Hasher()
    hasher.combine(component.name)
    hasher.combine(uid)
    let item = hasher.finalize()
    if let property = component[.recurrenceID] {
      if let rule = component[.rRule], recurring.count < limit, recurring[item] == nil {
        recurring[item] = Self.recurringOverride(rule)
      }
      return compare(property, item)
    }
    // Items are remembered as long as there is room; of others nothing is said.
    guard starts.count < limit else { return [] }
    guard let type = Self.type(of: component[.dtStart]) else {
      starts[item] = .some(nil)
      return []
    }
    starts[item] = type
    let found = waiting.removeValue(forKey: item) ?? []
    waitingCount -= found.count
    return found.filter { $0.type != type }.map(\.diagnostic)
  }

  /// What is wrong with overrides whose main components did not come.
  func finish() -> [Diagnostic] {
    starts.count < limit ? recurring.filter { starts[$0.key] == nil }.map(\.value) : []
  }

  private static func recurringOverride(_ rule: Property) -> Diagnostic {
    rule.diagnostic(
      aboutName: .warning, .ruleConflict,
      "expected no RRULE beside a RECURRENCE-ID whose series is missing, found one",
      reference: "RFC 5545 §3.8.4.4")
  }

  private mutating func compare(_ property: Property, _ item: Int) -> [Diagnostic] {
    guard let type = Self.type(of: property) else { return [] }
    if let start = starts[item], start == nil || start == type { return [] }
    let other: ValueType = type == .date ? .dateTime : .date
    let diagnostic = property.diagnostic(
      .error, .timeType,
      "expected RECURRENCE-ID to be a \(other.rawValue) as DTSTART of the series is, found a "
        + type.rawValue, reference: "RFC 5545 §3.8.4.4")
    if starts[item] != nil { return [diagnostic] }
    guard waitingCount < limit else { return [] }
    waitingCount += 1
    waiting[item, default: []].append((type, diagnostic))
    return []
  }

  /// The type of a time; nil if it cannot be read.
  private static func type(of property: Property?) -> ValueType? {
    switch property?.typedValues.first {
    case .date?: .date
    case .dateTime?: .dateTime
    default: nil
    }
  }
}
