// SPDX-License-Identifier: Apache-2.0

import CalendarSync
package import CivilTime
package import Epact

extension SetupWriter.Event {
  /// The event as text.
  package var message: Message {
    switch self {
    case .alreadySynced(let name, let entry, let hasPassword):
      .say(
        """
        \(name, .bold): \(entry.shownLocation) is already in the configuration, and is not changed\
        \(hasPassword ? ", nor is its password" : "")
        """)
    case .written(let path, let isNew): .say(isNew ? "Written: \(path)" : "Added to \(path)")
    case .configurationIsLink(let text): .show(ConsoleText(lines: text))
    case .added(let entry):
      .say("\(entry.name, .bold): \(entry.path) and \(entry.shownLocation)")
    case .alreadyGranted(let entry, let grant):
      .note(
        "\(entry.name): access is granted already: \(grant.tier.rawValue), for: \(grant.purpose)")
    case .weakPurpose(let weakness): .note(weakness.advice)
    }
  }
}

extension SetupPlan.Entry {
  /// The line about the contents of a calendar; nil if they were not read.
  package var contentsLine: ConsoleText? {
    contents.map { contents in
      let faults = contents.unreadableCount
      let rest = faults == 0 ? "" : ", and \(Count(faults, "part")) that cannot be read"
      let name = contents.name ?? shownLocation
      return "\(name, .bold): \(Count(contents.itemCount, "item"))\(rest)"
    }
  }
}

extension VdirsyncerTakeover.Result {
  /// The lines about the items whose state was taken over, by sync.
  package var seedLines: [ConsoleText] {
    seeds.compactMap { seed in
      let words = [
        (seed.unchanged, "unchanged here since vdirsyncer's last run"), (seed.edited, "edited"),
        (seed.deleted, "deleted"), (seed.unknown, "to be compared"),
      ].filter { $0.0 > 0 }.map { "\(Count.grouped($0.0)) \($0.1)" }
      return words.isEmpty ? nil : "\(seed.sync, .bold): \(words.joined(separator: ", "))"
    }
  }
}

extension InstalledJob {
  /// The lines about the next run, and about a job that does not run.
  package func messages(after now: Instant, in zone: ZoneRules) -> [Message] {
    let later = delay > 0 ? ", up to \(delay) min later" : ""
    let words =
      times.next(after: now, in: zone).map { "next at \($0) \(zone.name)\(later)" } ?? "\(times)"
    let line = Message.say("\(kind, .bold): \(words) (\(place))")
    guard isActive == false else { return [line] }
    let (what, unit) =
      times == .always ? ("service", "epact-watch") : ("timer", "epact.timer")
    let warning: ConsoleText =
      "the \(what) is not running; to start it: systemctl --user enable --now \(unit)"
    return [line, .warn(warning)]
  }
}
