// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime

/// A condition on items, as users write it.
///
/// ```
/// calendar:work and attendee~ana and start>=mon
/// (category:travel or location~airport) and not status:cancelled
/// kind:reminder and due<tomorrow and priority:high
/// ```
///
/// - A word alone, or a text in quotes, is contained in the title, the location or the description.
/// - A field, an operator and a value compare a field of ``QueryField`` by a ``QueryOperator``.
/// - `has:` with a field requires any value.
/// - `and`, `or`, `not` and parentheses combine conditions. `and` may be omitted, and binds more
///   strongly than `or`.
///
/// A value with spaces or parentheses is quoted, by `"…"`, `'…'` or `“…”`: `start>="next monday"`. In
/// quotes, `\"` is a quote and `\\` a backslash. Values of dates are phrases of ``DatePhrases``; without
/// quotes, they have as many of the next words as make a date: `due<dec 10`. A day or a period is a range: `start:fri` is any time of that day, `start>fri` is after it, and
/// `start>=fri` includes it.
///
/// ``description`` is the canonical form, with each date resolved; it is a query with the same
/// meaning.
public struct ItemQuery: Hashable, Sendable, CustomStringConvertible {
  /// A condition.
  indirect enum Node: Hashable, Sendable {
    case all([Node])
    case any([Node])
    case not(Node)
    /// The title, the location or the description contains a text.
    case text(FoldedText)
    case test(QueryField, QueryOperator, QueryValue)
    case has(QueryField)
  }

  private(set) var root: Node

  /// Parses a query.
  ///
  /// - Parameters:
  ///   - text: The query.
  ///   - phrases: The parser of dates, which defines today.
  /// - Throws: `QueryError` at the first unexpected part.
  public init(parsing text: String, phrases: DatePhrases) throws(QueryError) {
    var parser = try QueryParser(text, phrases)
    root = try parser.parse()
  }

  /// The query in which the title of a calendar, or its name without the account, stands for the
  /// name.
  ///
  /// - Parameter titles: The titles of the calendars by their names.
  /// - Returns: The query.
  package func namingCalendars(_ titles: [String: String]) -> ItemQuery {
    var query = self
    query.root = root.namingCalendars(titles)
    return query
  }

  /// The canonical form.
  public var description: String { root.text(isNested: false) }

  /// Whether the query compares the start, the end or the due time.
  ///
  /// The result then differs between the occurrences of a series.
  public var dependsOnTime: Bool { root.dependsOnTime }
}

/// A value of a query.
enum QueryValue: Hashable, Sendable {
  case text(FoldedText)
  case date(DateSpan)
  /// Priorities, with the word for them.
  case priority(ClosedRange<Int>, String)
  case kind(ItemKind, String)
  case flag(Bool)

  /// The canonical form.
  var text: String {
    switch self {
    case .text(let text): QueryText.quoted(text.text)
    case .date(let span): QueryText.quoted(span.reading)
    case .priority(_, let word), .kind(_, let word): word
    case .flag(let flag): flag ? "yes" : "no"
    }
  }
}

extension ItemQuery.Node {
  /// The canonical form; an alternative inside of another condition is in parentheses.
  fileprivate func text(isNested: Bool) -> String {
    switch self {
    case .all(let nodes):
      let text = nodes.map { $0.text(isNested: true) }.joined(separator: " and ")
      return text
    case .any(let nodes):
      let text = nodes.map { $0.text(isNested: false) }.joined(separator: " or ")
      return isNested ? "(\(text))" : text
    case .not(.all(let nodes)): return "not (\(Self.all(nodes).text(isNested: false)))"
    case .not(let node): return "not \(node.text(isNested: true))"
    case .text(let text): return QueryText.quoted(text.text, isAlone: true)
    case .test(let field, let relation, let value):
      return field.rawValue + relation.rawValue + value.text
    case .has(let field): return "has:\(field.rawValue)"
    }
  }

  fileprivate var dependsOnTime: Bool {
    switch self {
    case .all(let nodes), .any(let nodes): nodes.contains(where: \.dependsOnTime)
    case .not(let node): node.dependsOnTime
    case .test(let field, _, _): field == .start || field == .end || field == .due
    case .text, .has: false
    }
  }
}

/// The notation of texts in queries.
enum QueryText {
  static let keywords: Set<String> = ["and", "or", "not"]

  /// The text, in quotes if it would otherwise be read as something else.
  ///
  /// A text that stands alone, without a field, needs quotes for more characters.
  static func quoted(_ text: String, isAlone: Bool = false) -> String {
    let isPlain = text.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || "0"..."9" ~= $0 || $0 == "-" || $0 == "_" || $0 == "."
        || (!isAlone && ($0 == "@" || $0 == "+"))
    }
    if isPlain, !text.isEmpty, !keywords.contains(text.lowercased()) { return text }
    // Scalars, because a combining mark after a quote would form one character with it.
    var quoted = String.UnicodeScalarView("\"".unicodeScalars)
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { quoted.append("\\") }
      quoted.append(scalar)
    }
    quoted.append("\"")
    return String(quoted)
  }
}

extension ItemQuery.Node {
  /// The condition in which the title of a calendar stands for the name, too.
  fileprivate func namingCalendars(_ titles: [String: String]) -> ItemQuery.Node {
    switch self {
    case .all(let nodes): return .all(nodes.map { $0.namingCalendars(titles) })
    case .any(let nodes): return .any(nodes.map { $0.namingCalendars(titles) })
    case .not(let node): return .not(node.namingCalendars(titles))
    case .text, .has: return self
    case .test(.calendar, .unequal, let value):
      return .not(ItemQuery.Node.test(.calendar, .equal, value).namingCalendars(titles))
    case .test(.calendar, let relation, .text(let text)):
      let names = titles.filter { name, title in
        let short = name.split(separator: "/").last.map(String.init) ?? name
        return [title, short].contains {
          relation == .contains ? text.isContained(in: $0) : text.equals($0)
        }
      }.keys.sorted()
      guard !names.isEmpty else { return self }
      return .any(
        [self] + names.map { .test(.calendar, .equal, .text(FoldedText($0))) })
    case .test: return self
    }
  }
}
