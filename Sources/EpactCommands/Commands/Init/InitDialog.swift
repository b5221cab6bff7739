// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CalendarSync
import Epact

/// Collects the answers for `epact init`: from the options first, then from the user.
struct InitDialog: Sendable {
  let command: InitCommand
  let context: Context

  /// The maximum number of attempts for the address.
  private static let addressAttempts = 5
  /// The maximum number of attempts for a password; more could lock the account.
  private static let passwordAttempts = 3

  private var paths: PathResolver { context.paths }
  private var identity: NetworkIdentity { command.connection.identity(paths) }

  /// The answers so far, which are kept if the address turns out to be wrong.
  private struct Answers {
    var access: AccessTier?
    var purpose: Purpose?
    var user: String?
    var password: SetupPlan.Password?
    /// The requests sent to servers.
    var requests: [AccessRequest] = []
  }

  /// Collects the answers; writes nothing, and sends no requests without access.
  ///
  /// On a terminal, the user is asked again after an unusable address.
  ///
  /// - Throws: `Failure` for a missing or invalid answer, or the error of the server.
  func plan() async throws -> SetupPlan {
    let configuration = try context.configuration()
    var answers = Answers()
    var place = try address(command.address)
    for _ in 1..<Self.addressAttempts where context.console.canAsk {
      do {
        return try await plan(for: place, &answers, configuration)
      } catch let error where Self.isOfAddress(error) {
        context.console.complain(Failure(describing: error))
        place = try address(nil)
      }
    }
    return try await plan(for: place, &answers, configuration)
  }

  /// Whether another address, rather than another password, may resolve an error.
  private static func isOfAddress(_ error: any Error) -> Bool {
    if let error = error as? RemoteError {
      return ![.credentials, .forbidden, .temporarilyUnavailable].contains(error.code)
    }
    return error is HTTPError
  }

  private func plan(
    for place: SetupPlace, _ answers: inout Answers, _ configuration: Configuration
  ) async throws -> SetupPlan {
    if case .path = place, identity != NetworkIdentity() {
      throw Failure(.usage, "there is no connection to \(place): a folder has no certificates")
    }
    let access = try answers.access ?? tier()
    answers.access = access
    if case .feed = place, access != .full {
      throw Failure(.usage, "a feed is only read, which takes full access")
    }
    answers.purpose = try answers.purpose ?? purpose(access)
    switch place {
    case .path(let path): return try filePlan(path, answers, configuration)
    case .feed(let address): return try await feedPlan(address, answers, configuration)
    case .account(let account):
      guard access == .full else { return try appendPlan(account, &answers, configuration) }
      return try await accountPlan(account, &answers, configuration)
    }
  }

  private func plan(
    _ entries: [SetupPlan.Entry], _ answers: Answers, user: String?, password: SetupPlan.Password
  ) throws -> SetupPlan {
    guard let access = answers.access, let purpose = answers.purpose else {
      throw nothingMore("--access TIER")
    }
    return SetupPlan(
      entries: entries, user: user, password: password, identity: identity, access: access,
      purpose: purpose, requests: answers.requests)
  }

  private func accountPlan(
    _ account: SetupAccount, _ answers: inout Answers, _ configuration: Configuration
  ) async throws -> SetupPlan {
    var search = CalendarSearch(
      account: account, user: answers.user ?? "", identity: identity, machine: context.machine)
    // Check for a server first: without one, the remaining questions are pointless.
    if context.console.canAsk, command.user == nil || answers.password == nil {
      try await search.reach(noting: &answers.requests)
    }
    search.user = try answers.user ?? userName(account)
    answers.user = search.user
    var password =
      try answers.password ?? password(for: search.user, name: command.name ?? account.name)
    answers.password = password
    let calendars = try await calendars(&search, &password, &answers.requests)
    var entries: [SetupPlan.Entry] = []
    for calendar in try choose(from: calendars) {
      let title = command.name.map { calendars.count == 1 ? $0 : "\($0)-\(calendar.title)" }
      entries.append(
        entry(
          title ?? calendar.title, "caldav", calendar.address, in: configuration, beside: entries))
    }
    return try plan(entries, answers, user: search.user, password: password)
  }

  private func userName(_ account: SetupAccount) throws -> String {
    try answer(command.user, "User name:", otherwise: account.user, option: "--user NAME") { $0 }
  }

  /// The plan for a write-only calendar, without any lookup.
  private func appendPlan(
    _ account: SetupAccount, _ answers: inout Answers, _ configuration: Configuration
  ) throws -> SetupPlan {
    let address = try account.exactAddress()
    let user = try answers.user ?? userName(account)
    let name = command.name ?? account.name
    let password = try answers.password ?? password(for: user, name: name)
    let entry = entry(name, "caldav", address, in: configuration)
    return try plan([entry], answers, user: user, password: password)
  }

  /// The calendars on the server; rejected typed credentials are asked for again.
  private func calendars(
    _ search: inout CalendarSearch, _ password: inout SetupPlan.Password,
    _ requests: inout [AccessRequest]
  ) async throws -> [CalendarSearch.Found] {
    for _ in 1..<Self.passwordAttempts {
      do {
        return try await search.calendars(with: password, noting: &requests) { try agree(to: $0) }
      } catch let error as RemoteError where error.code == .credentials && asksForPassword {
        guard case .newFile(let path, _) = password else { throw error }
        context.console.report("\(error)")
        // Some servers accept only the part before the @ (RFC 6764 §6).
        let other = search.user.split(separator: "@").first.map(String.init)
        search.user = try answer(
          command.user, "User name:", otherwise: other, option: "--user NAME"
        ) { $0 }
        password = .newFile(path, try newPassword(for: search.user))
      }
    }
    return try await search.calendars(with: password, noting: &requests) { try agree(to: $0) }
  }

  private func filePlan(
    _ path: String, _ answers: Answers, _ configuration: Configuration
  ) throws -> SetupPlan {
    let isFile = path.lowercased().hasSuffix(".ics")
    let last = path.split(separator: "/").last.map { isFile ? $0.dropLast(4) : $0 }
    let entry = entry(
      command.name ?? last.map(String.init) ?? "folder", isFile ? "file" : "folder", path,
      in: configuration)
    return try plan([entry], answers, user: nil, password: .none)
  }

  /// The plan for a feed, which is only read; this needs full access, but usually no password.
  private func feedPlan(
    _ address: String, _ answers: Answers, _ configuration: Configuration
  ) async throws -> SetupPlan {
    let account = SetupAccount(text: address)
    var answers = answers
    if context.console.canAsk {
      let search = CalendarSearch(
        account: account, user: "", identity: identity, machine: context.machine)
      try await search.reach(feed: address, noting: &answers.requests)
    }
    let entry = entry(command.name ?? account.name, "webcal", address, in: configuration)
    let hasPassword =
      command.passwordCommand != nil || command.passwordFile != nil || command.passwordStdin
    let password = hasPassword ? try password(for: command.user ?? "", name: entry.name) : .none
    return try plan([entry], answers, user: command.user, password: password)
  }

  // MARK: Passwords

  private func password(for user: String, name: String) throws -> SetupPlan.Password {
    if let text = command.passwordCommand { return try Self.words(text) }
    if let file = command.passwordFile { return .file(paths.absolute(file)) }
    if command.passwordStdin { return .newFile(passwordPath(name), try typedPassword()) }
    guard context.console.canAsk else {
      throw Failure(
        .usage, "there is no terminal to ask for the password on",
        hint: "Options: --password-command, --password-file or --password-stdin")
    }
    // This prompt hides its input, because users expect to type the password here.
    let typed = try context.console.secret(
      for: "Password of \(user), or nothing if a program prints it:")
    if let typed { return .newFile(passwordPath(name), typed) }
    return try answer(
      nil, "Program that prints the password, as pass show dav:",
      option: "--password-command COMMAND"
    ) { text in
      let words = try Self.words(text)
      if case .command(let list) = words, context.machine.executable(list[0]) == nil {
        throw Failure(.usage, "there is no such program")
      }
      return words
    }
  }

  /// Whether a rejected password was typed by the user, who can try again.
  private var asksForPassword: Bool { context.console.canAsk && !command.passwordStdin }

  private func newPassword(for user: String) throws -> Secret {
    for _ in 1...Self.passwordAttempts {
      if let typed = try context.console.secret(for: "Password of \(user):") { return typed }
    }
    throw Failure(.usage, "nothing was written: there is no password")
  }

  private static func words(_ text: String) throws(Failure) -> SetupPlan.Password {
    guard let words = ShellWord.words(in: text) else {
      throw Failure(.usage, "the password-command has a quote that is not closed")
    }
    guard !words.isEmpty else { throw Failure(.usage, "the password-command names no program") }
    return .command(words)
  }

  /// Reads the first line of standard input.
  private func typedPassword() throws -> Secret {
    var input = InputStream(descriptor: 0)
    guard let bytes = try input.readAll(limit: 64 * 1024) else {
      throw Failure(.usage, "what was read is too large for a password")
    }
    let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
    guard !line.isEmpty, let text = String(validating: line, as: UTF8.self) else {
      throw Failure(.usage, "expected a password on standard input, found none")
    }
    return Secret(text)
  }

  private func passwordPath(_ name: String) -> String {
    SetupPlan.passwordPath(for: name, configuration: context.configurationPath)
  }

  // MARK: Calendars

  private func choose(from calendars: [CalendarSearch.Found]) throws -> [CalendarSearch.Found] {
    guard !calendars.isEmpty else {
      throw Failure(.nothingDone, "there are no calendars of this user on the server")
    }
    if command.all { return calendars }
    if !command.collection.isEmpty {
      return try command.collection.map { try Self.calendar($0, among: calendars) }
    }
    if calendars.count == 1 { return calendars }
    if context.console.canAsk {
      for (index, calendar) in calendars.enumerated() {
        context.console.report(
          "  \(index + 1)  \(calendar.title, .bold)\(calendar.remark.map { ", \($0)" } ?? "")")
      }
    }
    let names = calendars.map(\.title).joined(separator: ", ")
    return try answer(
      nil, "Which of them? Numbers, or", otherwise: "all",
      option: "--collection NAME, of: \(names); or --all", isSafe: false
    ) { try Self.calendars($0, among: calendars) }
  }

  /// The calendars selected by an answer: all, one by its name, or several by their numbers.
  private static func calendars(
    _ text: String, among calendars: [CalendarSearch.Found]
  ) throws(Failure) -> [CalendarSearch.Found] {
    if text == "all" { return calendars }
    if calendars.count(where: { $0.title == text }) == 1 {
      return [try calendar(text, among: calendars)]
    }
    var chosen: [CalendarSearch.Found] = []
    for word in text.split(whereSeparator: { $0 == " " || $0 == "," }) {
      let number = Int(word) ?? 0
      let found =
        (1...calendars.count).contains(number)
        ? calendars[number - 1] : try calendar(String(word), among: calendars)
      if !chosen.contains(where: { $0.address == found.address }) { chosen.append(found) }
    }
    guard !chosen.isEmpty else { throw Failure(.usage, "no calendar is named") }
    return chosen
  }

  private static func calendar(
    _ name: String, among calendars: [CalendarSearch.Found]
  ) throws(Failure) -> CalendarSearch.Found {
    let matches = calendars.filter { $0.title == name || $0.address == name }
    if matches.count == 1, let match = matches.first { return match }
    let names = calendars.map(\.title).joined(separator: ", ")
    throw Failure(
      .configuration,
      matches.isEmpty
        ? "there is no calendar \"\(name)\" on the server; there are: \(names)"
        : "there are several calendars \"\(name)\" on the server; give the address of one instead")
  }

  private func entry(
    _ title: String, _ kind: String, _ place: String, in configuration: Configuration,
    beside others: [SetupPlan.Entry] = []
  ) -> SetupPlan.Entry {
    SetupPlan.Entry(
      title: title, kind: kind, place: place, folder: paths.absolute(command.path),
      in: configuration, beside: others)
  }
}
