// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICUServices

extension PhraseParser {
  /// Takes `for` with a duration; nil if the tokens are none.
  mutating func takeDuration() throws(DatePhraseError) -> PhraseDuration? {
    let start = tokens
    guard take(.for) != nil else { return nil }
    // "for Ana" belongs to the title.
    if tokens.isEmpty || isDurationStart { return try duration() }
    tokens = start
    return nil
  }

  /// Takes a duration in hours or minutes after a time, as in `15:00 2h`; nil if the tokens are none.
  mutating func takeDurationAfterTime() throws(DatePhraseError) -> PhraseDuration? {
    // "15h 2h" has two times where the language writes hours so.
    if tokens.first?.number != nil, let mark = language.vocabulary.match(.mark, tokens.dropFirst()),
      !["hours", "hrs"].contains(token(after: 1)?.word), mark.count > 0
    {
      return nil
    }
    let start = tokens
    if isDurationStart, let unit = firstUnit, unit == .hour || unit == .minute {
      let duration = try duration()
      if duration.days == 0 { return duration }
    }
    tokens = start
    return nil
  }

  /// Takes a duration that is the whole text; nil if the text is none.
  mutating func takeWholeDuration() throws(DatePhraseError) -> PhraseDuration? {
    guard isDurationStart else { return nil }
    let duration = try duration()
    return tokens.isEmpty ? duration : nil
  }

  /// The unit of the number at the start of the tokens.
  private var firstUnit: DateWords.Unit? {
    var rest = self
    if rest.takeFraction() != nil { return .hour }
    return rest.takeCount() == nil ? nil : rest.takeUnit()
  }

  /// Takes a length with a fraction of an hour, in minutes: `half an hour`, `an hour and a half`,
  /// `zweieinhalb Stunden`; nil if the tokens are none.
  mutating func takeFraction() -> Int? {
    let start = tokens
    if let minutes = takeLength() { return minutes }
    if let halves = take(.halves).flatMap(Int.init), takeUnit() == .hour { return halves * 30 }
    tokens = start
    if let count = takeCount(), 0...Self.hourLimit ~= count {
      if count == 1, let minutes = takeLength() { return minutes }
      let isHalf = takeSign("½") || take(.andHalf) != nil
      if takeUnit() == .hour, isHalf || take(.andHalf) != nil { return count * 60 + 30 }
    }
    tokens = start
    return nil
  }

  /// The maximum number of hours before a half.
  static let hourLimit = 10_000

  private mutating func takeLength() -> Int? {
    guard let minutes = take(.length).flatMap(Int.init) else { return nil }
    return minutes == 60 && take(.andHalf) != nil ? 90 : minutes
  }

  private var isDurationStart: Bool {
    var rest = self
    if let first = tokens.first, first.length > 0, case .number = first.kind { return true }
    if rest.peekWord(["pt", "p"]) || rest.takeFraction() != nil { return true }
    return rest.takeCount() != nil && rest.takeUnit() != nil
  }

  /// Parses the duration after `for`: `1h30m`, `1.5 hours`, `2 days`, `1:30` or `PT45M`.
  private mutating func duration() throws(DatePhraseError) -> PhraseDuration {
    var duration = PhraseDuration(column: column)
    if takeStandardDuration(into: &duration) { return duration }
    let start = tokens
    var isEmpty = true
    while true {
      let before = tokens
      let hasAnd = !isEmpty && take(.and) != nil
      guard isEmpty || isDurationStart, try takePart(of: &duration, since: start) else {
        if hasAnd { tokens = before }
        break
      }
      isEmpty = false
    }
    guard !isEmpty else { throw unexpected("a duration such as 45m or 2 hours") }
    _ = take(.lasting)
    guard duration.days > 0 || duration.seconds > 0 else {
      throw DatePhraseError(
        .invalid, column: duration.column,
        "expected a positive duration, found \"\(text(since: start))\"")
    }
    return duration
  }

  /// Takes a duration in the format of RFC 5545.
  private mutating func takeStandardDuration(into duration: inout PhraseDuration) -> Bool {
    guard let word = tokens.first?.word, word.hasPrefix("p") else { return false }
    let count = tokens.dropFirst().prefix { !$0.isSpaced }.count + 1
    guard let value = try? CivilDuration(parsing: source(of: tokens.prefix(count)).uppercased()),
      value.nominalDays <= PhraseDuration.limit, value.exactSeconds <= PhraseDuration.limit,
      value.nominalDays > 0 || value.exactSeconds > 0
    else { return false }
    duration.days = value.nominalDays
    duration.seconds = Int(value.exactSeconds)
    tokens = tokens.dropFirst(count)
    return true
  }

  /// Takes a number with its unit; false if there is none.
  private mutating func takePart(
    of duration: inout PhraseDuration, since start: ArraySlice<PhraseToken>
  ) throws(DatePhraseError) -> Bool {
    let before = tokens
    if let minutes = takeFraction() { return duration.add(minutes, .minute) }
    guard let (number, tenths) = takeNumber() else { return false }
    if tenths == nil, let minutes = takeColonMinutes() {
      return duration.add(number, .hour) && duration.add(minutes, .minute)
    }
    guard let unit = takeUnit() ?? takeUnitAfterHours(since: start) else {
      guard duration.days > 0 || duration.seconds > 0 else {
        throw unexpected("a unit such as minutes or hours")
      }
      tokens = before
      return false
    }
    var isValid = duration.add(number, unit)
    if let tenths {
      // Six minutes are a tenth of an hour.
      isValid = isValid && unit == .hour && duration.add(tenths * 6, .minute)
    }
    guard isValid else {
      throw DatePhraseError(
        .invalid, column: duration.column,
        "expected a duration in minutes, hours, days or weeks, found \"\(text(since: start))\"")
    }
    return true
  }

  /// Takes the minutes of `1:30`.
  private mutating func takeColonMinutes() -> Int? {
    guard peekSign(":"), let digits = token(after: 1), digits.length == 2, !digits.isSpaced,
      let number = digits.number, number < 60
    else { return nil }
    tokens = tokens.dropFirst(2)
    return number
  }

  /// Takes a number, with the tenths after its point; a word before a unit is a number, too.
  private mutating func takeNumber() -> (Int, tenths: Int?)? {
    guard let first = tokens.first, case .number = first.kind else {
      let start = tokens
      if let number = takeCount(), takeUnit() != nil {
        tokens = start
        _ = takeCount()
        return (number, nil)
      }
      tokens = start
      return nil
    }
    guard let number = first.number else { return nil }
    tokens.removeFirst()
    guard let point = tokens.first, point.isSign(".") || point.isSign(","), !point.isSpaced,
      let digit = token(after: 1), digit.length == 1, !digit.isSpaced, let tenths = digit.number
    else { return (number, nil) }
    tokens = tokens.dropFirst(2)
    return (number, tenths)
  }

  /// Takes the name of a unit.
  mutating func takeUnit() -> DateWords.Unit? {
    if let value = take(.unit), let unit = DateWords.Unit(rawValue: value) { return unit }
    guard let word = tokens.first?.word, let unit = language.units[word] else { return nil }
    tokens.removeFirst()
    return unit
  }

  /// The unit of the minutes in `1h30`.
  private func takeUnitAfterHours(since start: ArraySlice<PhraseToken>) -> DateWords.Unit? {
    let taken = start.prefix(start.count - tokens.count)
    guard taken.count == 3, taken.last?.isSpaced == false,
      let word = taken.dropFirst().first?.word, language.units[word] == .hour
    else { return nil }
    return .minute
  }
}
