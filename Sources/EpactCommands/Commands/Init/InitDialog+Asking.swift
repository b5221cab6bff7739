// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import Epact

/// The questions of the wizard.
///
/// A mistyped answer is asked for again, so that the user does not lose the other answers.
extension InitDialog {
  /// The maximum number of attempts for a question.
  private static let attempts = 5

  /// Returns the answer from an option, or asks the user.
  ///
  /// - Parameters:
  ///   - option: The value of the option, or nil.
  ///   - question: The question if there is no value.
  ///   - otherwise: The default for an empty answer, which is displayed; nil if there is none.
  ///   - name: The option, for error messages.
  ///   - isSafe: Whether `otherwise` also applies if the user cannot be asked.
  ///   - meaning: Converts the answer; its error is shown before the question is repeated.
  /// - Returns: The converted answer.
  /// - Throws: `Failure` if there is no answer; the error of `meaning` for an option or for the
  ///   last attempt; `CancellationError`.
  func answer<Answer>(
    _ option: String?, _ question: ConsoleText, otherwise: String? = nil, option name: String,
    isSafe: Bool = true, as meaning: (String) throws -> Answer
  ) throws -> Answer {
    if let option, !option.isEmpty { return try meaning(option) }
    guard context.console.canAsk else {
      if isSafe, let otherwise { return try meaning(otherwise) }
      throw Failure(
        .usage, "there is no terminal to ask on", hint: "Give it as an option: \(name)")
    }
    let shown: ConsoleText = otherwise.map { "\(question) \("[\($0)]", .dim)" } ?? question
    for attempt in 1...Self.attempts {
      guard let line = try context.console.answer(to: shown) else { throw nothingMore(name) }
      guard let text = line.isEmpty ? otherwise : line else {
        context.console.report(
          "Please answer, or end with Ctrl-C: nothing is written before the end.")
        continue
      }
      do {
        return try meaning(text)
      } catch  where attempt < Self.attempts && !(error is CancellationError) {
        context.console.report("\(Failure(describing: error).message)")
      }
    }
    throw nothingMore(name)
  }

  /// The failure for a missing answer.
  func nothingMore(_ name: String) -> Failure {
    Failure(.usage, "nothing was written: the answer is missing", hint: "Option: \(name)")
  }

  /// Asks for the address of a folder, a feed, a host or an account; nothing is looked up.
  func address(_ option: String?) throws -> SetupPlace {
    try answer(
      option, "Address (e-mail address, host, https://…, or a folder):", option: "ADDRESS"
    ) { try SetupPlace($0, paths: context.paths) }
  }

  /// Asks for the access to grant; there is no default.
  func tier() throws -> AccessTier {
    if let access = command.access { return access }
    if context.console.canAsk {
      context.console.report("  write-only  adds new events; reads, changes and deletes nothing")
      context.console.report("  full        reads, adds, changes and deletes, to keep both in step")
    }
    return try answer(
      nil, "Which access do you grant? [write-only, full]", option: "--access TIER"
    ) { word in
      let tiers = [AccessTier.writeOnly, .full]
      guard let tier = tiers.first(where: { $0.rawValue.hasPrefix(word.lowercased()) }) else {
        throw Failure(.usage, "expected write-only or full, found \"\(word)\"")
      }
      return tier
    }
  }

  /// Asks for the purpose of the access.
  func purpose(_ access: AccessTier) throws -> Purpose {
    let usual =
      access == .full
      ? "Keeps the calendars here and there in step, so that either can be used."
      : "Adds the events that are made here, so that they can be seen there."
    return try answer(command.purpose, "What for?", otherwise: usual, option: "--purpose TEXT") {
      try Purpose($0)
    }
  }

  /// Asks before the password is sent to a server found only by DNS (RFC 6764 §8).
  func agree(to address: String) throws -> Bool {
    guard context.console.canAsk else { return false }
    return try answer(
      nil,
      "The domain says that its calendars are at \(address, .bold). Send the password there? [yes, no]",
      option: "ADDRESS"
    ) { text in
      guard let word = ["yes", "no"].first(where: { $0.hasPrefix(text.lowercased()) }) else {
        throw Failure(.usage, "expected yes or no, found \"\(text)\"")
      }
      return word == "yes"
    }
  }
}
