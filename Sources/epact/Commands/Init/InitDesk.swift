// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CalendarSync

/// Where `epact init` gets its answers: from the options first, then from whoever sits there.
struct InitDesk: Sendable {
  let command: InitCommand
  let context: Context

  private var paths: PathResolver { context.paths }

  /// Gathers the answers; nothing is written, and nothing is asked of a server without access.
  ///
  /// - Throws: `Failure` for an answer that is missing or makes no sense, or what the server says.
  func plan() async throws -> InitPlan {
    let configuration = try context.configuration()
    let address = try answer(
      command.address, "Address (e-mail address, host, https://…, or a folder):", option: "ADDRESS")
    if ["/", "~", "."].contains(where: address.hasPrefix) {
      return try filePlan(address, configuration)
    }
    if Self.isFeed(address) { return try feedPlan(address, configuration) }
    let account = InitAccount(text: address)
    let user = try answer(
      command.user, "User name:", otherwise: account.user, option: "--user NAME")
    let password = try password(for: user, name: command.name ?? account.name)
    let access = try tier()
    let purpose = try purpose(access)
    guard access == .full else {
      let entry = entry(
        command.name ?? account.name, "caldav", try account.exactAddress(), in: configuration)
      return InitPlan(
        entries: [entry], user: user, password: password, access: access, purpose: purpose,
        requests: [])
    }
    let search = InitSearch(account: account, user: user, password: password, context: context)
    let (calendars, requests) = try await search.calendars { try agree(to: $0) }
    var entries: [InitPlan.Entry] = []
    for calendar in try choose(from: calendars) {
      let title = command.name.map { calendars.count == 1 ? $0 : "\($0)-\(calendar.title)" }
      entries.append(
        entry(
          title ?? calendar.title, "caldav", calendar.address, in: configuration, beside: entries))
    }
    return InitPlan(
      entries: entries, user: user, password: password, access: access, purpose: purpose,
      requests: requests)
  }

  private func filePlan(_ address: String, _ configuration: Configuration) throws -> InitPlan {
    let path = paths.absolute(address)
    let isFile = path.lowercased().hasSuffix(".ics")
    let last = path.split(separator: "/").last.map { isFile ? $0.dropLast(4) : $0 }
    let access = try tier()
    let purpose = try purpose(access)
    let entry = entry(
      command.name ?? last.map(String.init) ?? "folder", isFile ? "file" : "folder", path,
      in: configuration)
    return InitPlan(
      entries: [entry], user: nil, password: .none, access: access, purpose: purpose, requests: [])
  }

  /// Whether an address is that of a calendar that is published as a file.
  private static func isFeed(_ address: String) -> Bool {
    let text = address.lowercased()
    let path = text.prefix { $0 != "?" && $0 != "#" }
    return text.hasPrefix("webcal") || text.hasPrefix("http") && path.hasSuffix(".ics")
  }

  /// A feed is only ever read, which takes full access, and mostly no password.
  private func feedPlan(_ address: String, _ configuration: Configuration) throws -> InitPlan {
    let access = try tier()
    guard access == .full else {
      throw Failure(.usage, "a feed is only read, which takes full access")
    }
    let purpose = try purpose(access)
    let account = InitAccount(text: address)
    let entry = entry(command.name ?? account.name, "webcal", address, in: configuration)
    let hasPassword =
      command.passwordCommand != nil || command.passwordFile != nil || command.passwordStdin
    let password = hasPassword ? try password(for: command.user ?? "", name: entry.name) : .none
    return InitPlan(
      entries: [entry], user: command.user, password: password, access: access, purpose: purpose,
      requests: [])
  }

  // MARK: Answers

  /// An answer from an option, or else from whoever sits there.
  private func answer(
    _ option: String?, _ question: ConsoleText, otherwise: String? = nil, option name: String
  ) throws -> String {
    if let option, !option.isEmpty { return option }
    guard context.console.canAsk else {
      if let otherwise { return otherwise }
      throw Failure(
        .usage, "there is no terminal to ask on", hint: "Give it as an option: \(name)")
    }
    let shown: ConsoleText = otherwise.map { "\(question) \("[\($0)]", .dim)" } ?? question
    if let text = try context.console.answer(to: shown) ?? otherwise { return text }
    throw Failure(.usage, "nothing was written: the answer is missing", hint: "Option: \(name)")
  }

  private func tier() throws -> AccessTier {
    if let access = command.access { return access }
    if context.console.canAsk {
      context.console.report("  write-only  adds new events; reads, changes and deletes nothing")
      context.console.report("  full        reads, adds, changes and deletes, to keep both in step")
    }
    let word = try answer(
      nil, "Which access do you grant? [write-only, full]", option: "--access TIER")
    guard let tier = [AccessTier.writeOnly, .full].first(where: { $0.rawValue.hasPrefix(word) })
    else { throw Failure(.usage, "expected write-only or full, found \"\(word)\"") }
    return tier
  }

  private func purpose(_ access: AccessTier) throws -> Purpose {
    let usual =
      access == .full
      ? "Keeps the calendars here and there in step, so that either can be used."
      : "Adds the events that are made here, so that they can be seen there."
    return try Purpose(
      try answer(command.purpose, "What for?", otherwise: usual, option: "--purpose TEXT"))
  }

  private func password(for user: String, name: String) throws -> InitPlan.Password {
    if let text = command.passwordCommand { return try Self.words(text) }
    if let file = command.passwordFile { return .file(paths.absolute(file)) }
    if command.passwordStdin { return .newFile(passwordPath(name), try typedPassword()) }
    guard context.console.canAsk else {
      throw Failure(
        .usage, "there is no terminal to ask for the password on",
        hint: "Options: --password-command, --password-file or --password-stdin")
    }
    let text = try context.console.answer(
      to: "Program that prints the password, as pass show dav; nothing to type the password now:")
    if let text { return try Self.words(text) }
    guard let typed = try context.console.secret(for: "Password of \(user):") else {
      throw Failure(.usage, "nothing was written: there is no password")
    }
    return .newFile(passwordPath(name), typed)
  }

  private static func words(_ text: String) throws(Failure) -> InitPlan.Password {
    let words = text.split(separator: " ").map(String.init)
    guard !words.isEmpty else { throw Failure(.usage, "the password-command names no program") }
    return .command(words)
  }

  /// The first line of standard input.
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
    let path = context.configurationPath
    let folder = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
    return "\(folder)/\(Self.plain(name)).password"
  }

  /// Asks before a password is sent to a server that only the name service tells of (RFC 6764 §8).
  private func agree(to address: String) throws -> Bool {
    guard context.console.canAsk else { return false }
    let question: ConsoleText =
      "The domain says that its calendars are at \(address, .bold). Send the password there? [yes, no]"
    return try context.console.answer(to: question)?.lowercased().hasPrefix("y") ?? false
  }

  // MARK: Calendars

  private func choose(from calendars: [InitSearch.Found]) throws -> [InitSearch.Found] {
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
    let text = try answer(
      nil, "Which of them? [numbers, or all]", option: "--collection NAME, of: \(names); or --all")
    if text == "all" { return calendars }
    return try text.split { $0 == " " || $0 == "," }.map { word in
      guard let number = Int(word), calendars.indices.contains(number - 1) else {
        return try Self.calendar(String(word), among: calendars)
      }
      return calendars[number - 1]
    }
  }

  private static func calendar(
    _ name: String, among calendars: [InitSearch.Found]
  ) throws(Failure) -> InitSearch.Found {
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
    beside others: [InitPlan.Entry] = []
  ) -> InitPlan.Entry {
    let plain = Self.plain(title)
    let taken = Set(others.map(\.name)).union(configuration.remotes.keys)
      .union(configuration.calendars.keys).union(configuration.syncs.map(\.name))
    var name = plain
    var number = 1
    while taken.contains(name) {
      number += 1
      name = "\(plain)-\(number)"
    }
    return InitPlan.Entry(
      name: name, kind: kind, path: paths.absolute(command.path) + "/" + name, place: place)
  }

  /// A name that can stand in a path and in a command without quotes: letters, digits and hyphens.
  private static func plain(_ title: String) -> String {
    let words = title.lowercased().split { !$0.isLetter && !$0.isNumber }
    let text = String(words.joined(separator: "-").prefix(40))
    return text.isEmpty ? "calendar" : text
  }
}
