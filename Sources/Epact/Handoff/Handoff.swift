// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
import CalendarStore
import ICalSyntax

/// Events for another calendar program: a file that it opens, and links of web calendars.
///
/// No server is contacted, and no result is received from the other program.
package struct Handoff: Sendable {
  /// An event with its links, or with the reason why there are none.
  package struct Entry: Sendable {
    package let item: CalendarItem
    package let links: [AddLink]
    package let refusal: String?
  }

  /// The events, sorted by UID.
  package let entries: [Entry]
  private let machine: Machine

  /// Creates the links of items.
  ///
  /// - Parameters:
  ///   - items: The items, which may also be reminders and journal entries.
  ///   - machine: The time zones and the folders.
  package init(_ items: some Sequence<CalendarItem>, machine: Machine) {
    self.machine = machine
    let zones = machine.zoneResolver
    entries = items.sorted { $0.uid < $1.uid }.map { item in
      do throws(HandoffRefusal) {
        let event = try HandoffEvent(item, zones: zones)
        let links = AddLink.Service.allCases.map { AddLink(event, for: $0) }
        return Entry(item: item, links: links, refusal: nil)
      } catch {
        return Entry(item: item, links: [], refusal: error.reason)
      }
    }
  }

  /// The file with all items.
  package var writing: CalendarWriting { CalendarWriting(entries.map(\.item), machine: machine) }

  /// The JSON representation.
  ///
  /// - Parameter path: The path of the file; nil if there is none.
  /// - Returns: The object.
  package func json(path: String?) -> JSONValue {
    ["file": JSONValue(path), "items": .array(entries.map(\.json))]
  }
}

extension Handoff.Entry {
  /// The distinct notes of the links, each with its services unless it applies to all.
  package var notes: [String] {
    var notes: [String] = []
    for note in links.flatMap(\.notes) where !notes.contains(note) { notes.append(note) }
    return notes.map { note in
      let services = links.filter { $0.notes.contains(note) }.map(\.service.title)
      return services.count == links.count
        ? note : "\(services.joined(separator: ", ")): \(note)"
    }
  }

  fileprivate var json: JSONValue {
    let links = links.map { link -> JSONValue in
      [
        "service": .string(link.service.rawValue), "url": .string(link.address),
        "notes": JSONValue(link.notes),
      ]
    }
    return [
      "uid": .string(item.uid.rawValue), "title": .string(item.title),
      "refusal": JSONValue(refusal), "links": .array(links),
    ]
  }
}
