// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICUServices
import Logging
import Recurrence

/// The environment of a command: the console, the log and the dependencies.
struct Context: Sendable {
  /// The output.
  let console: Console
  /// The log of internal steps; silent without `-v`.
  let log: Logger
  /// The clock, the environment, the folders and the account.
  let machine: Dependencies
  private let options: GlobalOptions
  private let windowsZones = WindowsZoneTable()

  /// Creates the context of a command with these options.
  init(options: GlobalOptions, machine: Dependencies) {
    let console = Console(
      color: options.color, isQuiet: options.quiet, configuration: options.config,
      environment: machine.environment)
    self.console = console
    var machine = machine
    if let folder = options.zoneinfo {
      let paths = PathResolver(home: machine.homeFolder, base: machine.currentFolder)
      // ICU is not a folder: it selects the fallback of machines without time zone files.
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

  /// The resolver for paths of the command line.
  var paths: PathResolver {
    PathResolver(home: machine.homeFolder, base: machine.currentFolder)
  }

  /// The path of the configuration.
  var configurationPath: String {
    ConfigurationFile(option: options.config, machine: machine).path
  }

  /// The user's configuration.
  ///
  /// - Throws: `Failure` or `ConfigurationError`.
  func configuration() throws -> Configuration {
    try ConfigurationFile(option: options.config, machine: machine).load()
  }

  /// The calendar given by an argument.
  ///
  /// - Throws: `Failure` or `ConfigurationError`.
  func calendarPlace(_ argument: String) throws -> CalendarPlace {
    try CalendarPlace(argument, configuration: try configuration(), machine: machine)
  }

  /// The recurrence options, with the calendar systems that RSCALE may name.
  var recurrenceOptions: RecurrenceOptions {
    var options = RecurrenceOptions()
    options.calendars = machine.calendars
    return options
  }

  /// The viewer's time zone: the requested one, or that of the machine.
  ///
  /// - Throws: `Failure` if the requested zone is unknown.
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

  /// The resolver of time zone names.
  ///
  /// Warns about possibly outdated zones if the fallback is used.
  var zoneResolver: ZoneResolver {
    if machine.zones.isFallback {
      console.warn(
        "there are no files of time zones, so those of \(machine.zones.source ?? "nowhere") are used, "
          + "of version \(machine.zones.version ?? "unknown"), which may be out of date")
    }
    let (windows, territory) = (windowsZones, self.territory)
    return ZoneResolver(database: machine.zones) { windows.zone(for: $0, territory: territory) }
  }

  /// The normal form for comparisons, with the time zones of the machine.
  var normalForm: NormalForm { NormalForm(zones: zoneResolver) }

  /// The end of comparisons of time zone definitions with endless recurrences: in about ten years.
  var zoneHorizon: Instant { Self.zoneHorizon(after: machine.now()) }

  /// The end of comparisons of time zone definitions with endless recurrences, relative to `now`.
  static func zoneHorizon(after now: Instant) -> Instant {
    now.adding(seconds: 10 * 366 * 86_400) ?? now
  }

  /// The locale of displayed dates, such as `de_AT`.
  ///
  /// It is the first non-empty value of `LC_ALL`, `LC_TIME` and `LANG`. The C locale names no
  /// language; dates are then in British English, with the day before the month and the 24-hour
  /// clock.
  var dateLocale: String {
    let name = localeName.prefix { $0 != "." && $0 != "@" }
    return name.isEmpty || name == "C" || name == "POSIX" ? "en_GB" : String(name)
  }

  private var localeName: String {
    ["LC_ALL", "LC_TIME", "LANG"].lazy
      .compactMap { machine.environment[$0] }.first { !$0.isEmpty } ?? ""
  }

  /// The territory of the locale, such as `AT` in `de_AT.UTF-8`; nil if there is none.
  ///
  /// It selects among the zones of a Windows name, which differ between countries.
  private var territory: String? {
    guard let part = localeName.split(separator: "_").dropFirst().first else { return nil }
    let code = part.prefix { $0.isLetter }
    return code.utf8.count == 2 ? String(code) : nil
  }
}
