// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarRemotes
import CalendarSync
import CivilTime

extension Doctor {
  /// The number of items that are named of those that a vendor cannot hold.
  private static let namedItems = 3

  /// Reads a calendar at a vendor, and reports how the calendars that are synced with it fit there.
  func reach(
    _ vendor: VendorSettings, _ name: String, _ calendar: any RemoteCalendar,
    _ configuration: Configuration
  ) async throws -> [Diagnosis] {
    let count = Count(try await calendar.list().count, "item")
    var findings = [
      Diagnosis(.ok, "reachability", of: name, "the calendar is there, with \(count)"),
      Diagnosis(
        .note, "interface", of: name,
        "preview: built to the documentation of \(vendor.vendor.holding.interface), tested against a "
          + "double, and not tried at the service"),
    ]
    guard let holding = calendar.holding else { return findings }
    let syncs = configuration.syncs.filter { $0.remote == name && $0.direction != .pull }
    for sync in syncs {
      findings += try await holdings(of: sync.calendar, by: holding, name, configuration)
    }
    return findings
  }

  private func holdings(
    of calendar: String, by holding: any ItemHolding, _ remote: String,
    _ configuration: Configuration
  ) async throws -> [Diagnosis] {
    let place = try configuration.location(of: calendar)
    guard place.exists else { return [] }
    let listing = try await place.open(for: .reading, knowing: machine.knownNames).scan()
    var (stashed, names, refused) = (0, Set<String>(), [String]())
    for entry in listing.entries {
      let item = entry.item.normalized(by: machine.normalForm)
      // Occurrences without their series come from the vendor alone, which has them.
      let own = item.main == nil ? HeldItem(href: Href(""), item: item) : nil
      switch holding.fit(of: item, replacing: own) {
      case .whole: continue
      case .stashed(let parts):
        stashed += 1
        names.formUnion(parts)
      case .refused(let refusal):
        refused.append("\"\(item.title)\": \(refusal.words)")
      }
    }
    let all = Count(listing.entries.count, "item")
    var findings: [Diagnosis] = []
    if stashed > 0 {
      findings.append(
        Diagnosis(
          .note, "holding", of: remote,
          "\(stashed) of \(all) in \(calendar) have parts without a field there, which are stored "
            + "beside the others: \(names.sorted().joined(separator: ", "))"))
    }
    if !refused.isEmpty {
      let rest = refused.count - Self.namedItems
      findings.append(
        Diagnosis(
          .warning, "holding", of: remote,
          "\(refused.count) of \(all) in \(calendar) cannot be held there, and stay here alone: "
            + refused.prefix(Self.namedItems).joined(separator: "; ")
            + (rest > 0 ? "; and \(rest) more" : "")))
    }
    return findings
  }
}
