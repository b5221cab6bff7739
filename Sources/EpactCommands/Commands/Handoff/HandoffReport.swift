// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Epact

/// The output of `epact handoff`: the links of each item, or the reason why there are none.
struct HandoffReport: Sendable {
  private struct Entry: Sendable {
    let item: CalendarItem
    let links: [AddLink]
    let refusal: String?
  }

  private let entries: [Entry]

  /// Creates the links of items.
  init(_ items: [CalendarItem], zones: ZoneResolver) {
    entries = items.map { item in
      do throws(HandoffRefusal) {
        let event = try HandoffEvent(item, zones: zones)
        let links = AddLink.Service.allCases.map { AddLink(event, for: $0) }
        return Entry(item: item, links: links, refusal: nil)
      } catch {
        return Entry(item: item, links: [], refusal: error.reason)
      }
    }
  }

  /// The text output.
  var lines: [ConsoleText] {
    entries.flatMap { entry -> [ConsoleText] in
      let head: ConsoleText = "\(entry.item.title, .bold) \("(\(entry.item.uid))", .dim)"
      if let refusal = entry.refusal { return [head, "  \(refusal)"] }
      let width = AddLink.Service.allCases.map { DisplayWidth.of($0.title) }.max() ?? 0
      var lines = [head]
      for link in entry.links {
        lines.append("  \(DisplayWidth.padded(link.service.title, to: width))  \(link.address)")
      }
      for note in Self.notes(entry.links) { lines.append("  \(note)") }
      return lines
    }
  }

  /// The distinct notes, each with its services unless it applies to all.
  private static func notes(_ links: [AddLink]) -> [String] {
    var notes: [String] = []
    for note in links.flatMap(\.notes) where !notes.contains(note) { notes.append(note) }
    return notes.map { note in
      let services = links.filter { $0.notes.contains(note) }.map(\.service.title)
      return services.count == links.count
        ? note : "\(services.joined(separator: ", ")): \(note)"
    }
  }

  /// The JSON representation.
  func json(path: String?) -> JSONValue {
    let items = entries.map { entry -> JSONValue in
      let links = entry.links.map { link -> JSONValue in
        [
          "service": .string(link.service.rawValue), "url": .string(link.address),
          "notes": .array(link.notes.map { .string($0) }),
        ]
      }
      return [
        "uid": .string(entry.item.uid.rawValue), "title": .string(entry.item.title),
        "refusal": JSONValue(entry.refusal), "links": .array(links),
      ]
    }
    return ["file": JSONValue(path), "items": .array(items)]
  }
}
