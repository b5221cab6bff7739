// SPDX-License-Identifier: Apache-2.0

public import CivilTime
package import Recurrence

/// The recurrence of an item, as users write it.
///
/// The text is `daily`, `weekly`, `monthly`, `yearly`, `weekdays`, `every 2 weeks`, a rule such as
/// `FREQ=MONTHLY;BYDAY=-1FR` (RFC 5545 §3.3.10), or `never`.
public struct Repetition: Hashable, Sendable {
  /// The text; nil for the rule that the item has.
  public var text: String?
  /// The number of occurrences; nil to keep the end of the rule.
  public var count: Int?
  /// The date or time of the last occurrence; nil to keep the end of the rule.
  public var until: Moment?
  /// Whether the rule has no end, also if that of the item has one.
  public var isEndless = false
  /// The first day of a week, which several weekdays every few weeks depend on.
  ///
  /// A text that is a rule states its own.
  public var weekStart = Weekday.monday

  /// Creates a recurrence.
  ///
  /// - Parameters:
  ///   - text: The text; nil for the rule that the item has.
  ///   - count: The number of occurrences, from 1.
  ///   - until: The date or time of the last occurrence.
  public init(_ text: String?, count: Int? = nil, until: Moment? = nil) {
    self.text = text
    self.count = count
    self.until = until
  }
}

extension Repetition {
  /// The words that remove the recurrence.
  private static let noWords = ["never", "none", "no", ""]

  /// Whether the text removes the recurrence.
  package var isNone: Bool { text.map { Self.noWords.contains($0.lowercased()) } ?? false }

  /// The rule of a text in words, or of a rule.
  ///
  /// - Throws: `DatePhraseError` if it is neither, or has an end of its own.
  package static func rule(of text: String) throws(DatePhraseError) -> RecurrenceRule {
    func invalid(_ message: String) -> DatePhraseError {
      DatePhraseError(.invalid, column: 1, message)
    }
    let phrase: RepetitionPhrase?
    do throws(DatePhraseError) {
      phrase = try RepetitionPhrase.parsed(text, .english)
    } catch {
      throw invalid("the recurrence \"\(text)\": \(error.message)")
    }
    guard phrase?.count == nil, phrase?.until == nil else {
      throw invalid("the end of the recurrence \"\(text)\" is stated beside it, not in it")
    }
    var source = phrase?.ruleText
    if source == nil, text.contains("=") {
      source = text.uppercased().hasPrefix("RRULE:") ? String(text.dropFirst(6)) : text
    }
    guard let source else {
      throw invalid(
        "expected daily, weekly, monthly, yearly, weekdays, \"every 2 weeks\", \"every mon and "
          + "thu\" or a rule such as FREQ=MONTHLY;BYDAY=-1FR, found \"\(text)\"")
    }
    do throws(RecurrenceRuleIssue) {
      return try RecurrenceRule(parsing: source)
    } catch {
      throw invalid("the recurrence \"\(text)\": \(error)")
    }
  }

  /// The repetition of a text or a rule; nil if no phrase describes it.
  static func phrase(of text: String) -> RepetitionPhrase? {
    (try? rule(of: text)).flatMap { RepetitionPhrase($0) }
  }

  /// The text for a rule, which parses to the same rule.
  package static func text(of rule: RecurrenceRule) -> String {
    let hasEnd = rule.count != nil || rule.until != nil
    return hasEnd ? "\(rule)" : RepetitionPhrase(rule)?.text ?? "\(rule)"
  }
}
