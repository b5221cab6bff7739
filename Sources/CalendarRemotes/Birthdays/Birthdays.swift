// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync

/// The events of contacts by href, and the parts of files that cannot be read.
struct Birthdays: Sendable {
  /// An event with its entity tag.
  struct Event: Sendable {
    let item: CalendarItem
    let tag: EntityTag
    /// The place of the card, for messages.
    let place: String
  }

  /// The events; the href of an event is its UID.
  private var events: [Href: Event] = [:]
  /// The hrefs of the events, in order of the files.
  private var order: [Href] = []
  /// The reasons why parts cannot be read, by their listed hrefs.
  private var unreadable: [Href: String] = [:]
  /// The files with parts that cannot be read.
  private(set) var faultyFiles: Set<String> = []
  /// The events of each file with their tags, including those that may be in an unreadable part.
  private(set) var tags: [String: [Href: EntityTag]] = [:]
  /// The events that may be in an unreadable part, with their last tags.
  private var doubtful: [Href: EntityTag] = [:]

  /// Reads all contacts.
  ///
  /// - Parameters:
  ///   - source: The contacts.
  ///   - listing: The files.
  ///   - titles: The titles of the events.
  ///   - known: The state after the last reading.
  /// - Throws: An error of the source.
  init(
    of source: any ContactSource, _ listing: ContactListing, titled titles: ContactEventTitles,
    known: BirthdayMemory?
  ) throws {
    for file in listing.files {
      guard let cards = try source.read(file.name) else { continue }
      add(cards, of: file.name, isSingleFile: source.isSingleFile, titles)
    }
    for name in listing.undecodable {
      unreadable[Href(ServerText.escaped(name))] = "the name of the file is not UTF-8"
    }
    if let known { doubt(known, Set(listing.files.map(\.name))) }
  }

  private mutating func add(
    _ cards: ContactCards, of file: String, isSingleFile: Bool, _ titles: ContactEventTitles
  ) {
    let name = ServerText.escaped(file)
    for fault in cards.faults {
      faultyFiles.insert(file)
      let place = fault.line.map { "\(name) line \($0)" } ?? name
      unreadable[Href(place)] = ServerText.escaped(fault.reason)
    }
    var numbers: [String: Int] = [:]
    for card in cards.cards {
      // A file with one card is the contact; in other files only the name can identify one.
      var key = file
      if isSingleFile || cards.count > 1, card.uid == nil {
        let contact = card.name ?? ""
        let number = numbers[contact, default: 0]
        numbers[contact] = number + 1
        key = "\(isSingleFile ? "" : file)\n\(number)\n\(contact)"
      }
      for event in ContactEvent.events(of: card, withoutUID: key) {
        add(event, titles, file: file, place: "\(name) line \(card.line)")
      }
    }
  }

  /// Adds an event; of several with the same UID, the first one counts.
  private mutating func add(
    _ event: ContactEvent, _ titles: ContactEventTitles, file: String, place: String
  ) {
    let href = Href(event.uid.rawValue)
    do throws(ItemError) {
      let item = try event.item(titled: titles)
      let tag = EntityTag("\"\(SHA256.digest(of: item.serialized()))\"")
      guard let first = events[href] else {
        events[href] = Event(item: item, tag: tag, place: place)
        order.append(href)
        tags[file, default: [:]][href] = tag
        return
      }
      // A copy of a card says the same, and is not worth a report.
      guard first.tag != tag else { return }
      unreadable[Href(place)] =
        "expected a UID of its own, found that of the card in \(first.place), which is used"
    } catch {
      unreadable[Href(place)] = error.message
    }
  }

  /// Lists every known event that may be in an unreadable part of its file as unchanged.
  ///
  /// A file with a new name may be one that was renamed.
  private mutating func doubt(_ known: BirthdayMemory, _ files: Set<String>) {
    for file in faultyFiles {
      let places = known.contains(file) ? [file] : known.events.keys.filter { !files.contains($0) }
      for place in places {
        for (href, tag) in known.events[place, default: [:]] where events[href] == nil {
          doubtful[href] = tag
          tags[file, default: [:]][href] = tag
        }
      }
    }
  }

  /// The entries; unreadable ones have no tag, so that they are fetched and reported.
  var entries: [RemoteEntry] {
    order.map { RemoteEntry(href: $0, etag: events[$0]?.tag) }
      + doubtful.sorted { $0.key.rawValue < $1.key.rawValue }
      .map { RemoteEntry(href: $0.key, etag: $0.value) }
      + unreadable.keys.sorted { $0.rawValue < $1.rawValue }
      .map { RemoteEntry(href: $0, etag: nil) }
  }

  /// Returns the event or the error for an href.
  func fetch(_ href: Href) -> RemoteFetch {
    if let event = events[href] { return .item(href: href, etag: event.tag, item: event.item) }
    if let reason = unreadable[href] { return .unreadable(href: href, reason: reason) }
    if doubtful[href] != nil {
      return .unreadable(
        href: href, reason: "a part of the contacts cannot be read, which may be its card")
    }
    return .missing(href: href)
  }
}
