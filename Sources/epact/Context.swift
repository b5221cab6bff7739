// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICUServices
import Logging
import Recurrence

/// What a command works with: the console, the log, and what the machine gives.
struct Context: Sendable {
  /// Where the words go.
  let console: Console
  /// Where it is told what happens on the way; silent unless asked for with `-v`.
  let log: Logger
  /// The clock, the environment, the folders and the account.
  let machine: Dependencies
  private let options: GlobalOptions
  private let windowsZones = WindowsZoneTable()

  /// Creates what a command with these options works with.
  init(options: GlobalOptions, machine: Dependencies) {
    let console = Console(
      color: options.color, isQuiet: options.quiet, configuration: options.config,
      environment: machine.environment)
    self.console = console
    var machine = machine
    if let folder = options.zoneinfo {
      let paths = PathResolver(home: machine.homeFolder, base: machine.currentFolder)
      // The word ICU is no folder: it asks for what machines without any folder get.
      machine.zones =
        folder == "ICU"
        ? ZoneDatabase(folders: [], fallback: ICUZones())
        : ZoneDatabase(folders: [paths.absolute(folder)])
    }
    self.machine = machine
    let handler = StandardErrorLog(console: console, verbosity: options.verbose)
    log = Logger(label: "epact", factory: { _ in handler })
    self.options = options
  }

  /// How the paths of the command line are made absolute.
  var paths: PathResolver {
    PathResolver(home: machine.homeFolder, base: machine.currentFolder)
  }

  /// The path of the configuration.
  var configurationPath: String {
    ConfigurationFile(option: options.config, machine: machine).path
  }

  /// The person's configuration.
  ///
  /// - Throws: `Failure` or `ConfigurationError`.
  func configuration() throws -> Configuration {
    try ConfigurationFile(option: options.config, machine: machine).load()
  }

  /// The calendar that an argument means.
  ///
  /// - Throws: `Failure` or `ConfigurationError`.
  func calendarPlace(_ argument: String) throws -> CalendarPlace {
    try CalendarPlace(argument, configuration: try configuration(), machine: machine)
  }

  /// What is decided of rules where the RFC leaves it open, with the calendars that RSCALE may name.
  var recurrenceOptions: RecurrenceOptions {
    var options = RecurrenceOptions()
    options.calendars = machine.calendars
    return options
  }

  /// The zone of whoever looks: the one that was asked for, or else that of the machine.
  ///
  /// - Throws: `Failure` if no zone is known by the name that was asked for.
  func viewerZone(_ name: String?) throws(Failure) -> ZoneRules {
    let resolver = zoneResolver
    if let name {
      guard let rules = try? resolver.rules(of: resolver.resolve(name)) else {
        throw Failure(.usage, "expected the name of a time zone, found \"\(name)\"")
      }
      return rules
    }
    let utc = resolver.resolve("UTC")
    if let local = machine.localZone {
      if let rules = try? resolver.rules(of: resolver.resolve(local)) { return rules }
      console.warn("the local time zone \"\(local)\" is not known; times are in UTC")
    }
    do throws(ZoneResolutionError) {
      return try resolver.rules(of: utc)
    } catch {
      throw Failure(.nothingDone, "\(error.message)")
    }
  }

  /// How the names of time zones are understood.
  ///
  /// That the zones may be out of date is told to whoever asks.
  var zoneResolver: ZoneResolver {
    if machine.zones.isFallback {
      console.warn(
        "there are no files of time zones, so those of \(machine.zones.source ?? "nowhere") are used, "
          + "of version \(machine.zones.version ?? "unknown"), which may be out of date")
    }
    let (windows, territory) = (windowsZones, self.territory)
    return ZoneResolver(database: machine.zones) { windows.zone(for: $0, territory: territory) }
  }

  /// The form in which items are compared: with the time zones that the machine knows.
  var normalForm: NormalForm { NormalForm(zones: zoneResolver) }

  /// How far definitions of time zones are looked at if something recurs for ever: ten years from now.
  var zoneHorizon: Instant { Self.zoneHorizon(after: machine.now()) }

  /// How far definitions of time zones are looked at if something recurs for ever, and it is `now`.
  static func zoneHorizon(after now: Instant) -> Instant {
    now.adding(seconds: 10 * 366 * 86_400) ?? now
  }

  /// The locale in which the person reads dates, such as `de_AT`.
  ///
  /// It is that of the first of `LC_ALL`, `LC_TIME` and `LANG` that is set. The locale of the C library
  /// is no language; dates are in English then, with the day before the month and 24 hours.
  var dateLocale: String {
    let name = localeName.prefix { $0 != "." && $0 != "@" }
    return name.isEmpty || name == "C" || name == "POSIX" ? "en_GB" : String(name)
  }

  private var localeName: String {
    ["LC_ALL", "LC_TIME", "LANG"].lazy
      .compactMap { machine.environment[$0] }.first { !$0.isEmpty } ?? ""
  }

  /// The country of the person's locale, such as `AT` of `de_AT.UTF-8`, or nil if it names none.
  ///
  /// A name of Windows stands for zones of several countries.
  private var territory: String? {
    guard let part = localeName.split(separator: "_").dropFirst().first else { return nil }
    let code = part.prefix { $0.isLetter }
    return code.utf8.count == 2 ? String(code) : nil
  }
}
