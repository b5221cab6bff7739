// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
package import Epact
package import EpactConsole
import ICUServices
import Logging

/// The environment of a command: the console, the log and the dependencies.
package struct Context: Sendable {
  /// The output.
  let console: Console
  /// The log of internal steps; silent without `-v`.
  let log: Logger
  /// The clock, the environment, the folders and the account.
  private(set) var machine: Machine
  /// The facts about the process.
  let process: HostProcess
  private let options: GlobalOptions

  /// Creates the context of a command with these options.
  package init(options: GlobalOptions, machine: Machine, process: HostProcess) {
    let console = Console(
      color: options.color, isQuiet: options.quiet, repeatedOptions: options.repeated,
      environment: machine.environment)
    self.console = console
    var machine = machine
    if let folder = options.zoneinfo {
      // ICU is not a folder: it selects the fallback of machines without time zone files.
      machine.zones =
        folder == "ICU"
        ? ZoneDatabase(folders: [], fallback: ICUZones())
        : ZoneDatabase(folders: [machine.paths.absolute(folder)])
    }
    machine.ledger = .configured(options.config.map(machine.paths.absolute))
    self.machine = machine
    console.writeTimes { [machine] in machine.localTime($0) }
    self.process = process
    let handler = StandardErrorLog(console: console, verbosity: options.verbose)
    log = Logger(label: "epact", factory: { _ in handler })
    self.options = options
  }

  /// The context of the account for which the command acts: its configuration, folder and ledger.
  ///
  /// - Throws: `EpactError` if the configuration is not that of a host, or if the host has no such account.
  func actingForAccount() throws -> Context {
    guard let name = options.hosted else { return self }
    var context = self
    let host = try host()
    context.machine = host.machine(for: try host.account(named: name))
    // The paths of the command line are those of the person who wrote it.
    context.machine.currentFolder = machine.currentFolder
    return context
  }

  /// The resolver for paths of the command line.
  var paths: PathResolver { machine.paths }

  /// Expects that the command does not act for a hosted account, for which it would do nothing of use.
  ///
  /// - Throws: `Failure`.
  func expectNoAccount() throws(Failure) {
    guard options.hosted != nil else { return }
    throw Failure(
      .usage, "--hosted is not possible here: the syncs of accounts are run by the host")
  }

  /// The location of the configuration.
  var configurationFile: ConfigurationFile {
    ConfigurationFile(machine: machine)
  }

  /// The user's configuration.
  ///
  /// - Throws: `Failure` or `ConfigurationError`.
  func configuration() throws -> Configuration {
    try configurationFile.load()
  }

  /// The calendars of the configuration.
  var library: CalendarLibrary { CalendarLibrary(machine: machine) }

  /// The user's addresses; none with a configuration that cannot be used.
  var userAddresses: Set<CalendarAddress> { (try? configuration().knownAddresses) ?? [] }

  /// The calendars that may be read by an index; none with a configuration that cannot be used.
  var indexedPaths: Set<String> { (try? configuration().indexedPaths) ?? [] }

  /// The ends of the UIDs of copies that the user's mirrors made.
  var copySuffixes: [String] { (try? configuration().copySuffixes) ?? [] }

  /// The viewer's time zone: the requested one, or that of the machine.
  ///
  /// Warns if the zone of the machine is unknown.
  ///
  /// - Throws: `EpactError` if the requested zone is unknown.
  func viewerZone(_ name: String?) throws(EpactError) -> ZoneRules {
    warnAboutFallback()
    if name == nil, let local = machine.unknownLocalZone {
      console.warn("the local time zone \"\(local)\" is not known; times are in UTC")
    }
    return try machine.viewerZone(name)
  }

  /// The resolver of time zone names.
  ///
  /// Warns about possibly outdated zones if the fallback is used.
  var zoneResolver: ZoneResolver {
    warnAboutFallback()
    return machine.zoneResolver
  }

  /// The normal form for comparisons, with the time zones of the machine.
  var normalForm: NormalForm { NormalForm(zones: zoneResolver) }

  /// Notes that the configuration lacks something that `epact init` adds.
  func noteMissing(_ what: String, to verb: String = "add") {
    console.note(
      "There is no \(what) in the configuration. To \(verb) one: \(SuggestedCommand.initialize)")
  }

  /// Warns about possibly outdated zones if the fallback is used.
  func warnAboutFallback() {
    guard machine.zones.isFallback else { return }
    console.warn(
      "there are no files of time zones, so those of \(machine.zones.source ?? "nowhere") are "
        + "used, "
        + "of version \(machine.zones.version ?? "unknown"), which may be out of date")
  }
}
