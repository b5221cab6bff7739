// SPDX-License-Identifier: Apache-2.0

import CivilTime

// The words of a command line: the title of a new item with its times, or the name of an item with a
// new time.

extension DateReading {
  /// Expects that words are not the rest of a date whose first word an option has, as in
  /// `--this wed 16 dec` and `--due tomorrow at noon`.
  ///
  /// - Parameters:
  ///   - options: The values of the options.
  ///   - words: The words beside them.
  ///   - hasTime: Whether a time of day among the words may be one of their own.
  /// - Throws: `EpactError` if the last words and an option are a date together.
  package func expectWhole(
    _ options: [String?], beside words: [String], withTime hasTime: Bool = true
  ) throws(EpactError) {
    for option in options.compactMap(\.self) where !option.contains(where: \.isWhitespace) {
      for place in words.indices where words.count - place <= Self.restLimit {
        let rest = words[place...].joined(separator: " ")
        // A number alone may be that of a chapter.
        guard rest.contains(where: \.isLetter) || !hasTime && isClockTime(rest),
          (try? span("\(option) \(rest)")) != nil
        else { continue }
        throw EpactError(
          .argument,
          "\"\(rest)\" may be the rest of the date \"\(option) \(rest)\", or words of their own",
          remedy: .other("Write a date of several words in quotation marks."))
      }
    }
  }

  /// The maximum number of words that may be the rest of a date.
  private static let restLimit = 6

  /// The title of words beside dates that options state.
  ///
  /// - Throws: `EpactError` without a title, or if the last words may belong to a date: `--start tomorrow
  ///   15:00` has a time outside of the option.
  package func title(
    ofWords words: [String], besideDates options: [String?]
  ) throws(EpactError) -> String {
    try expectWhole(options, beside: Array(words.dropFirst()))
    if words.count > 1, let last = words.last, isClockTime(last) {
      throw EpactError(
        .argument, "\"\(last)\" may be the time of the date, or the end of the title",
        remedy: .other("Write the date, or the title, in quotation marks."))
    }
    return try Self.title(of: words)
  }

  private static func title(of words: [String]) throws(EpactError) -> String {
    let title = words.joined(separator: " ")
    guard !title.isEmpty else { throw EpactError(.argument, "expected a title, found none") }
    return title
  }

  /// Takes the title, the dates, the repetition and the time zone of words.
  ///
  /// - Parameters:
  ///   - words: The words.
  ///   - details: The values of options, which get those of the words.
  ///   - end: The end that an option states.
  ///   - isDue: Whether the date is that on which a reminder is due.
  /// - Returns: The split of the words.
  /// - Throws: `EpactError` without a title, for an ambiguous date, for a word of time that
  ///   is not understood, and for words that contradict an option.
  @discardableResult
  package func take(
    _ words: [String], into details: inout ItemDetails, end: NewTime? = nil,
    isDue: Bool = false
  ) throws(EpactError) -> PhraseSplit {
    var options = SentenceOptions()
    (options.zone, options.repetition) = (details.zone, details.repetition)
    options.duration = details.duration
    if case .phrase(let phrase)? = end { options.end = phrase }
    options.isDue = isDue
    let split = try split(words, options)
    details.title = try Self.title(of: split.title)
    (details.zone, details.repetition) = (split.zone, split.repetition)
    guard let span = split.span else { return split }
    details.start = .moment(span.start)
    // A duration of an option replaces the end of a period, such as that of a day.
    details.end = details.duration == nil ? span.end.map { .moment($0) } : nil
    return split
  }

  /// The item that words name, and the new time in which they end.
  ///
  /// An item whose title begins with all words is meant as a whole. The time is the longest end of the
  /// words that is one.
  ///
  /// - Parameters:
  ///   - words: The words, of which the first one belongs to the name.
  ///   - hasTime: Whether an option states the time, so that all words are the name.
  ///   - find: Finds the item with a name.
  /// - Returns: The item, and the new time; nil for none.
  /// - Throws: The errors of `find`.
  package func itemAndTime(
    _ words: [String], hasTime: Bool, _ find: (String) throws -> FoundItem
  ) throws -> (FoundItem, NewTime?) {
    let whole = words.joined(separator: " ")
    guard words.count > 1, !hasTime else { return (try find(whole), nil) }
    if let named = try? find(whole),
      named.item.title.lowercased().hasPrefix(whole.lowercased())
    {
      return (named, nil)
    }
    for place in words.indices.dropFirst() {
      let end = words[place...].joined(separator: " ")
      guard let time = try? newTime(end), time != .removed else { continue }
      let name = words[..<place].joined(separator: " ")
      do {
        return (try find(name), time)
      } catch let error as EpactError
        where error.subject == name && error.remedy == nil && place > 1
      {
        // "dentist to friday" begins with the name of an item.
        break
      }
    }
    do {
      return (try find(whole), nil)
    } catch let error as EpactError where error.subject == whole && error.remedy == nil {
      for place in words.indices.dropFirst().reversed() {
        let name = words[..<place].joined(separator: " ")
        guard let found = try? find(name) else { continue }
        throw EpactError(
          .argument,
          "\"\(words[place...].joined(separator: " "))\" after \"\(found.item.title)\" is not read as "
            + "a new start",
          remedy: .other(
            "Options name each value: --start, --end, --for, --repeat, --until, --title, --at."))
      }
      throw error
    }
  }
}

extension ItemDetails {
  /// Sets the priority to one that a word or a number names; nil changes nothing.
  ///
  /// - Throws: `EpactError` if the word is no priority.
  package mutating func setPriority(_ word: String?) throws(EpactError) {
    guard let word else { return }
    guard let number = Priority.number(word) else {
      throw EpactError(
        .argument,
        "expected high, medium, low, none or a number from 0 through 9, found \"\(word)\"")
    }
    priority = number
  }

  /// Sets the status of an event or of a journal entry to one that a word names.
  ///
  /// - Throws: `EpactError` if the word is none.
  package mutating func setStatus(_ word: String, of kind: ItemKind) throws(EpactError) {
    if kind == .event {
      guard let status = EventStatus(word: word) else {
        throw EpactError(
          .argument, "expected confirmed, tentative or cancelled, found \"\(word)\"")
      }
      eventStatus = status
    } else {
      guard let status = JournalStatus(word: word) else {
        throw EpactError(.argument, "expected draft, final or cancelled, found \"\(word)\"")
      }
      journalStatus = status
    }
  }
}
