// SPDX-License-Identifier: Apache-2.0

package import CalendarSync
package import Epact

/// The answers that the user gave in advance, by options.
package protocol SetupAnswers: Sendable {
  var address: String? { get }
  var name: String? { get }
  var user: String? { get }
  var access: AccessTier? { get }
  var purpose: String? { get }
  /// The names of the calendars.
  var collection: [String] { get }
  /// Whether all calendars are chosen.
  var all: Bool { get }
  /// Whether the account is chosen.
  var account: Bool { get }
  /// The identifier of the client of a sign-in.
  var clientID: String? { get }
  var passwordCommand: String? { get }
  var passwordFile: String? { get }
  /// Whether the password is read from standard input.
  var passwordStdin: Bool { get }
  var keepPassword: PasswordStore.Kind? { get }
}

/// The questions of a setup: answered by the options first, then by the user.
///
/// A mistyped answer is asked for again, so that the user does not lose the other answers.
package struct SetupQuestions: SetupPrompt {
  private let answers: any SetupAnswers
  private let console: Console
  private let machine: Machine
  private let remedies: any Remedies

  /// Creates the questions that are not answered in advance.
  package init(
    _ answers: any SetupAnswers, _ console: Console, _ machine: Machine, _ remedies: any Remedies
  ) {
    (self.answers, self.console) = (answers, console)
    (self.machine, self.remedies) = (machine, remedies)
  }

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
  private func answer<Answer>(
    _ option: String?, _ question: ConsoleText, otherwise: String? = nil, option name: String,
    isSafe: Bool = true, as meaning: (String) throws -> Answer
  ) throws -> Answer {
    if let option, !option.isEmpty { return try meaning(option) }
    guard console.canAsk else {
      if isSafe, let otherwise { return try meaning(otherwise) }
      throw Failure(
        .usage, "there is no terminal to ask on", hint: "Give it as an option: \(name)")
    }
    let shown: ConsoleText = otherwise.map { "\(question) \("[\($0)]", .dim)" } ?? question
    for attempt in 1...Self.attempts {
      guard let line = try console.answer(to: shown) else { throw nothingMore(name) }
      guard let text = line.isEmpty ? otherwise : line else {
        console.report(
          "Please answer, or end with Ctrl-C: nothing is written before the end.")
        continue
      }
      do {
        return try meaning(text)
      } catch  where attempt < Self.attempts && !(error is CancellationError) {
        let failure = remedies.failure(error)
        console.report("\(failure.message)")
        if let hint = failure.hint { console.report("  \(hint)") }
      }
    }
    throw nothingMore(name)
  }

  /// The failure for a missing answer.
  private func nothingMore(_ name: String) -> Failure {
    Failure(.usage, "nothing was written: the answer is missing", hint: "Option: \(name)")
  }

  // MARK: Options

  package var canAsk: Bool { console.canAsk }

  package var name: String? { answers.name }

  package var knownUser: String? { answers.user }

  package var knownClient: String? { answers.clientID }

  package var hasPassword: Bool {
    answers.passwordCommand != nil || answers.passwordFile != nil || answers.passwordStdin
  }

  package var readsFeeds: Bool { false }

  package var asksForPassword: Bool { console.canAsk && !answers.passwordStdin }

  // MARK: Questions

  package func location(isRetry: Bool) throws -> SetupLocation {
    try answer(
      isRetry ? nil : answers.address,
      "Address (e-mail address, service, host, https://…, or a folder):",
      option: "ADDRESS"
    ) { try SetupLocation($0, paths: machine.paths) }
  }

  package func tier() throws -> AccessTier {
    if let access = answers.access { return access }
    if console.canAsk {
      console.report("  write-only  adds new events; reads, changes and deletes nothing")
      console.report("  full        reads, adds, changes and deletes, to keep both in step")
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

  package func purpose(of access: AccessTier) throws -> Purpose {
    let usual =
      access == .full
      ? "Keeps the calendars here and there in step, so that either can be used."
      : "Adds the events that are made here, so that they can be seen there."
    return try answer(answers.purpose, "What for?", otherwise: usual, option: "--purpose TEXT") {
      try Purpose($0)
    }
  }

  package func userName(suggested: String?) throws -> String {
    try answer(answers.user, "User name:", otherwise: suggested, option: "--user NAME") { $0 }
  }

  package func client(for server: String) throws -> String {
    console.report(
      "\(server, .bold) accepts no passwords of programs: you sign in there with OAuth, by a client of "
        + "your own.")
    return try answer(answers.clientID, "Identifier of the client:", option: "--client-id ID") {
      $0
    }
  }

  package func client(of vendor: VendorSettings.Vendor) throws -> String {
    guard !answers.all, answers.collection.isEmpty else {
      throw Failure(
        .usage, "no calendars of \(vendor.title) are listed before the sign-in",
        hint: "Add the first one, and state its id with calendar in the configuration; or all with "
          + "--account.")
    }
    guard !hasPassword else {
      throw Failure(.usage, "\(vendor.title) takes a sign-in, and no password")
    }
    return try answer(
      answers.clientID, "Identifier of your client:",
      option: "--client-id ID; the article \"\(vendor.article)\" describes how to create the client"
    ) { $0 }
  }

  package var wantsAccount: Bool { answers.account }

  package func introduce(service: String, _ words: String) {
    guard console.canAsk else { return }
    console.report("\(service, .bold): \(words)")
  }

  package func agree(to address: String) throws -> Bool {
    guard console.canAsk else { return false }
    return try answer(
      nil,
      "The domain says that its calendars are at \(address, .bold). Send the password there? [yes, "
        + "no]",
      option: "ADDRESS"
    ) { text in
      guard let word = ["yes", "no"].first(where: { $0.hasPrefix(text.lowercased()) }) else {
        throw Failure(.usage, "expected yes or no, found \"\(text)\"")
      }
      return word == "yes"
    }
  }

  package func choose(from calendars: [CalendarSearch.Found], isAccount: Bool) throws -> SetupChoice
  {
    if answers.account { return .account }
    if answers.all { return .calendars(calendars) }
    if !answers.collection.isEmpty {
      return .calendars(
        try answers.collection.map { try CalendarSearch.Found.calendar($0, among: calendars) })
    }
    if calendars.count == 1 { return .calendars(calendars) }
    if !console.canAsk,
      let named = calendars.first(where: { $0.isAt(answers.address ?? "") })
    {
      return .calendars([named])
    }
    if console.canAsk {
      for (index, calendar) in calendars.enumerated() {
        console.report(
          "  \(index + 1)  \(calendar.title, .bold)\(calendar.remark.map { ", \($0)" } ?? "")")
      }
      if isAccount {
        console.report("  account  all calendars, also those created later")
      }
    }
    let names = calendars.map(\.title).joined(separator: ", ")
    return try answer(
      nil, isAccount ? "Which of them? Numbers, account, or" : "Which of them? Numbers, or",
      otherwise: "all",
      option: "--collection NAME, of: \(names); or --all\(isAccount ? " or --account" : "")",
      isSafe: false
    ) { text in
      isAccount && text == "account"
        ? .account : .calendars(try CalendarSearch.Found.named(text, among: calendars))
    }
  }

  package func show(_ error: any Error) {
    if SetupPlanner.isRejection(error) {
      console.report("\(String(describing: error))")
    } else {
      console.complain(remedies.failure(error))
    }
  }

  // MARK: Passwords

  package func password(for user: String, keepingIn stores: PasswordStores) throws
    -> SetupPlan.Password
  {
    if let text = answers.passwordCommand { return try SetupPlan.Password(command: text) }
    if let file = answers.passwordFile { return .file(machine.paths.absolute(file)) }
    if answers.passwordStdin {
      let store = try stores.store(answers.keepPassword ?? .file, for: user)
      return .new(try Console.secretFromInput(), store)
    }
    guard console.canAsk else {
      throw Failure(
        .usage, "there is no terminal to ask for the password on",
        hint: "Options: --password-command, --password-file or --password-stdin")
    }
    // This prompt hides its input, because users expect to type the password here.
    let typed = try console.secret(
      for: "Password of \(user), or nothing if a program prints it:")
    if let typed { return .new(typed, try store(for: user, of: stores)) }
    return try answer(
      nil, "Program that prints the password, as pass show dav:",
      option: "--password-command COMMAND"
    ) { text in
      let password = try SetupPlan.Password(command: text)
      if case .command(let list) = password, machine.executable(list[0]) == nil {
        throw Failure(.usage, "there is no such program")
      }
      return password
    }
  }

  /// The place for a typed password: the user is asked if there are several.
  private func store(for user: String, of stores: PasswordStores) throws -> PasswordStore {
    if let kind = answers.keepPassword { return try stores.store(kind, for: user) }
    let kinds = stores.available
    guard kinds.count > 1 else { return try stores.store(.file, for: user) }
    for kind in kinds {
      let name = kind.rawValue + String(repeating: " ", count: 10 - kind.rawValue.count)
      console.report("  \(name)  \(Self.explanation(of: kind))")
    }
    let names = kinds.map(\.rawValue)
    return try answer(
      nil, "Where is the password kept? [\(names.joined(separator: ", "))]",
      otherwise: PasswordStore.Kind.file.rawValue, option: "--keep-password PLACE"
    ) { word in
      guard let kind = kinds.first(where: { $0.rawValue.hasPrefix(word.lowercased()) }) else {
        throw Failure(
          .usage, "expected \(names.joined(separator: " or ")), found \"\(word)\"")
      }
      return try stores.store(kind, for: user)
    }
  }

  private static func explanation(of kind: PasswordStore.Kind) -> String {
    switch kind {
    case .file: "a file that only you can read"
    case .keyring: "the keyring of the desktop; a sync needs it unlocked"
    case .credential: "a file that systemd encrypts for this machine"
    }
  }

  package func newPassword(for user: String) throws -> Secret {
    for _ in 1...SetupPlanner.passwordAttempts {
      if let typed = try console.secret(for: "Password of \(user):") { return typed }
    }
    throw Failure(.usage, "nothing was written: there is no password")
  }
}
