// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
package import CalendarModel
package import CalendarSync
package import Epact
import Glibc

/// Questions to the user at the terminal; they require `canAsk`.
extension Console {
  /// The maximum length of an answer, in bytes.
  private static let answerLimit = 64 * 1024

  /// Shows a question, and reads a line.
  ///
  /// - Returns: The answer with normalized white space, possibly empty; nil at the end of the
  ///   input.
  /// - Throws: `CancellationError` if the run was interrupted.
  package func answer(to question: ConsoleText) throws -> String? {
    ask("\(question) ")
    var input = InputStream(descriptor: STDIN_FILENO)
    // A terminal returns one line per read.
    let chunk: [UInt8]
    do {
      chunk = try input.nextChunk()
    } catch {
      // The following output, possibly of the shell, starts on a new line.
      ask("\n")
      throw error
    }
    guard !chunk.isEmpty else {
      ask("\n")
      return nil
    }
    let line = String(decoding: chunk.prefix(Self.answerLimit), as: UTF8.self)
    return line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Asks a question; every answer but yes is no.
  package func confirms(_ question: ConsoleText) throws -> Bool {
    ["y", "yes"].contains(try answer(to: question)?.lowercased())
  }

  /// Asks the user to choose one of some attendees.
  ///
  /// - Throws: `Failure` for another answer; `CancellationError`.
  package func choose(among attendees: [Attendee]) throws -> Attendee {
    for (number, attendee) in attendees.enumerated() {
      report("  \(number + 1)  \(attendee.displayName)")
    }
    let numbers = attendees.count == 1 ? "1" : "1–\(attendees.count)"
    let answer = try answer(to: "Which attendee are you? [\(numbers)]")
    guard let number = answer.flatMap({ Int($0) }), attendees.indices.contains(number - 1) else {
      throw Failure(.usage, "expected one of the numbers; nothing was done")
    }
    return attendees[number - 1]
  }

  /// Asks which occurrences of a series are meant.
  ///
  /// - Throws: `Failure` for another answer; `EpactError` for an invalid date; `CancellationError`.
  package func chooseSpan(of title: String, _ dates: DateReading) throws -> SpanChoice {
    let answer =
      try answer(
        to: "\"\(title)\" repeats. Which occurrences? [all, this DATE, future DATE]") ?? ""
    let words = answer.split(separator: " ", maxSplits: 1).map(String.init)
    switch (words.first?.lowercased(), words.dropFirst().first) {
    case ("all", nil): return .all
    case ("this", let date?): return try dates.this(date)
    case ("future", let date?): return try dates.future(date)
    default: throw Failure(.usage, "no occurrences were chosen, and nothing was changed")
    }
  }

  /// Shows a question, and reads a line without echo.
  ///
  /// - Throws: `CancellationError` if the run was interrupted; the echo is restored.
  package func secret(for question: ConsoleText) throws -> Secret? {
    var usual = termios()
    let isTerminal = unsafe tcgetattr(STDIN_FILENO, &usual) == 0
    if isTerminal {
      var silent = usual
      silent.c_lflag &= ~tcflag_t(ECHO)
      unsafe tcsetattr(STDIN_FILENO, TCSADRAIN, &silent)
    }
    defer {
      if isTerminal {
        unsafe tcsetattr(STDIN_FILENO, TCSADRAIN, &usual)
        ask("\n")
      }
    }
    ask("\(question) ")
    var input = InputStream(descriptor: STDIN_FILENO)
    let line = try input.nextChunk().prefix { $0 != 0x0A && $0 != 0x0D }
    guard !line.isEmpty, let text = String(validating: line, as: UTF8.self) else { return nil }
    return Secret(text)
  }

  /// Reads the first line of standard input as a password.
  ///
  /// - Throws: `EpactError` if there is none; `CancellationError`.
  package static func secretFromInput() throws -> Secret {
    var input = InputStream(descriptor: STDIN_FILENO)
    guard let bytes = try input.readAll(limit: answerLimit) else {
      throw EpactError(.argument, "what was read is too large for a password")
    }
    let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
    guard !line.isEmpty, let text = String(validating: line, as: UTF8.self) else {
      throw EpactError(.argument, "expected a password on standard input, found none")
    }
    return Secret(text)
  }
}

/// The console asks for access to remotes.
extension Console: AccessPrompt {
  /// The maximum number of times that an unrecognized answer is asked for again.
  private static let attempts = 3

  package func choose(_ question: AccessQuestion) throws -> AccessTier? {
    show(question)
    let words = question.tiers.map(\.rawValue).joined(separator: ", ")
    return try choice(of: "Which access do you grant? [\(words)]") { word in
      question.tiers.first { $0.rawValue.hasPrefix(word) }
    }
  }

  package func confirm(_ question: AccessQuestion, raising earlier: AccessGrant) throws -> Bool {
    report(
      "So far: \(earlier.tier.rawValue), \(ConsoleText(earlier.purpose)) "
        + "\("(by \(earlier.grantedBy))", .dim)"
    )
    show(question)
    let tier = question.tiers.map(\.rawValue).joined()
    let answer = try choice(of: "Raise the access to \(tier)? [yes, no]") { word in
      ["yes", "no"].first { $0.hasPrefix(word) }
    }
    return answer == "yes"
  }

  /// Asks whether the user confirms a higher tier of a program than before.
  ///
  /// - Throws: `EpactError` if the user does not confirm or cannot be asked; `CancellationError`.
  package func confirm(raising earlier: ProgramGrant, to grant: ProgramGrant) throws {
    let (entity, tier) = (grant.entity.rawValue, grant.tier.rawValue)
    guard canAsk else {
      throw EpactError(
        .noAccess,
        "the access of \(grant.program) to \(entity) is \(earlier.tier.rawValue), and there is no "
          + "terminal to ask on whether it is to be \(tier)",
        subject: grant.program,
        remedy: .confirmProgram(
          grant.tier, grant.entity, program: grant.program, purpose: grant.purpose))
    }
    report("So far: \(earlier.tier.rawValue) \("(by \(earlier.grantedBy))", .dim)")
    report("\(grant.program, .bold) is \(grant.name).")
    report("What for: \(grant.purpose)")
    let answer = try choice(of: "Raise the access to \(entity) to \(tier)? [yes, no]") { word in
      ["yes", "no"].first { $0.hasPrefix(word) }
    }
    guard answer == "yes" else {
      throw EpactError(
        .noAccess, "the access of \(grant.program) stays what it was: \(earlier.tier.rawValue)",
        subject: grant.program)
    }
  }

  private func show(_ question: AccessQuestion) {
    let isAccount = question.identity.kind == "account"
    report(
      "\(question.remote, .bold) \(isAccount ? "are in the" : "is") \(question.identity).")
    report("What for: \(question.purpose)")
    for tier in question.tiers {
      let name = DisplayWidth.padded(tier.rawValue, to: 10)
      report("  \(name)  \(Self.meaning(of: tier, for: question.identity))")
    }
    if let restriction = question.restriction {
      report("It is \(restriction.words, .bold).")
    }
  }

  private static func meaning(of tier: AccessTier, for remote: RemoteIdentity) -> String {
    switch tier {
    case .none: "never contacts it"
    case .full where remote.kind == "webcal": "reads the feed, which cannot be changed"
    case .full where remote.isReadOnly: "reads the contacts, and changes nothing in them"
    case .writeOnly: "adds new events; reads, changes and deletes nothing; no reminders"
    case .full: "reads, adds, changes and deletes everything in it"
    }
  }

  /// Asks until the answer is valid; nil if the user gives no answer or no valid one.
  private func choice<Answer>(
    of question: ConsoleText, among meaning: (String) -> Answer?
  ) throws -> Answer? {
    for _ in 0..<Self.attempts {
      guard let word = try answer(to: question)?.lowercased(), !word.isEmpty else {
        return nil
      }
      if let answer = meaning(word) { return answer }
      report("Please answer with one of the words, or with nothing at all.")
    }
    return nil
  }
}

/// The console asks whether a message is applied in spite of its sender or its organizer.
extension Console: SchedulingPrompt {
  package func confirm(_ question: SchedulingQuestion) throws -> Bool {
    let method = question.method.map { "\($0.rawValue) in " } ?? ""
    report("\(question.title, .bold) (\(method)\(question.label))")
    for concern in question.concerns { report("  \(concern.description, .red)") }
    return try confirms("Trust it nevertheless? [y/N]")
  }

  /// Asks whether an invitation with concerns is answered.
  ///
  /// - Throws: `EpactError` if the user does not confirm it or cannot be asked; `CancellationError`.
  package func expectTrust(in invitation: Invitation, _ concerns: [SchedulingConcern]) throws {
    let question = SchedulingQuestion(
      label: invitation.mail.label, title: invitation.item.title, method: invitation.method,
      concerns: concerns)
    guard canAsk, invitation.mail.label != "-", try confirm(question) else {
      throw EpactError(unconfirmed: question)
    }
  }
}
