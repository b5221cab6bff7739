// SPDX-License-Identifier: Apache-2.0

/// Which values a property may have where its type alone allows more, one row a property.
enum ValueRange {
  /// What a property's values are limited to.
  struct Row: Sendable {
    let reference: String
    private let words: [String]
    private let numbers: ClosedRange<Int>?

    fileprivate init(_ section: String, words: [String] = [], numbers: ClosedRange<Int>? = nil) {
      reference = "RFC 5545 §\(section)"
      self.words = words
      self.numbers = numbers
    }

    /// What is wrong with a value, or nil if nothing is.
    ///
    /// Words that no list knows are allowed where the RFC allows `x-name` and IANA tokens, and are
    /// then not in the table.
    func objection(to value: Value) -> String? {
      switch value {
      case .integer(let number):
        guard let numbers, !numbers.contains(number) else { return nil }
        return "expected a number from \(numbers.lowerBound) through \(numbers.upperBound), "
          + "found \(number)"
      case .text(let word):
        guard !words.isEmpty, !words.contains(word.asciiUppercased) else { return nil }
        return "expected \(words.joined(separator: " or ")), found \"\(word)\""
      default: return nil
      }
    }
  }

  private static let rows: [PropertyName: Row] = [
    .priority: Row("3.8.1.9", numbers: 0...9),
    .percentComplete: Row("3.8.1.8", numbers: 0...100),
    .sequence: Row("3.8.7.4", numbers: 0...Int(Int32.max)),
    .repeatCount: Row("3.8.6.2", numbers: 0...Int(Int32.max)),
    .calscale: Row("3.7.1", words: ["GREGORIAN"]),
    .transparency: Row("3.8.2.7", words: ["OPAQUE", "TRANSPARENT"]),
  ]

  /// The limits of a property in a component, or nil if its type says everything.
  static func row(for name: PropertyName, in component: ComponentName) -> Row? {
    switch name {
    case .status: states(of: component)
    case .version: component == .calendar ? Row("3.7.4", words: ["2.0"]) : nil
    default: rows[name]
    }
  }

  /// The states of each kind of component (RFC 5545 §3.8.1.11).
  private static func states(of component: ComponentName) -> Row? {
    switch component {
    case .event: Row("3.8.1.11", words: ["TENTATIVE", "CONFIRMED", "CANCELLED"])
    case .reminder:
      Row("3.8.1.11", words: ["NEEDS-ACTION", "COMPLETED", "IN-PROCESS", "CANCELLED"])
    case .journal: Row("3.8.1.11", words: ["DRAFT", "FINAL", "CANCELLED"])
    default: nil
    }
  }

  /// Properties whose time must be in UTC.
  static let inUTC: Set<PropertyName> = [
    .dtStamp, .created, .lastModified, .completed, .acknowledged,
  ]
}
