// SPDX-License-Identifier: Apache-2.0

package import CalendarLanguage
public import CalendarModel
import CalendarRemotes
import CalendarStore
public import CalendarSync

/// The user's configuration: local calendars, remotes, and syncs.
///
/// It contains no grants, so that editing it cannot raise the program's access.
public struct Configuration: Sendable, Hashable {
  /// The local calendars, by name.
  public var calendars: [String: CalendarSettings] = [:]
  /// The remotes, by name.
  public var remotes: [String: RemoteSettings] = [:]
  /// The syncs, in the order of the file; those of the calendars of accounts follow.
  public var syncs: [SyncSettings] = []
  /// The accounts, by name.
  package var accounts: [String: RemoteSettings] = [:]
  /// The syncs of whole accounts, in the order of the file.
  package var accountSyncs: [AccountSyncSettings] = []
  /// The absolute path of the file that the user chose; nil for the standard one, and without a file.
  package var chosenPath: String?
  /// The database of the ledger; nil for a file in the state folder.
  package var ledger: LedgerSettings?
  /// The settings for the accounts of others; nil for the configuration of a person.
  package var hosting: HostingSettings?
  /// The number of days for which runs with changes are kept.
  public var historyDays = 30
  /// The time that a run of syncs may take; nil for no limit.
  public var timeLimit: Duration?
  /// Whether indexes of the calendars are kept in the user's cache, so that few files are read.
  public var usesCache = true
  /// The paths of the calendars that may be read by an index.
  public var indexedPaths: Set<String> { usesCache ? Set(calendars.values.map(\.path)) : [] }
  /// The command to run after a failed sync: its name or path, then its arguments.
  public var onFailure: [String]?
  /// The command to run after a sync that changed local files: its name or path, then its
  /// arguments.
  public var onChange: [String]?
  /// The command that sends mails: its name or path, then its arguments.
  public var sendmailCommand: [String]?
  /// The absolute path of the metrics file, which ends in `.prom`.
  public var metrics: String?
  /// The name of the calendar for new events; nil if programs choose one.
  public var defaultCalendar: String?
  /// The name of the calendar for new reminders; nil if programs choose one.
  public var defaultReminders: String?
  /// The addresses of the user, as meetings have them.
  public var addresses: Set<CalendarAddress> = []

  /// Creates an empty configuration.
  public init() {}

  /// Parses a configuration.
  ///
  /// - Parameters:
  ///   - text: The TOML document.
  ///   - path: The path of the file, for messages.
  ///   - paths: The resolver for paths in the file.
  ///   - isPrivate: Whether only the owner can read the file, so that it may contain a password.
  ///   - phrases: Creates the parser of dates in queries; nil if queries are not checked.
  /// - Throws: All errors in the configuration.
  package init(
    parsing text: String, path: String, paths: PathResolver, isPrivate: Bool,
    phrases: @escaping () -> DatePhrases? = { nil }
  ) throws(ConfigurationError) {
    self = try ConfigurationReader.read(
      text, path: path, paths: paths, isPrivate: isPrivate, phrases: phrases)
  }
}

/// The settings of a local calendar.
public struct CalendarSettings: Sendable, Hashable {
  /// The name of the calendar.
  public let name: String
  /// The absolute path of a folder, or of a file that ends in `.ics`; `database:NAME` for a calendar in
  /// the ledger.
  public let path: String
  /// Whether the items are rows of the ledger, where only syncs change them.
  public var isInDatabase: Bool { LocalCalendars.databaseName(at: path) != nil }
  /// The kinds of new items.
  public var kinds: Set<ItemKind>
  /// Whether no items are added or changed here, because the remote does not allow it.
  public var isReadOnly: Bool

  /// Creates settings.
  ///
  /// - Parameters:
  ///   - name: The name of the calendar.
  ///   - path: The absolute path of a folder, or of a file that ends in `.ics`.
  ///   - kinds: The kinds of new items; events and reminders by default.
  ///   - isReadOnly: Whether no items are added or changed here.
  public init(
    name: String, path: String, kinds: Set<ItemKind> = CalendarInfo.standardKinds,
    isReadOnly: Bool = false
  ) {
    self.name = name
    self.path = path
    self.kinds = kinds
    self.isReadOnly = isReadOnly
  }
}

/// The settings of a sync between a local calendar and a remote.
public struct SyncSettings: Sendable, Hashable {
  /// The name of the sync.
  public let name: String
  /// The name of the local calendar.
  public let calendar: String
  /// The name of the remote.
  public let remote: String
  /// The maximum number of deletions on a side; nil for the default.
  public let maxDelete: DeletionLimit?
  /// The interval of full content comparisons in days, 0 for never; nil for the default.
  public let verifyDays: Int?
  /// The policies for conflicts.
  public let policies: MergePolicies
  /// The filter for the items to sync.
  public let filter: ItemFilter
  /// The direction in which items and properties are copied.
  public var direction: SyncDirection
  /// The access that the sync needs, which is also the maximum that it uses.
  public let access: AccessTier
  /// The purpose shown when the user is asked; nil for a generated sentence.
  public let purpose: Purpose?
  /// The name of the account's sync that found the calendar; nil for a configured sync.
  package var account: String?

  /// Creates settings.
  public init(
    name: String, calendar: String, remote: String, maxDelete: DeletionLimit?,
    verifyDays: Int? = nil,
    policies: MergePolicies = MergePolicies(), filter: ItemFilter = ItemFilter(),
    direction: SyncDirection = .both, access: AccessTier = .full, purpose: Purpose? = nil
  ) {
    self.name = name
    self.calendar = calendar
    self.remote = remote
    self.maxDelete = maxDelete
    self.verifyDays = verifyDays
    self.policies = policies
    self.filter = filter
    self.direction = direction
    self.access = access
    self.purpose = purpose
  }
}

/// A limit of deletions on a side.
public enum DeletionLimit: Sendable, Hashable {
  /// This number of items, or a quarter of all, whichever is greater.
  case items(Int)
  /// This percentage of all items, from 0 through 100; two are always allowed unless it is 0.
  case percent(Int)
}

extension SyncSettings {
  /// The configured safeguards against deletions.
  package var safeguards: Safeguards {
    var safeguards = Safeguards()
    switch maxDelete {
    case .items(let number)?: safeguards.deletions = number
    case .percent(0)?: (safeguards.deletions, safeguards.percent) = (0, 0)
    case .percent(let share)?: safeguards.percent = share
    case nil: break
    }
    return safeguards
  }
}

extension Configuration {
  /// The addresses of the user: the configured ones, and user names that are e-mail addresses.
  package var knownAddresses: Set<CalendarAddress> {
    let names = (Array(remotes.values) + accounts.values).compactMap { remote -> CalendarAddress? in
      guard case .calDAV(let settings) = remote.kind, let name = settings.server.username,
        name.contains("@")
      else { return nil }
      return CalendarAddress(ofUser: name)
    }
    return addresses.union(names)
  }

  /// The sync of a calendar with a server that sends answers; nil if there is none.
  ///
  /// - Parameter location: The local calendar.
  /// - Returns: The name of the first such sync.
  package func syncThatAnswers(for location: CalendarLocation) -> String? {
    syncs.first { sync in
      guard case .calDAV(let settings)? = remotes[sync.remote]?.kind, settings.invitations == .send
      else { return false }
      return calendars[sync.calendar]?.path == location.path
    }?.name
  }

  /// The syncs with these names, or all of them.
  ///
  /// The name of an account's sync denotes the syncs of all its known calendars.
  ///
  /// - Throws: `EpactError` if a name is unknown.
  public func syncs(named names: [String]) throws(EpactError) -> [SyncSettings] {
    guard !names.isEmpty else { return syncs }
    var chosen: [SyncSettings] = []
    for name in names {
      let isAccount = accountSyncs.contains { $0.name == name }
      let found = syncs.filter { isAccount ? $0.account == name : $0.name == name }
      guard isAccount || !found.isEmpty else {
        throw EpactError.unknown(
          name, what: "sync", known: syncs.map(\.name) + accountSyncs.map(\.name))
      }
      chosen += found.filter { !chosen.contains($0) }
    }
    return chosen
  }
}

extension Configuration {
  /// The identity to which the access of a sync is granted; contacts no server.
  ///
  /// - Throws: `EpactError` if the remote is not configured; `StoreError` if it is a folder that
  ///   does not exist.
  package func grantIdentity(of sync: SyncSettings, _ machine: Machine) throws -> RemoteIdentity {
    guard let remote = remotes[sync.remote] else {
      throw EpactError(
        .configuration, "there is no remote \"\(sync.remote)\"", subject: sync.remote)
    }
    return try Remotes(machine: machine).grantIdentity(of: remote)
  }
}

extension CalendarAddress {
  /// The address that a user writes: a URI, or an e-mail address, which gets its scheme.
  package init?(ofUser text: String) {
    guard !text.contains(where: \.isWhitespace) else { return nil }
    if text.contains(":") {
      self.init(text)
    } else if text.contains("@") {
      self.init("mailto:" + text)
    } else {
      return nil
    }
  }
}

extension SyncBinding {
  /// Creates the binding of a configured sync; contacts no server.
  ///
  /// - Throws: `EpactError` or `StoreError` if a side does not exist.
  package init(
    of sync: SyncSettings, in configuration: Configuration, _ machine: Machine
  ) throws {
    guard let remote = configuration.remotes[sync.remote] else {
      throw EpactError(
        .configuration, "there is no remote \"\(sync.remote)\"", subject: sync.remote)
    }
    let place = try configuration.location(of: sync.calendar)
    let location =
      place.isInDatabase ? place.path : try place.open(for: .reading, knowing: .none).location
    self.init(
      name: sync.name, local: location,
      remote: try Remotes(machine: machine).identity(of: remote), filter: sync.filter.text)
  }
}
