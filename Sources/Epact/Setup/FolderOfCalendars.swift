// SPDX-License-Identifier: Apache-2.0

import CalendarFiles

/// A folder whose folders are calendars, as vdirsyncer and khal arrange them.
///
/// A calendar without items is a folder that holds nothing, or only the files with its properties.
struct FolderOfCalendars {
  /// The calendars, in order of name; empty if the folder is a calendar itself.
  let calendars: [CalendarSearch.Found]

  /// Lists a folder; one that cannot be listed has no calendars.
  init(_ path: String) {
    let names = (try? FileSource.entries(ofFolder: path)) ?? []
    guard !names.contains(where: Self.isItem) else {
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
