// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CalendarRemotes
public import CalendarStore
public import CivilTime
public import Recurrence

/// The clock, the environment, the folders, the time zones and the network of a machine and a user.
///
/// All code of the front takes what it needs from this value, and nothing else reaches for the
/// machine. ``live()`` is the machine that the process runs on; tests and embedding programs change
/// single properties:
///
/// ```swift
/// var machine = Machine.live()
/// machine.environment["XDG_CONFIG_HOME"] = folder
/// machine.now = { Instant(secondsSinceEpoch: 1_767_225_600) }
/// ```
public struct Machine: Sendable {
  /// The variables of the environment.
  public var environment: [String: String]
  /// The user's home folder.
  public var homeFolder: String
  /// The absolute path of the program that the process runs.
  public var executablePath: String
  /// The base of relative paths.
  public var currentFolder: String
  /// Looks up the name of the user's account.
  public var userName: @Sendable () -> String
  /// The user's numeric ID.
  public var userID: UInt32
  /// The paths of administrators' access policies.
  public var policyPaths: [String]
  /// The time zones of the system.
  public var zones: ZoneDatabase
  /// The calendar systems other than Gregorian, for rules with RSCALE (RFC 7529).
  public var calendars: [any CalendarSystem]
  /// The name of the user's or the machine's time zone; nil if unknown.
  public var localZone: String?
  /// Creates a transport with an identity and a maximum number of connections to a server.
  public var makeTransport:
    @Sendable (NetworkIdentity, _ connections: Int) throws -> any HTTPTransport
  /// The clock and the randomness of request retries.
  public var pace: PatientTransport.Pace
  /// The current local time of day, such as `02:30`.
  public var timeOfDay: @Sendable () -> String
  /// The current time.
  public var now: @Sendable () -> Instant
  /// Creates the UID of a new item.
  public var makeUID: @Sendable () -> UID
  /// Creates a secret of 32 bytes from the system's cryptographic random source.
  public var makeSecret: @Sendable () -> [UInt8]
  /// Monotonic seconds since an arbitrary instant.
  public var stopwatch: @Sendable () -> Double
  /// Seconds since an arbitrary instant, including the time of suspends.
  public var uptime: @Sendable () -> Double
  /// Begins to report events of the clock and the network, as long as the result exists; nil if the
  /// system does not report them.
  public var watch: @Sendable (@escaping @Sendable (MachineEvent) -> Void) -> (any Sendable)?
  /// The addresses of this machine in networks, sorted, without loopback and link-local ones.
  public var networkAddresses: @Sendable () -> [String]
  /// Shows a message of a library, such as the reason why a program gets no access.
  ///
  /// The live machine writes it to standard error.
  public var note: @Sendable (_ message: String) -> Void
  /// Calls a closure when the process exits.
  public var atExit: @Sendable (_ body: @escaping @Sendable () -> Void) -> Void
  /// The place of the ledger.
  package var ledger = LedgerPlace.configured(nil)
  /// The watcher of folders, one for the process.
  public var folderWatcher = FolderWatcher()
  /// The resolvers of time zone names, created on demand.
  let resolvers = ZoneResolvers()
}

extension Machine {
  /// The resolver for paths given by the user.
  package var paths: PathResolver { PathResolver(home: homeFolder, base: currentFolder) }

  /// The folder of the user's configurations: `$XDG_CONFIG_HOME`, else `~/.config`.
  package var configurationFolder: String { folder("XDG_CONFIG_HOME", orHome: ".config") }

  /// The folder of the ledger: `$XDG_STATE_HOME/epact`, else `~/.local/state/epact`.
  package var stateFolder: String { folder("XDG_STATE_HOME", orHome: ".local/state") + "/epact" }

  /// The folder of caches, which can be deleted at any time: `$XDG_CACHE_HOME/epact`, else
  /// `~/.cache/epact`.
  package var cacheFolder: String { folder("XDG_CACHE_HOME", orHome: ".cache") + "/epact" }

  /// A command in the folders of this user, for systemd and cron: they start it without the variables of
  /// the shell, and it would have another configuration and another ledger.
  func keepingFolders(_ words: [String]) -> [String] {
    let folders = [
      ("XDG_CONFIG_HOME", ".config"), ("XDG_STATE_HOME", ".local/state"),
      ("XDG_CACHE_HOME", ".cache"),
    ]
    let chosen = folders.compactMap { variable, part -> String? in
      let path = folder(variable, orHome: part)
      return path == homeFolder + "/" + part ? nil : "\(variable)=\(path)"
    }
    return chosen.isEmpty ? words : ["/usr/bin/env"] + chosen + words
  }

  /// A folder of the XDG base directory specification, which requires relative paths to be ignored.
  private func folder(_ variable: String, orHome part: String) -> String {
    if let path = environment[variable], path.hasPrefix("/") { return path }
    return homeFolder + "/" + part
  }
}

/// The place of a ledger.
package enum LedgerPlace: Sendable {
  /// The place of a configuration: a database if it names one, else the user's state folder.
  ///
  /// The path is that of the file that the user chose, and nil for the standard one.
  case configured(String?)
  /// A folder, whatever a configuration says.
  case folder(String)
  /// That of a hosted account, whose configuration is stored there, too.
  case hosted(HostedPlace)
}

/// The place of a hosted account: its configuration is in the ledger of the host, and its own ledger in
/// the database of the host or in its home folder.
package struct HostedPlace: Sendable {
  /// The name of the account.
  package let name: String
  /// The configuration, a TOML document.
  let configuration: String
  /// The command of the host that prints the passwords of accounts; nil for none.
  let passwordCommand: [String]?
  /// The database of the account's ledger; nil for a file in the home folder.
  let database: PostgreSQLPlace?

  /// The name of the configuration in messages.
  var path: String { "\(name).toml" }
}

/// The version of the package.
package enum Version {
  /// The version, as in the user agent of requests.
  package static let program = "0.2.0"
}
