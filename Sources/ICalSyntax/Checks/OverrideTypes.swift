// SPDX-License-Identifier: Apache-2.0

/// Checks overrides against their main components, in any order (RFC 5545 §3.8.4.4).
///
/// It compares the value types of RECURRENCE-ID and DTSTART, and finds overrides with a rule but
/// without a main component.
struct OverrideTypes: Sendable {
  /// The maximum number of stored items, and of stored overrides.
  private let limit: Int
  /// The value types of DTSTART in main components, by a hash of kind and UID; nil without DTSTART.
  private var starts: [Int: ValueType?] = [:]
  /// Overrides before their main components, with the diagnostic for different types.
  private var waiting: [Int: [(type: ValueType, diagnostic: Diagnostic)]] = [:]
  private var waitingCount = 0
  /// Overrides with a rule whose main components were not found yet.
  private var recurring: [Int: Diagnostic] = [:]

  init(limit: Int) {
    self.limit = limit
  }

  /// The problems of a component, and of earlier overrides of it.
  mutating func diagnostics(
    about component: Component, _ part: ExaminedComponent.ItemPart
  ) -> [Diagnostic] {
    let item = part.item
    if part.isOverride {
      if let rule = component[.rRule], recurring.count < limit, recurring[item] == nil {
        recurring[item] = Self.recurringOverride(rule)
      }
      return compare(component, part.type, item)
    }
    // Items beyond the limit are not checked.
    guard starts.count < limit else { return [] }
    guard let type = part.type else {
      starts[item] = .some(nil)
      return []
    }
    starts[item] = type
    guard !waiting.isEmpty else { return [] }
    let found = waiting.removeValue(forKey: item) ?? []
    waitingCount -= found.count
    return found.filter { $0.type != type }.map(\.diagnostic)
  }

  /// The problems of overrides without a main component.
  func finish() -> [Diagnostic] {
    starts.count < limit ? recurring.filter { starts[$0.key] == nil }.map(\.value) : []
  }

  private static func recurringOverride(_ rule: Property) -> Diagnostic {
    rule.diagnostic(
      aboutName: .warning, .ruleConflict,
      "expected no RRULE beside a RECURRENCE-ID whose series is missing, found one",
      reference: "RFC 5545 §3.8.4.4")
  }

  private mutating func compare(
    _ component: Component, _ type: ValueType?, _ item: Int
  ) -> [Diagnostic] {
    guard let type, let property = component[.recurrenceID] else { return [] }
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
}
