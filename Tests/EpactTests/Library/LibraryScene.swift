// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
import CalendarStore
import CivilTime
import Epact
import Foundation
import Glibc
import TestSupport
import Testing

/// A home folder with a configuration, its calendars, and a library over them.
struct LibraryScene {
  static let configuration = """
    # My calendars.
    default-calendar = "private"   # not the first one

    [calendar.holidays]
    path = "~/calendars/holidays"

    # The one for everything.
    [calendar.private]
    path = "~/calendars/private"  # a folder

    [calendar.tasks]
    components = [
      "VTODO", # no events
    ]
    path = "~/calendars/tasks"

    [calendar.work]
    path = "~/synced/work"

    [calendar.one]
    path = "~/one.ics"

    [remote.work]
    kind = "caldav"
    url = "https://dav.example.org/"
    username = "ada"
    collection = "work"

    [remote.team]
    kind = "caldav"
    url = "https://dav.example.org/team/"
    username = "ada"

    [remote.holidays]
    kind = "webcal"
    url = "webcal://cal.example.org/holidays.ics"

    [remote.disk]
    kind = "folder"
    path = "~/disk"

    [[sync]]
    name = "work"
    calendar = "work"
    remote = "work"

    [[sync]]
    name = "holidays"
    calendar = "holidays"
    remote = "holidays"

    [[sync]]
    name = "disk"
    calendar = "tasks"
    remote = "disk"

    """

  let folder: TemporaryFolder
  var machine: Machine
  let library: CalendarLibrary

  /// Makes the scene.
  ///
  /// - Parameters:
  ///   - configuration: The text of the configuration.
  ///   - isLater: Whether the clock is an hour ahead, so that the status of new files is certain.
  ///   - usesEvents: Whether the system reports changes in folders.
  /// - Throws: An error of the file system.
  init(
    _ configuration: String = configuration, isLater: Bool = true, usesEvents: Bool = true
  ) throws {
    folder = try TemporaryFolder()
    var machine = Machine.live()
    machine.environment = ["PATH": machine.environment["PATH"] ?? ""]
    (machine.homeFolder, machine.currentFolder) = (folder.path, folder.path)
    machine.policyPaths = []
    machine.userName = { "ada" }
    if isLater {
      let now = machine.now
      machine.now = { now().adding(seconds: 3600) ?? now() }
    }
    machine.folderWatcher = FolderWatcher(usesEvents: usesEvents)
    self.machine = machine
    for name in ["holidays", "private", "tasks"] {
      try PrivateFolder.make(folder.path(of: "calendars/\(name)"))
    }
    for name in ["synced/work", "disk", ".config/epact"] {
      try PrivateFolder.make(folder.path(of: name))
    }
    library = CalendarLibrary(machine: machine)
    try write(configuration)
  }

  func write(_ configuration: String) throws {
    try folder.write(configuration.utf8, to: ".config/epact/config.toml")
  }

  var configurationText: String {
    get throws {
      String(decoding: try folder.bytes(of: ".config/epact/config.toml"), as: UTF8.self)
    }
  }

  func calendar(_ name: String) throws -> CalendarInfo {
    try #require(try library.calendars().first { $0.name == name })
  }

  func contents(_ name: String) throws -> LibraryContents {
    try library.contents(of: try calendar(name))
  }

  /// Writes an item as another program would, and returns its path.
  @discardableResult
  func write(_ item: CalendarItem, to path: String) throws -> String {
    try folder.write(item.serialized(), to: path)
  }

  func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.path(of: name))
  }
}

extension UID: ExpressibleByStringLiteral {
  /// Creates an identifier from a literal.
  public init(stringLiteral value: String) {
    self.init(value)
  }
}
