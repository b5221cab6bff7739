// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import CalendarSync
import CivilTime
import Epact
import Glibc

/// Checks everything that a sync needs.
struct Doctor: Sendable {
  let context: Context
  let isOffline: Bool

  var machine: Machine { context.machine }

  /// The findings, group by group, the remotes last.
  func groups() -> AsyncStream<[Finding]> {
    AsyncStream { stream in
      let work = Task {
        stream.yield([clock, zones])
        stream.yield(await ledger())
        do {
          let configuration = try context.configuration()
          stream.yield(files(configuration))
          for name in configuration.calendars.keys.sorted() {
            guard let calendar = configuration.calendars[name] else { continue }
            stream.yield(await self.calendar(calendar))
          }
          for name in configuration.remotes.keys.sorted() {
            guard let settings = configuration.remotes[name], !Task.isCancelled else { continue }
            stream.yield(await remote(settings, configuration))
          }
        } catch {
          stream.yield([Finding("configuration", error)])
        }
        stream.finish()
      }
      stream.onTermination = { _ in work.cancel() }
    }
  }

  // MARK: The machine

  /// An instant before the first release of the program: 1 January 2026.
  private static let beginning = Instant(secondsSinceEpoch: 1_767_225_600)

  private var clock: Finding {
    let now = machine.now()
    guard now >= Self.beginning else {
      return Finding(
        .error, "clock", "the clock says \(now.timestamp), which is long over",
        advice: "Set it, or let it be set: timedatectl set-ntp true")
    }
    return Finding(.ok, "clock", "\(now.timestamp)")
  }

  private var zones: Finding {
    let zones = machine.zones
    guard let source = zones.source else {
      return Finding(
        .error, "time zones", "there are none", advice: "Install the package tzdata.")
    }
    let version = zones.version ?? "of an unknown version"
    guard !zones.isFallback else {
      return Finding(
        .warning, "time zones", "there are no files, so \(version) of \(source) is used",
        advice: "Install the package tzdata: governments change their clocks every year.")
    }
    if let name = machine.localZone, !zones.names.contains(name), name != "UTC" {
      return Finding(
        .warning, "time zones", "the zone of this machine, \"\(name)\", is not known",
        advice: "Correct $TZ or /etc/localtime.")
    }
    // Releases are named after their year; a release from before last year lacks changes.
    if let year = Int(version.prefix(4)), let now = machine.now().civil(), year < now.date.year - 1
    {
      return Finding(
        .note, "time zones", "version \(version) from \(source) is out of date",
        advice: "Update the package tzdata.")
    }
    return Finding(.ok, "time zones", "version \(version) from \(source)")
  }

  // MARK: Files

  private func files(_ configuration: Configuration) -> [Finding] {
    let path = context.configurationPath
    let counts = [
      "\(Count(configuration.calendars.count, "calendar"))",
      "\(Count(configuration.remotes.count, "remote"))",
      "\(Count(configuration.syncs.count, "sync"))",
    ].joined(separator: ", ")
    guard FileMode(path) != nil else {
      return [
        Finding(
          .warning, "configuration", "there is none at \(path)",
          advice: "To make one: \(SuggestedCommand.initialize)")
      ]
    }
    var findings = [Finding(.ok, "configuration", "\(path): \(counts)")]
    if configuration.syncs.isEmpty {
      findings.append(
        Finding(
          .warning, "configuration", "there is no [[sync]] in it, and so nothing to do",
          advice: "To add one: \(SuggestedCommand.initialize)"))
    }
    do {
      let policies = try AccessPolicyFile(machine: machine).load()
      if !policies.isEmpty {
        findings.append(
          Finding(.note, "policy", "an administrator's policy caps what can be granted"))
      }
    } catch {
      findings.append(Finding("policy", error))
    }
    return findings
  }

  private func calendar(_ settings: CalendarSettings) async -> [Finding] {
    do {
      let place = try CalendarLocation(
        settings.name, configuration: try context.configuration(), machine: machine)
      guard place.exists else {
        return [
          Finding(
            .error, "calendar", of: settings.name, "there is nothing at \(place.path)",
            advice: "If it is new, make its folder: mkdir -p \(ShellWord(place.path))",
            status: .nothingDone)
        ]
      }
      let listing = try await place.open(for: .reading).scan()
      var findings = listing.unreadable.map {
        Finding(
          .error, "calendar", of: settings.name, "\($0.name): \($0.reason)",
          advice: "To see where: \(SuggestedCommand.check(place.path))", status: .someFailed)
      }
      if unsafe access(place.path, W_OK) != 0 {
        findings.append(
          Finding(
            .error, "calendar", of: settings.name, "\(place.path) cannot be written",
            advice: "A sync writes what is new on the other side.", status: .nothingDone))
      }
      let summary: ConsoleText = "\(Count(listing.entries.count, "item")) in \(place.path)"
      return findings.isEmpty ? [Finding(.ok, "calendar", of: settings.name, summary)] : findings
    } catch {
      return [Finding("calendar", of: settings.name, error)]
    }
  }
}
