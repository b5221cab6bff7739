// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// Parses a query.
///
/// ```
/// query     = terms { "or" terms }
/// terms     = term { ["and"] term }
/// term      = "not" term | "(" query ")" | [field operator] value
/// ```
struct QueryParser {
  /// The maximum length of a query in bytes.
  static let lengthLimit = 10_000
  /// The maximum depth of parentheses and negations.
  static let depthLimit = 50

  private let phrases: DatePhrases
  private let characters: [Unicode.Scalar]
  private var index = 0
  /// The column of the next character, from 1.
  private var column = 1
  private var depth = 0

  init(_ text: String, _ phrases: DatePhrases) throws(QueryError) {
    guard text.utf8.count <= Self.lengthLimit else {
      throw QueryError(
        .limit, column: Self.lengthLimit + 1,
        "expected a query of at most \(Self.lengthLimit) bytes")
    }
    self.phrases = phrases
    characters = Array(text.unicodeScalars)
  }

  /// Parses the whole text.
  mutating func parse() throws(QueryError) -> ItemQuery.Node {
    let node = try alternatives()
    skipSpace()
    guard peek == nil else { throw unexpected("\"and\", \"or\" or the end") }
    return node
  }

  private mutating func alternatives() throws(QueryError) -> ItemQuery.Node {
    var nodes = [try terms()]
    while takeKeyword("or") { nodes.append(try terms()) }
    return nodes.count == 1 ? nodes[0] : .any(nodes.flatMap(\.alternatives))
  }

  private mutating func terms() throws(QueryError) -> ItemQuery.Node {
    var nodes = [try term()]
    while true {
      let hasAnd = takeKeyword("and")
      skipSpace()
      // A term consumes at least a character.
      guard hasAnd || (peek != nil && peek != ")" && !isKeyword("or")) else { break }
      nodes.append(try term())
    }
    return nodes.count == 1 ? nodes[0] : .all(nodes.flatMap(\.conditions))
  }

  private mutating func term() throws(QueryError) -> ItemQuery.Node {
    skipSpace()
    guard let character = peek else { throw unexpected("a word or a field") }
    if takeKeyword("not") {
      return try nested { (parser) throws(QueryError) in .not(try parser.term()) }
    }
    guard character == "(" else {
      guard character != ")", !isKeyword("or"), !isKeyword("and") else {
        throw unexpected("a word or a field")
      }
      return try condition()
    }
    advance()
    let node = try nested { (parser) throws(QueryError) in try parser.alternatives() }
    skipSpace()
    guard peek == ")" else { throw unexpected("\")\"") }
    advance()
    return node
  }

  private mutating func nested(
    _ body: (inout QueryParser) throws(QueryError) -> ItemQuery.Node
  ) throws(QueryError) -> ItemQuery.Node {
    guard depth < Self.depthLimit else {
      throw QueryError(
        .limit, column: column, "expected at most \(Self.depthLimit) nested conditions")
    }
    depth += 1
    defer { depth -= 1 }
    return try body(&self)
  }

  // MARK: Conditions

  private mutating func condition() throws(QueryError) -> ItemQuery.Node {
    let start = column
    if let name = takeField() {
      let isHas = name.lowercased() == "has"
      guard let field = QueryField(named: name) ?? (isHas ? .title : nil) else {
        let near = Suggestion.nearest(to: name, among: QueryField.names)
        throw QueryError(
          .field, column: start,
          "there is no field \"\(name)\"" + (near.map { "; did you mean \"\($0)\"?" } ?? ""))
      }
      return isHas ? try existence() : try comparison(of: field)
    }
    let (word, offset) = try value("a word")
    if offset == 0 { try expectNoOperator(in: word, column: start) }
    return .text(FoldedText(word))
  }

  /// Rejects operators of other query languages, which would be searched as words.
  ///
  /// A single `&` is a word of titles.
  private func expectNoOperator(in word: String, column: Int) throws(QueryError) {
    let field = word.prefix { $0.isLetter }
    let rest = word[field.endIndex...]
    let signs = rest.prefix { "!=<>~|&^".contains($0) }
    guard !signs.isEmpty, word != "&" else { return }
    if !field.isEmpty {
      guard rest != "!", let known = QueryField(named: String(field)) else { return }
      let operators = QueryOperator.allCases.filter { $0.isSupported(by: known.valueType) }
      throw QueryError(
        .field, column: column + field.utf8.count,
        "expected one of \(operators.map(\.rawValue).joined(separator: " ")) after "
          + "\"\(known.rawValue)\", found \"\(signs)\"")
    }
    guard signs == rest || signs == "!" else { return }
    throw QueryError(
      .syntax, column: column,
      "expected \"and\", \"or\", \"not\" or a word, found \"\(signs)\"; in quotes, it is a word")
  }

  private mutating func existence() throws(QueryError) -> ItemQuery.Node {
    guard let relation = takeOperator(), relation == .equal else {
      throw unexpected("\":\" and a field")
    }
    let start = column
    let name = try value("a field").text
    guard let field = QueryField(named: name) else {
      let near = Suggestion.nearest(to: name, among: QueryField.names)
      throw QueryError(
        .field, column: start,
        "there is no field \"\(name)\"" + (near.map { "; did you mean \"\($0)\"?" } ?? ""))
    }
    return .has(field)
  }

  private mutating func comparison(of field: QueryField) throws(QueryError) -> ItemQuery.Node {
    let start = column
    guard let relation = takeOperator() else { throw unexpected("an operator") }
    guard relation.isSupported(by: field.valueType) else {
      let operators = QueryOperator.allCases.filter { $0.isSupported(by: field.valueType) }
      throw QueryError(
        .field, column: start,
        "expected one of \(operators.map(\.rawValue).joined(separator: " ")) after "
          + "\"\(field.rawValue)\", found \"\(relation.rawValue)\"")
    }
    skipSpace()
    let place = column
    var (text, offset) = try value("a value of \"\(field.rawValue)\"")
    if offset == 0, let sign = text.first, "=~<>!|&".contains(sign) {
      throw QueryError(
        .value, column: place,
        "expected a value of \"\(field.rawValue)\", found \"\(text)\"; in quotes, it is one")
    }
    if field.valueType == .date, offset == 0 { takeRest(of: &text) }
    return .test(field, relation, try typed(text, field, relation, column: place + offset))
  }

  private func typed(
    _ text: String, _ field: QueryField, _ relation: QueryOperator, column: Int
  ) throws(QueryError) -> QueryValue {
    func invalid(_ expected: String) -> QueryError {
      QueryError(.value, column: column, "expected \(expected), found \"\(text)\"")
    }
    switch field.valueType {
    case .text:
      // Other programs may define their own values (RFC 5545 §3.8.1.3).
      guard relation != .contains, !text.lowercased().hasPrefix("x-"),
        let words = Self.words[field]
      else { return .text(FoldedText(text)) }
      guard let word = words.meanings[text.lowercased()] else { throw invalid(words.expected) }
      return .text(FoldedText(word))
    case .date:
      do throws(DatePhraseError) {
        return .date(try phrases.span(text))
      } catch {
        throw QueryError(.value, column: column + error.column - 1, error.message)
      }
    case .priority:
      if let number = Int(text), 0...9 ~= number { return .priority(number...number, "\(number)") }
      let isEquality = relation == .equal || relation == .unequal
      guard isEquality, let range = Self.priorities[text.lowercased()] else {
        throw invalid(
          isEquality
            ? "a number from 0 through 9, high, medium, low or none"
            : "a number from 0 through 9")
      }
      return .priority(range, text.lowercased())
    case .kind:
      let kinds: [String: (ItemKind, String)] = [
        "event": (.event, "event"), "reminder": (.reminder, "reminder"),
        "todo": (.reminder, "reminder"), "task": (.reminder, "reminder"),
        "journal": (.journal, "journal"),
      ]
      guard let (kind, word) = kinds[text.lowercased()] else {
        throw invalid("event, reminder or journal")
      }
      return .kind(kind, word)
    case .flag:
      switch text.lowercased() {
      case "yes", "true", "1": return .flag(true)
      case "no", "false", "0": return .flag(false)
      default: throw invalid("yes or no")
      }
    }
  }

  /// The words for values of fields that have only some, with what they mean.
  private static let words: [QueryField: (expected: String, meanings: [String: String])] = [
    .status: (
      "open, started, done, cancelled, confirmed, tentative, draft or final",
      [
        "open": "needs-action", "needs-action": "needs-action", "started": "in-process",
        "in-process": "in-process", "done": "completed", "completed": "completed",
        "cancelled": "cancelled", "canceled": "cancelled", "confirmed": "confirmed",
        "tentative": "tentative", "draft": "draft", "final": "final",
      ]
    ),
    .class: (
      "public, private or confidential",
      ["public": "public", "private": "private", "confidential": "confidential"]
    ),
  ]

  /// The priorities of words, as in RFC 5545 §3.8.1.9.
  private static let priorities = [
    "high": 1...4, "medium": 5...5, "low": 6...9, "none": 0...0,
  ]
}

// MARK: Characters

extension QueryParser {
  private var peek: Unicode.Scalar? { index < characters.count ? characters[index] : nil }

  private mutating func advance() {
    column += UTF8.width(characters[index])
    index += 1
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }

  private mutating func skipSpace() {
    while let character = peek, character.properties.isWhitespace { advance() }
  }

  private static func isWordEnd(_ character: Unicode.Scalar) -> Bool {
    character.properties.isWhitespace || character == "(" || character == ")"
  }

  /// Whether the next word is a keyword.
  private func isKeyword(_ keyword: String) -> Bool {
    let rest = characters[index...].prefix(keyword.count + 1)
    guard Self.text(rest.prefix(keyword.count)).lowercased() == keyword else { return false }
    return rest.count == keyword.count || rest.last.map(Self.isWordEnd) == true
  }

  private mutating func takeKeyword(_ keyword: String) -> Bool {
    skipSpace()
    guard isKeyword(keyword) else { return false }
    for _ in 0..<keyword.count { advance() }
    return true
  }

  /// Takes a name before an operator; nil if there is none.
  ///
  /// White space may precede the operator only after the name of a field.
  private mutating func takeField() -> String? {
    let (start, startColumn) = (index, column)
    while let character = peek, character.properties.isAlphabetic, index - start < 40 { advance() }
    let name = Self.text(characters[start..<index])
    let isSpaced = peek?.properties.isWhitespace == true
    skipSpace()
    let isKnown = QueryField(named: name) != nil
    let isOperator = operatorAhead.map { !isSpaced || (isKnown && $0.text != ":") } ?? false
    guard !name.isEmpty, isOperator else {
      (index, column) = (start, startColumn)
      return nil
    }
    return name
  }

  /// The operator at the current position.
  private var operatorAhead: (text: String, relation: QueryOperator)? {
    let two = Self.text(characters[index...].prefix(2))
    if let relation = QueryOperator(rawValue: two) { return (two, relation) }
    if two.hasPrefix("=") { return ("=", .equal) }
    let one = String(two.prefix(1))
    return QueryOperator(rawValue: one).map { (one, $0) }
  }

  private mutating func takeOperator() -> QueryOperator? {
    guard let (text, relation) = operatorAhead else { return nil }
    for _ in 0..<text.count { advance() }
    return relation
  }

  /// The maximum number of words of a date without quotes.
  private static let dateLimit = 6

  /// Adds the next words to a date, as many of them as make a date together: `due<dec 10`.
  private mutating func takeRest(of text: inout String) {
    let start = (index, column)
    var found: (text: String, place: (Int, Int))?
    var whole = text
    for _ in 1..<Self.dateLimit {
      skipSpace()
      guard let first = peek, !Self.isWordEnd(first), Self.quotes[first] == nil,
        !["and", "or", "not"].contains(where: isKeyword)
      else { break }
      let place = (index, column)
      let isField = takeField() != nil
      (index, column) = place
      guard !isField else { break }
      while let character = peek, !Self.isWordEnd(character) { advance() }
      whole += " " + Self.text(characters[place.0..<index])
      if (try? phrases.span(whole)) != nil { found = (whole, (index, column)) }
    }
    (index, column) = found?.place ?? start
    if let found { text = found.text }
  }

  /// Takes a word or a quoted text, with the number of bytes before its contents.
  private mutating func value(_ expected: String) throws(QueryError) -> (text: String, offset: Int)
  {
    guard let first = peek, !Self.isWordEnd(first) else { throw unexpected(expected) }
    guard let closing = try closingQuote(of: first) else {
      let start = index
      while let character = peek, !Self.isWordEnd(character) { advance() }
      return (Self.text(characters[start..<index]), 0)
    }
    var text: [Unicode.Scalar] = []
    advance()
    while index < closing, let character = peek {
      advance()
      if character == "\\", index < closing, let next = peek {
        text.append(next)
        advance()
      } else {
        text.append(character)
      }
    }
    advance()
    return (Self.text(text[...]), String(first).utf8.count)
  }

  /// The position of the quote that closes the text of an opening one; nil if the character opens none.
  ///
  /// A word may begin with an apostrophe, as in `'s morgens`.
  private func closingQuote(of opening: Unicode.Scalar) throws(QueryError) -> Int? {
    guard let closing = Self.quotes[opening] else { return nil }
    var place = index + 1
    while place < characters.count {
      let next = place + 1 < characters.count ? characters[place + 1] : nil
      if characters[place] == "\\" {
        place += 1
      } else if closing.contains(characters[place]),
        opening != "'" || next.map(Self.isWordEnd) ?? true
      {
        return place
      }
      place += 1
    }
    guard opening == "\"" else { return nil }
    throw QueryError(.syntax, column: column, "expected a closing quote, found the end")
  }

  /// The quotes that open a text, each with those that close it.
  private static let quotes: [Unicode.Scalar: Set<Unicode.Scalar>] = [
    "\"": ["\""], "'": ["'"], "\u{201C}": ["\u{201D}"], "\u{201E}": ["\u{201C}", "\u{201D}"],
  ]

  private func unexpected(_ expected: String) -> QueryError {
    guard let first = peek else {
      return QueryError(.syntax, column: column, "expected \(expected), found the end")
    }
    let word = characters[index...].prefix(40).prefix { !Self.isWordEnd($0) }
    return QueryError(
      .syntax, column: column,
      "expected \(expected), found \"\(word.isEmpty ? String(first) : Self.text(word))\"")
  }
}

extension ItemQuery.Node {
  /// The conditions of a conjunction, or the condition itself.
  fileprivate var conditions: [ItemQuery.Node] {
    if case .all(let nodes) = self { nodes } else { [self] }
  }

  /// The alternatives of a disjunction, or the condition itself.
  fileprivate var alternatives: [ItemQuery.Node] {
    if case .any(let nodes) = self { nodes } else { [self] }
  }
}
