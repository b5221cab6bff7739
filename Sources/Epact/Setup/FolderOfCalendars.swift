// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import CalendarStore

/// A folder whose folders are calendars, as vdirsyncer and khal arrange them.
///
/// A calendar without items is a folder that holds nothing, or only the files with its properties.
struct FolderOfCalendars {
  /// The calendars, in order of name; empty if the folder is a calendar itself, or has contacts.
  let calendars: [CalendarSearch.Found]
  /// Whether the folder has contacts (`.vcf`), and is no calendar.
  let holdsContacts: Bool

  /// Lists a folder; one that cannot be listed has no calendars.
  init(_ path: String) {
    let names = (try? FileSource.entries(ofFolder: path)) ?? []
    let isCalendar = names.contains(where: Self.isItem)
    holdsContacts = !isCalendar && names.contains { ContactFiles.hasEnding($0.utf8) }
    guard !isCalendar, !holdsContacts else {
      calendars = []
      return
    }
    calendars = names.filter { name in
      guard FileMode("\(path)/\(name)")?.isFolder == true else {
        return false
      }
      guard !name.hasPrefix("."),
        let entries = try? FileSource.entries(ofFolder: "\(path)/\(name)")
      else { return false }
      return entries.contains(where: Self.isItem) || entries.allSatisfy(Self.properties.contains)
    }.map {
      CalendarSearch.Found(title: $0, address: "\(path)/\($0)", account: path, remark: nil)
    }
  }

  /// The files of vdirsyncer for the properties of a calendar.
  private static let properties: Set<String> = ["color", "displayname", "description", "order"]

  private static func isItem(_ name: String) -> Bool {
    name.lowercased().hasSuffix(".ics")
  }
}
