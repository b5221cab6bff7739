// SPDX-License-Identifier: Apache-2.0

import CalendarModel
@testable import CalendarRemotes
import CalendarSync
import Foundation
import ICalSyntax
import TestSupport
import Testing

/// Events of real programs through the form of each vendor and back.
///
/// `EPACT_CORPUS` in the environment is a folder of more files; the shares are then printed.
@Suite("Vendors and the events of real programs")
struct VendorFixtureTests {
  private struct Shares {
    var whole = 0
    var stashed = 0
    var refused: [String: Int] = [:]

    var all: Int { whole + stashed + refused.values.reduce(0, +) }
  }

  private static var folders: [URL] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let more = ProcessInfo.processInfo.environment["EPACT_CORPUS"].map { URL(filePath: $0) }
    return [root.appending(path: "Fixtures")] + [more].compactMap(\.self)
  }

  /// The items with events in all files of the folders.
  private static func items() throws -> [CalendarItem] {
    var items: [CalendarItem] = []
    for folder in folders {
      let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
      for case let file as URL in files ?? .init() where file.pathExtension == "ics" {
        guard let data = try? Data(contentsOf: file), data.count < 4_000_000,
          let stream = try? CalendarStream(parsing: Array(data))
        else { continue }
        for calendar in stream.calendars {
          let events = calendar.components(named: .event)
          for (_, parts) in Dictionary(grouping: events, by: { $0[.uid]?.text ?? "" }) {
            let zones = calendar.components(named: .timeZone)
            if let item = try? CalendarItem(components: parts, timeZones: zones) {
              items.append(item.normalized(by: VendorScene.form))
            }
          }
        }
      }
    }
    return items
  }

  /// The properties and nested components of a component, without those that a remote keeps itself.
  private func parts(_ component: Component) -> [Component: Int] {
    let own: Set<PropertyName> = [.dtStamp, .created, .lastModified]
    var parts: [Component: Int] = [:]
    for property in component.properties where !own.contains(property.name) {
      if property.isNamed(.sequence), property.rawValue == "0" { continue }
      parts[Component("X", properties: [property], components: [] as [Component]), default: 0] += 1
    }
    for nested in component.components { parts[nested, default: 0] += 1 }
    return parts
  }

  private func check(_ form: some VendorForm, _ items: [CalendarItem]) throws -> Shares {
    var shares = Shares()
    for item in items {
      switch form.fit(of: item) {
      case .refused(let refusal):
        shares.refused[refusal.code, default: 0] += 1
        continue
      case .whole: shares.whole += 1
      case .stashed: shares.stashed += 1
      }
      let divided = try VendorItem(item, form)
      let all = [(nil, divided.main)] + divided.overrides.map { (divided.main.component, $0.part) }
      for (master, part) in all {
        let held = try form.held(part.component, divided.times, overriding: master)
        let stash = try #require(ComponentStash(text: part.stash.text), "\(part.stash.text)")
        let back = part.stash.isEmpty ? held : stash.splice(into: held).component
        #expect(parts(back) == parts(part.component), "\(item.uid): every line returns")
      }
    }
    return shares
  }

  @Test("Every line of an event returns, or the event is refused")
  func everyLine() throws {
    let items = try Self.items()
    #expect(items.count > 300, "there are enough events")
    let shares = [
      ("Google", try check(GoogleForm(zones: VendorScene.zones, writesPeople: true), items)),
      ("Microsoft", try check(GraphForm(zones: VendorScene.zones, writesPeople: true), items)),
    ]
    for (vendor, share) in shares {
      #expect(share.all == items.count)
      #expect(share.whole + share.stashed > items.count / 2, "most events are held")
      guard ProcessInfo.processInfo.environment["EPACT_CORPUS"] != nil else { continue }
      print(
        "\(vendor): \(items.count) events, \(share.whole) in fields, \(share.stashed) with a stash,",
        "refused: \(share.refused.sorted { $0.key < $1.key })")
    }
  }
}
