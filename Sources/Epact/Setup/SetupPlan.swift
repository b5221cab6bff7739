// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
package import CalendarRemotes
package import CalendarSync

/// The calendars, remotes and syncs to add to a configuration, with their grants.
package struct SetupPlan: Sendable {
  /// A local calendar, a remote, and the sync between them.
  package struct Entry: Sendable {
    /// The common name of all three.
    package let name: String
    /// The name of the calendar that the configuration, or another entry, has at the path already;
    /// nil for a new calendar.
    var existing: String?
    /// The kind of the remote: `caldav`, `google`, `graph`, `webcal`, `folder`, `file` or `birthdays`;
    /// `account` for all calendars of an account.
    package let kind: String
    /// The absolute path of the local calendar.
    package let path: String
    /// The location of the remote: a URL, an absolute path, or the id of a calendar at a vendor.
    package let location: String
    /// The conflict policy; nil for the usual one.
    let policy: MergePolicy?
    /// The kinds of new items; nil for the usual ones.
    package var kinds: Set<ItemKind>?
    /// Whether the remote does not allow changes.
    package var isReadOnly = false
    /// Whether the entry is for all calendars of an account.
    package var isAccount: Bool
    /// The contents of a feed that was read; nil if nothing was read.
    package var contents: FeedContents?

    /// The location to show; the URL of a private feed is a secret, so that only its host is shown.
    package var shownLocation: String {
      if let vendor, isAccount { return "all calendars of \(vendor.title)" }
      if let vendor { return "the calendar \"\(location)\" of \(vendor.title)" }
      return kind == "webcal" ? SetupAccount(text: location).host : location
    }

    /// The vendor with an interface of its own; nil for other kinds.
    package var vendor: VendorSettings.Vendor? { VendorSettings.Vendor(rawValue: kind) }

    /// Creates an entry whose name no other entry and no part of the configuration has.
    ///
    /// - Parameters:
    ///   - title: The title of the calendar, from which the name is derived.
    ///   - kind: The kind of the remote.
    ///   - location: The location of the remote.
    ///   - folder: The absolute path of the folder for local calendars.
    ///   - configuration: The existing configuration.
    ///   - others: The other new entries.
    package init(
      title: String, kind: String, location: String, folder: String,
      in configuration: Configuration,
      beside others: [Entry] = []
    ) {
      name = Self.freeName(title, in: configuration, beside: others)
      self.kind = kind
      isAccount = kind == "account"
      self.location = location
      path = folder + "/" + name
      policy = nil
    }

    /// Creates an entry for an existing local calendar.
    ///
    /// - Parameters:
    ///   - title: The title of the calendar, from which the name is derived.
    ///   - kind: The kind of the remote.
    ///   - location: The location of the remote.
    ///   - path: The absolute path of the local calendar.
    ///   - policy: The conflict policy; nil for the usual one.
    ///   - configuration: The existing configuration.
    ///   - others: The other new entries.
    package init(
      title: String, kind: String, location: String, path: String, policy: MergePolicy?,
      in configuration: Configuration, beside others: [Entry]
    ) {
      name = Self.freeName(title, in: configuration, beside: others)
      (self.kind, self.location, self.path, self.policy) = (kind, location, path, policy)
      isAccount = kind == "account"
      // One calendar can have several syncs.
      existing =
        configuration.calendars.values.filter { $0.path == path }.map(\.name).min()
        ?? others.first { $0.path == path }.map { $0.existing ?? $0.name }
    }

    private static func freeName(
      _ title: String, in configuration: Configuration, beside others: [Entry]
    ) -> String {
      let plain = CalendarInfo.plainName(title)
      let taken = Set(others.map(\.name)).union(configuration.remotes.keys)
        .union(configuration.calendars.keys).union(configuration.syncNames)
        .union(configuration.accounts.keys)
      var name = plain
      var number = 1
      while taken.contains(name) {
        number += 1
        name = "\(plain)-\(number)"
      }
      return name
    }
  }

  /// The source of the password.
  package enum Password: Sendable {
    case none
    case command([String])
    /// An existing file.
    case file(String)
    /// A password that is to be stored.
    case new(Secret, PasswordStore)
    /// No password: the user signs in with OAuth, by the client with this identifier.
    case signIn(client: String)

    /// The source for the configuration; nil without a password.
    var source: PasswordSource? {
      switch self {
      case .none, .signIn: nil
      case .command(let words): .command(words)
      case .file(let path): .file(path)
      case .new(_, let store): store.source
      }
    }

    /// Parses the command line of a program that prints the password.
    ///
    /// - Throws: `EpactError` if a quote is not closed or there is no program.
    package init(command text: String) throws(EpactError) {
      guard let words = ShellWord.words(in: text) else {
        throw EpactError(.argument, "the password-command has a quote that is not closed")
      }
      guard !words.isEmpty else {
        throw EpactError(.argument, "the password-command names no program")
      }
      self = .command(words)
    }
  }

  package var entries: [Entry]
  /// The names of the remotes that the configuration has already, by the names of their entries.
  var known: [String: String] = [:]
  let user: String?
  package let password: Password
  /// The trusted servers and the client certificate.
  let identity: NetworkIdentity
  let access: AccessTier
  let purpose: Purpose
  /// The requests sent before the grant, which are logged under it afterwards.
  let requests: [AccessRequest]
  /// Whether the user confirmed this access already, also above an earlier grant.
  var isConfirmed = false

  /// Creates a plan.
  package init(
    entries: [Entry], user: String?, password: Password, identity: NetworkIdentity,
    access: AccessTier, purpose: Purpose, requests: [AccessRequest]
  ) {
    self.entries = entries
    self.user = user
    self.password = password
    self.identity = identity
    self.access = access
    self.purpose = purpose
    self.requests = requests
  }

  /// A path for a new file with a password beside the configuration.
  static func passwordPath(
    for name: String, configuration: String, ending: String = "password"
  ) -> String {
    let folder = configuration.prefix(
      upTo: configuration.lastIndex(of: "/") ?? configuration.startIndex)
    let stem = "\(folder)/\(CalendarInfo.plainName(name))"
    var (path, number) = ("\(stem).\(ending)", 1)
    // An existing password file may belong to another account.
    while FileMode(path) != nil {
      number += 1
      path = "\(stem)-\(number).\(ending)"
    }
    return path
  }

  /// The tables to add to the configuration; paths in the home folder begin with `~`.
  ///
  /// - Parameters:
  ///   - paths: The home folder.
  ///   - isAlone: Whether the text is a configuration of its own, with a calendar for each entry.
  /// - Returns: The text.
  func text(_ paths: PathResolver, isAlone: Bool = false) -> String {
    entries.map { entry in
      var entry = entry
      if isAlone { entry.existing = nil }
      return tables(of: entry, paths)
    }.joined(separator: "\n")
  }

  private func tables(of entry: Entry, _ paths: PathResolver) -> String {
    let key = TOMLText.key(entry.name)
    let isAccount = entry.isAccount
    var lines =
      isAccount
      ? ["[account.\(key)]", "kind = \(TOMLText.quoted(entry.vendor?.rawValue ?? "caldav"))"]
      : Self.calendar(of: entry, paths) + [
        "[remote.\(key)]", "kind = \(TOMLText.quoted(entry.kind))",
      ]
    if ["folder", "file", "birthdays"].contains(entry.kind) {
      lines.append("path = \(paths.quoted(entry.location))")
    } else {
      let isVendor = entry.vendor != nil
      if !isVendor || !isAccount {
        lines.append("\(isVendor ? "calendar" : "url") = \(TOMLText.quoted(entry.location))")
      }
      if let user { lines.append("username = \(TOMLText.quoted(user))") }
      if case .signIn(let client) = password {
        if !isVendor { lines.append("sign-in = \"oauth\"") }
        lines.append("client-id = \(TOMLText.quoted(client))")
      }
      switch password.source {
      case .command(let words)?:
        let list = words.map(TOMLText.quoted).joined(separator: ", ")
        lines.append("password-command = [\(list)]")
      case .file(let path)?: lines.append("password-file = \(paths.quoted(path))")
      default: break
      }
      lines += identityLines(paths)
    }
    lines += ["", "[[sync]]", "name = \(TOMLText.quoted(entry.name))"]
    lines +=
      isAccount
      ? [
        "account = \(TOMLText.quoted(entry.name))", "folder = \(paths.quoted(entry.path))",
        "collections = \"all\"",
      ]
      : [
        "calendar = \(TOMLText.quoted(entry.existing ?? entry.name))",
        "remote = \(TOMLText.quoted(entry.name))",
      ]
    if isAccount { lines += Self.limits(of: entry) }
    if let policy = entry.policy {
      lines.append("on-conflict = \(TOMLText.quoted(policy.rawValue))")
    }
    if access == .writeOnly { lines.append("access = \"write-only\"") }
    lines.append("purpose = \(TOMLText.quoted(purpose.text))")
    return lines.map { $0 + "\n" }.joined()
  }

  /// The table of a new calendar.
  private static func calendar(of entry: Entry, _ paths: PathResolver) -> [String] {
    guard entry.existing == nil else { return [] }
    return ["[calendar.\(TOMLText.key(entry.name))]", "path = \(paths.quoted(entry.path))"]
      + limits(of: entry) + [""]
  }

  /// The lines of a calendar that does not take all kinds of items, or none.
  private static func limits(of entry: Entry) -> [String] {
    var lines: [String] = []
    let standard = CalendarInfo.standardKinds
    if let kinds = entry.kinds, !kinds.isEmpty, !standard.isSubset(of: kinds) {
      lines.append("components = \(TOMLText.array(kinds.sorted().map(\.rawValue)))")
    }
    if entry.isReadOnly { lines.append("read-only = true") }
    return lines
  }

  private func identityLines(_ paths: PathResolver) -> [String] {
    var lines: [String] = []
    if let file = identity.caFile { lines.append("ca-file = \(paths.quoted(file))") }
    if !identity.pins.isEmpty {
      let list = identity.pins.map { TOMLText.quoted($0.description) }.joined(separator: ", ")
      lines.append("pin = [\(list)]")
    }
    if let client = identity.client {
      lines.append("client-certificate = \(paths.quoted(client.certificateFile))")
      if client.keyFile != client.certificateFile {
        lines.append("client-key = \(paths.quoted(client.keyFile))")
      }
    }
    return lines
  }
}

extension PathResolver {
  /// A path as a TOML string; `~` stands for the home folder.
  fileprivate func quoted(_ path: String) -> String { TOMLText.quoted(written(path)) }
}
