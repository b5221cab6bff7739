// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync

/// The state of contacts between runs, stored as the text of a cursor.
///
/// ```
/// birthdays 1
/// place ef53-3c5a
/// titles 9f86d081884c7d65…
/// file 1a2-18c3…-18c3…-4f1 ana.vcf
/// event epact-birthday-1b4f0e9851971998… "60303ae22b998861…"
/// file - broken%0A.vcf
/// ```
///
/// The events of a file follow it. A file without a version is read again in any case. Any other text
/// is ignored; the contacts are then read as if for the first time, which deletes nothing.
struct BirthdayMemory: Hashable, Sendable {
  /// The file system.
  let place: String
  private let titles: String
  private let files: [ContactListing.File]
  /// The events of each file with their tags.
  let events: [String: [Href: EntityTag]]

  private static let header = "birthdays 1"
  /// The maximum size of a cursor, in bytes.
  private static let sizeLimit = 64 << 20

  /// Creates the state after the contacts were read.
  init(
    of read: Birthdays, _ listing: ContactListing, in source: any ContactSource,
    _ titles: ContactEventTitles
  ) {
    place = source.place
    self.titles = Self.digest(of: titles)
    files = listing.files.map { file in
      read.faultyFiles.contains(file.name)
        ? ContactListing.File(name: file.name, version: nil) : file
    }
    events = read.tags
  }

  /// Whether a file was listed.
  func contains(_ file: String) -> Bool { files.contains { $0.name == file } }

  /// Whether no file changed, and all files were readable.
  func isCurrent(
    _ listing: ContactListing, of source: any ContactSource, _ titles: ContactEventTitles
  ) -> Bool {
    place == source.place && self.titles == Self.digest(of: titles) && listing.undecodable.isEmpty
      && files == listing.files && files.allSatisfy { $0.version != nil }
  }

  private static func digest(of titles: ContactEventTitles) -> String {
    SHA256.digest(of: Array("\(titles.birthday)\n\(titles.anniversary)".utf8)).description
  }

  /// The state as a cursor.
  var cursor: RemoteCursor {
    var lines = [Self.header, "place \(place)", "titles \(titles)"]
    for file in files {
      lines.append("file \(file.version ?? "-") \(Self.escaped(file.name))")
      let known = events[file.name, default: [:]]
      lines += known.map { "event \($0.rawValue) \($1.rawValue)" }.sorted()
    }
    return RemoteCursor(lines.joined(separator: "\n"))
  }

  /// Escapes characters that could end the line or look like an escape.
  private static func escaped(_ name: String) -> String {
    PercentEncoding.escapingForbidden(name.replacing("%", with: "%25"))
  }

  /// Parses a cursor, or returns nil if it is not that of contacts.
  init?(_ cursor: RemoteCursor) {
    guard cursor.bytes.count <= Self.sizeLimit else { return nil }
    let lines = cursor.rawValue.split(separator: "\n")
    guard lines.count >= 3, lines[0] == Self.header, lines[1].hasPrefix("place "),
      lines[2].hasPrefix("titles ")
    else { return nil }
    var files: [ContactListing.File] = []
    var events: [String: [Href: EntityTag]] = [:]
    for line in lines.dropFirst(3) {
      let words = line.split(separator: " ", maxSplits: 2).map(String.init)
      guard words.count == 3 else { return nil }
      if words[0] == "file", let name = PercentEncoding.decoded(words[2]) {
        files.append(ContactListing.File(name: name, version: words[1] == "-" ? nil : words[1]))
      } else if words[0] == "event", let file = files.last {
        events[file.name, default: [:]][Href(words[1])] = EntityTag(words[2])
      } else {
        return nil
      }
    }
    place = String(lines[1].dropFirst("place ".count))
    titles = String(lines[2].dropFirst("titles ".count))
    (self.files, self.events) = (files, events)
  }
}
