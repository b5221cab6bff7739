// SPDX-License-Identifier: Apache-2.0

package import CalendarRemotes
package import CalendarSync

/// Asks the user for what a new configuration needs, or knows the answers from options.
///
/// A method throws if there is no answer.
package protocol SetupPrompt: Sendable {
  /// Whether the user can be asked.
  var canAsk: Bool { get }
  /// The name of the remote; nil to derive one from the address.
  var name: String? { get }
  /// The user name that is given in advance; nil if the user has to be asked.
  var knownUser: String? { get }
  /// The identifier of the user's client, if the user signs in with OAuth; nil if it is not given in
  /// advance.
  var knownClient: String? { get }
  /// Whether a feed has a password.
  var hasPassword: Bool { get }
  /// Whether a feed is read, for its name and the number of its items.
  var readsFeeds: Bool { get }
  /// Whether a rejected password was typed by the user, who can try again.
  var asksForPassword: Bool { get }

  /// The location of the calendars; `isRetry` if an earlier one was unusable.
  func location(isRetry: Bool) throws -> SetupLocation
  /// The access to grant, above none.
  func tier() throws -> AccessTier
  /// The purpose of the access.
  func purpose(of access: AccessTier) throws -> Purpose
  /// The identifier of the user's client for a server that signs its users in with OAuth.
  func client(for server: String) throws -> String
  /// The identifier of the user's client at a vendor, whose calendar is chosen in the configuration.
  ///
  /// - Throws: The error of the prompt for a missing answer, or for answers that do not apply.
  func client(of vendor: VendorSettings.Vendor) throws -> String
  /// Whether the user wants all calendars of an account, whatever it has.
  var wantsAccount: Bool { get }
  /// Shows what is known of a service, before anything is asked.
  func introduce(service: String, _ words: String)
  /// The user name, with a suggestion.
  func userName(suggested: String?) throws -> String
  /// The source of a user's password; a typed one is kept in one of the stores.
  func password(for user: String, keepingIn stores: PasswordStores) throws -> SetupPlan.Password
  /// Another password after the server rejected the typed one.
  func newPassword(for user: String) throws -> Secret
  /// Whether the password may be sent to a server found only by DNS (RFC 6764 §8).
  func agree(to address: String) throws -> Bool
  /// Some of several calendars on the server, or the account with all of them.
  ///
  /// - Parameters:
  ///   - calendars: The calendars.
  ///   - isAccount: Whether the account can be chosen.
  /// - Returns: The choice.
  /// - Throws: The error of the prompt for a missing answer; `EpactError` for an unknown name.
  func choose(from calendars: [CalendarSearch.Found], isAccount: Bool) throws -> SetupChoice
  /// Shows an error after which the question is asked again.
  func show(_ error: any Error)
}

/// The calendars of an account that are to be synced.
package enum SetupChoice: Sendable {
  /// These calendars.
  case calendars([CalendarSearch.Found])
  /// All calendars, also future ones.
  case account
}

/// Makes the plan for a new configuration from the user's answers.
package struct SetupPlanner: Sendable {
  /// The maximum number of attempts for the address.
  private static let addressAttempts = 5
  /// The maximum number of attempts for a password; more could lock the account.
  package static let passwordAttempts = 3

  /// The answers so far, which are kept if the address turns out to be wrong.
  private struct Answers {
    var access: AccessTier?
    var purpose: Purpose?
    var user: String?
    var password: SetupPlan.Password?
    /// The requests sent to servers.
    var requests: [AccessRequest] = []
  }

  /// The calendars of a plan, with the credentials for them.
  private struct Draft {
    var entries: [SetupPlan.Entry]
    var user: String?
    var password = SetupPlan.Password.none
  }

  private let prompt: any SetupPrompt
  private let file: ConfigurationFile
  private let configuration: Configuration
  private let folder: String
  private let identity: NetworkIdentity
  private let machine: Machine

  /// Creates a planner for additions to a configuration.
  ///
  /// - Parameters:
  ///   - prompt: Asks the user.
  ///   - file: The location of the configuration.
  ///   - folder: The absolute path of the folder for local calendars.
  ///   - identity: The trusted servers and the client certificate.
  ///   - machine: The machine with the network.
  /// - Throws: `EpactError` or `ConfigurationError` if the existing configuration is invalid.
  package init(
    asking prompt: any SetupPrompt, addingTo file: ConfigurationFile, folder: String,
    identity: NetworkIdentity, machine: Machine
  ) throws {
    self.prompt = prompt
    self.file = file
    self.folder = folder
    self.identity = identity
    self.machine = machine
    configuration = try file.load()
  }

  /// Whether an error is that of rejected credentials, which are asked for again.
  package static func isRejection(_ error: any Error) -> Bool {
    (error as? RemoteError)?.code == .credentials
  }

  /// Makes the plan; writes nothing, and sends no requests without access.
  ///
  /// The user is asked again after an unusable address.
  ///
  /// - Throws: The error of the prompt for a missing answer, `EpactError`, or the error of the
  ///   server.
  package func plan() async throws -> SetupPlan {
    var answers = Answers()
    var location = try prompt.location(isRetry: false)
    for _ in 1..<Self.addressAttempts where prompt.canAsk {
      do {
        return try await plan(for: location, &answers)
      } catch let error where Self.isOfAddress(error) {
        prompt.show(error)
        location = try prompt.location(isRetry: true)
      }
    }
    return try await plan(for: location, &answers)
  }

  /// Whether another address, rather than another password, may resolve an error.
  private static func isOfAddress(_ error: any Error) -> Bool {
    if let error = error as? RemoteError {
      return ![.credentials, .forbidden, .temporarilyUnavailable].contains(error.code)
    }
    return error is HTTPError
  }

  private func plan(for location: SetupLocation, _ answers: inout Answers) async throws -> SetupPlan
  {
    if case .path = location, identity != NetworkIdentity() {
      throw EpactError(
        .argument, "there is no connection to \(location): a folder has no certificates")
    }
    if let service = location.service {
      prompt.introduce(service: service.title, service.introduction)
    }
    let access = try answers.access ?? prompt.tier()
    answers.access = access
    if case .feed = location, access != .full {
      throw EpactError(.argument, "a feed is only read, which takes full access")
    }
    let purpose = try answers.purpose ?? prompt.purpose(of: access)
    answers.purpose = purpose
    let draft =
      switch location {
      case .path(let path): try fileDraft(path, access)
      case .feed(let address): try await feedDraft(address, &answers)
      case .vendor(_, let vendor, let user): try vendorDraft(vendor, user)
      case .account(let account) where access == .full:
        try await accountDraft(account, &answers)
      case .account(let account): try appendDraft(account, &answers)
      }
    return SetupPlan(
      entries: draft.entries, user: draft.user, password: draft.password, identity: identity,
      access: access, purpose: purpose, requests: answers.requests)
  }

  // MARK: Kinds of locations

  /// The draft for a file or a folder, or for some folders of a folder of calendars.
  ///
  /// Under write-only access the folder is not listed, which is a way of reading.
  private func fileDraft(_ path: String, _ access: AccessTier) throws -> Draft {
    let found = access == .full ? FolderOfCalendars(path) : nil
    let isContacts = found?.holdsContacts == true || path.lowercased().hasSuffix(".vcf")
    if isContacts { return try birthdayDraft(path, access) }
    let folders = found?.calendars ?? []
    guard folders.isEmpty else {
      guard case .calendars(let chosen) = try prompt.choose(from: folders, isAccount: false) else {
        throw EpactError(.argument, "\(path) is a folder, and no account", subject: path)
      }
      var entries: [SetupPlan.Entry] = []
      for calendar in chosen {
        let title = prompt.name.map { "\($0)-\(calendar.title)" } ?? calendar.title
        entries.append(entry(title, "folder", calendar.address, beside: entries))
      }
      try expectOthers(entries)
      return Draft(entries: entries)
    }
    let isFile = path.lowercased().hasSuffix(".ics")
    let last = path.split(separator: "/").last.map { isFile ? $0.dropLast(4) : $0 }
    let title = prompt.name ?? last.map(String.init) ?? "folder"
    let entry = entry(title, isFile ? "file" : "folder", path)
    try expectOthers([entry])
    return Draft(entries: [entry])
  }

  /// The draft for the birthdays of contacts, which are only read.
  private func birthdayDraft(_ path: String, _ access: AccessTier) throws -> Draft {
    guard access == .full else {
      throw EpactError(.argument, "birthdays of contacts are only read, which takes full access")
    }
    var entry = entry(prompt.name ?? "birthdays", "birthdays", path)
    (entry.kinds, entry.isReadOnly) = ([.event], true)
    try expectOthers([entry])
    return Draft(entries: [entry])
  }

  /// Checks that no folder or file is synchronized with itself, and that none is a calendar of the
  /// configuration, whose items would be here twice.
  private func expectOthers(_ entries: [SetupPlan.Entry]) throws(EpactError) {
    for entry in entries {
      let place = PathResolver.canonical(entry.location)
      let known = configuration.calendars.values
        .filter { PathResolver.canonical($0.path) == place }.map(\.name).min()
      if let known {
        throw EpactError(
          .argument, "\(entry.location) is the calendar \"\(known)\" of the configuration already",
          subject: entry.location)
      }
      guard PathResolver.canonical(entry.path) != place else {
        throw EpactError(
          .argument,
          "\(entry.location) would be synchronized with itself: the local calendar "
            + "would have the same place", subject: entry.location,
          remedy: .other(
            "Choose another folder for local calendars, or add it to the configuration as a "
              + "[calendar] without a remote."))
      }
    }
  }

  /// Checks that the configuration has no single calendar of an account, which would add it a second
  /// time.
  private func expectNoCalendars(of user: String, at account: String) throws {
    let host = try RemoteURL(parsing: account).host
    let names = configuration.remotes.values.filter { remote in
      guard remote.account == nil, case .calDAV(let dav) = remote.kind else { return false }
      return dav.address.host == host && dav.server.username == user
    }.map(\.name).sorted()
    guard let first = names.first else { return }
    let rest = names.count == 1 ? "" : " and \(Count(names.count - 1, "other remote"))"
    throw EpactError(
      .argument,
      "the configuration has calendars of this account already, such as that of \(first)\(rest), and the account "
        + "would add them a second time",
      subject: first,
      remedy: .other(
        "Remove their [[sync]], [remote] and [calendar] from the configuration first; no file is deleted."
      ))
  }

  /// The draft for a feed, which is only read; this needs full access, but usually no password.
  private func feedDraft(_ address: String, _ answers: inout Answers) async throws -> Draft {
    let account = SetupAccount(text: address)
    var contents: FeedContents?
    if prompt.readsFeeds {
      contents = try await search(account).read(feed: address, noting: &answers.requests)
    } else if prompt.canAsk {
      try await search(account).reach(feed: address, noting: &answers.requests)
    }
    var entry = entry(prompt.name ?? contents?.name ?? account.name, "webcal", address)
    entry.contents = contents
    let password =
      prompt.hasPassword
      ? try password(for: prompt.knownUser ?? "", name: entry.name, of: account) : .none
    return Draft(entries: [entry], user: prompt.knownUser, password: password)
  }

  /// The draft for a write-only calendar, without any lookup.
  private func appendDraft(_ account: SetupAccount, _ answers: inout Answers) throws -> Draft {
    let address = try account.exactAddress()
    if let client = prompt.knownClient { return signInDraft(account, at: address, client) }
    let user = try answers.user ?? prompt.userName(suggested: account.user)
    let name = prompt.name ?? account.name
    let password = try answers.password ?? password(for: user, name: name, of: account)
    return Draft(entries: [entry(name, "caldav", address)], user: user, password: password)
  }

  /// The draft for the user's own calendar at a vendor, or for the account, where the user signs in
  /// afterwards.
  ///
  /// No vendor's calendar holds reminders.
  private func vendorDraft(_ vendor: VendorSettings.Vendor, _ user: String?) throws -> Draft {
    let client = try prompt.client(of: vendor)
    var entry = entry(prompt.name ?? vendor.usualName, vendor.rawValue, "primary")
    (entry.kinds, entry.isAccount) = ([.event], prompt.wantsAccount)
    return Draft(
      entries: [entry], user: prompt.knownUser ?? user, password: .signIn(client: client))
  }

  /// The draft for a calendar whose server signs its users in; the user does that afterwards.
  private func signInDraft(
    _ account: SetupAccount, at address: String, _ client: String
  ) -> Draft {
    let kind = prompt.wantsAccount ? "account" : "caldav"
    return Draft(
      entries: [entry(prompt.name ?? account.name, kind, address)], user: nil,
      password: .signIn(client: client))
  }

  private func accountDraft(
    _ account: SetupAccount, _ answers: inout Answers
  ) async throws -> Draft {
    var search = search(account, user: answers.user ?? "")
    // Check for a server first: without one, the remaining questions are pointless.
    if let client = prompt.knownClient {
      return signInDraft(account, at: try account.ownAddress(), client)
    }
    if prompt.canAsk, prompt.knownUser == nil || answers.password == nil,
      let place = try await search.reach(noting: &answers.requests)
    {
      return signInDraft(account, at: place.description, try prompt.client(for: place.host))
    }
    search.user = try answers.user ?? prompt.userName(suggested: account.user)
    answers.user = search.user
    var password =
      try answers.password
      ?? password(for: search.user, name: prompt.name ?? account.name, of: account)
    answers.password = password
    let calendars = try await calendars(&search, &password, &answers.requests)
    guard !calendars.isEmpty else {
      throw EpactError(.failed, "there are no calendars of this user on the server")
    }
    var entries: [SetupPlan.Entry] = []
    switch try prompt.choose(from: calendars, isAccount: true) {
    case .account:
      try expectNoCalendars(of: search.user, at: calendars[0].account)
      entries = [entry(prompt.name ?? account.name, "account", calendars[0].account)]
    case .calendars(let chosen):
      for calendar in chosen {
        let title = prompt.name.map { calendars.count == 1 ? $0 : "\($0)-\(calendar.title)" }
        var new = entry(title ?? calendar.title, "caldav", calendar.address, beside: entries)
        (new.kinds, new.isReadOnly) = (calendar.kinds, calendar.isReadOnly)
        entries.append(new)
      }
    }
    return Draft(entries: entries, user: search.user, password: password)
  }

  /// The calendars on the server; rejected typed credentials are asked for again.
  private func calendars(
    _ search: inout CalendarSearch, _ password: inout SetupPlan.Password,
    _ requests: inout [AccessRequest]
  ) async throws -> [CalendarSearch.Found] {
    for _ in 1..<Self.passwordAttempts {
      do {
        return try await search.calendars(with: password, noting: &requests, prompt.agree)
      } catch let error as RemoteError where error.code == .credentials && prompt.asksForPassword {
        guard case .new(_, let store) = password else { throw error }
        prompt.show(error)
        // Some servers accept only the part before the @ (RFC 6764 §6).
        let other = search.user.split(separator: "@").first.map(String.init)
        search.user = try prompt.userName(suggested: other)
        password = .new(try prompt.newPassword(for: search.user), store.of(search.user))
      }
    }
    return try await search.calendars(with: password, noting: &requests, prompt.agree)
  }

  // MARK: Parts

  private func search(_ account: SetupAccount, user: String = "") -> CalendarSearch {
    CalendarSearch(account: account, user: user, identity: identity, machine: machine)
  }

  private func password(
    for user: String, name: String, of account: SetupAccount
  ) throws -> SetupPlan.Password {
    let stores = PasswordStores(
      name: name, account: String(account.authority), configuration: file.path, machine: machine)
    return try prompt.password(for: user, keepingIn: stores)
  }

  private func entry(
    _ title: String, _ kind: String, _ location: String, beside others: [SetupPlan.Entry] = []
  ) -> SetupPlan.Entry {
    SetupPlan.Entry(
      title: title, kind: kind, location: location, folder: folder, in: configuration,
      beside: others)
  }
}

extension CalendarSearch.Found {
  /// The calendars selected by an answer: all, one by its name, or several by their numbers.
  ///
  /// - Throws: `EpactError` if the answer selects none, or is ambiguous.
  package static func named(
    _ text: String, among calendars: [CalendarSearch.Found]
  ) throws(EpactError) -> [CalendarSearch.Found] {
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
    guard !chosen.isEmpty else { throw EpactError(.argument, "no calendar is named") }
    return chosen
  }

  /// The calendar with a title or an address, or else with a last path segment.
  ///
  /// - Throws: `EpactError` if there is none, or more than one.
  package static func calendar(
    _ name: String, among calendars: [CalendarSearch.Found]
  ) throws(EpactError) -> CalendarSearch.Found {
    var matches = calendars.filter { $0.title == name || $0.isAt(name) }
    if matches.isEmpty {
      matches = calendars.filter { $0.address.split(separator: "/").last.map(String.init) == name }
    }
    if matches.count == 1, let match = matches.first { return match }
    let names = calendars.map(\.title).joined(separator: ", ")
    throw EpactError(
      .configuration,
      matches.isEmpty
        ? "there is no calendar \"\(name)\" there; there are: \(names)"
        : "there are several calendars \"\(name)\" there; give the address of one instead",
      subject: name)
  }

  /// Whether an address is the one of the calendar, with or without the slash at its end.
  package func isAt(_ address: String) -> Bool {
    func trimmed(_ text: String) -> Substring { text.last == "/" ? text.dropLast() : text[...] }
    return trimmed(self.address) == trimmed(address)
  }
}
