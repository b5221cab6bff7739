// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import CalendarModel
import CalendarStore
import Glibc

/// A change of the calendars in the configuration's text, which otherwise stays byte for byte.
struct ConfigurationEdit: Sendable {
  /// The path of the configuration.
  let path: String
  /// The bytes that are replaced; nil if the file does not exist.
  let before: [UInt8]?
  private(set) var text: TOMLText
  /// The result of the changes.
  private var expected: Configuration
  private let file: ConfigurationFile
  private let machine: Machine

  /// Reads the text of a configuration.
  ///
  /// - Throws: `LibraryError` if the file is a link, or if others can change it.
  init(of file: ConfigurationFile, _ configuration: Configuration, machine: Machine) throws {
    try file.expectFile()
    path = file.path
    expected = configuration.withoutFoundCalendars
    self.file = file
    self.machine = machine
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else {
      guard errno == ENOENT else {
        throw LibraryError(
          .configuration, subject: path, "cannot read the configuration \(path): \(SystemError())")
      }
      (before, text) = (nil, TOMLText(""))
      return
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw LibraryError(
        .configuration, subject: path,
        "the configuration \(path) is a link, and is not replaced; edit the file that it leads to")
    }
    guard status.st_uid == machine.userID else {
      throw LibraryError(
        .configuration, subject: path,
        "the configuration \(path) belongs to another user, and is not edited")
    }
    var stream = try InputStream(path: path)
    let bytes = try stream.readAll(limit: 1 << 20) ?? []
    guard let text = String(validating: bytes, as: UTF8.self), !bytes.isEmpty || status.st_size == 0
    else {
      throw LibraryError(
        .configuration, subject: path, "the configuration \(path) cannot be edited")
    }
    before = bytes
    self.text = TOMLText(text)
  }

  /// Whether the text is unchanged.
  var isEmpty: Bool { before.map { $0 == text.bytes } ?? text.bytes.isEmpty }

  /// Adds a calendar.
  mutating func add(_ calendar: LibraryEdit.NewCalendar) throws(LibraryError) {
    guard expected.calendars[calendar.name] == nil else {
      throw LibraryError(
        .changedMeanwhile, subject: calendar.name,
        "the configuration has a calendar \"\(calendar.name)\" by now")
    }
    expected.calendars[calendar.name] = CalendarSettings(
      name: calendar.name, path: calendar.path, kinds: calendar.kinds)
    var values = [("path", TOMLText.quoted(machine.paths.written(calendar.path)))]
    if calendar.kinds != CalendarInfo.standardKinds {
      values.append(("components", Self.text(of: calendar.kinds)))
    }
    text.append(table: ["calendar", calendar.name], values)
  }

  /// Changes the kinds of a calendar.
  mutating func set(_ kinds: Set<ItemKind>, of name: String) throws(LibraryError) {
    guard expected.calendars[name]?.kinds != kinds else { return }
    expected.calendars[name]?.kinds = kinds
    guard text.set("components", to: Self.text(of: kinds), in: ["calendar", name]) else {
      throw unusualForm(name)
    }
  }

  /// Removes a calendar, which no sync uses, and the keys by which it is the one for new items.
  mutating func remove(_ name: String) throws(LibraryError) {
    expected.calendars[name] = nil
    guard text.remove(table: ["calendar", name]) else { throw unusualForm(name) }
    if expected.defaultCalendar == name {
      expected.defaultCalendar = nil
      guard text.remove("default-calendar") else { throw unusualForm(name) }
    }
    if expected.defaultReminders == name {
      expected.defaultReminders = nil
      guard text.remove("default-reminders") else { throw unusualForm(name) }
    }
  }

  /// Removes the syncs of a calendar that is the copy of a feed, and the remotes that are not used then.
  mutating func removeFeeds(_ syncs: [SyncSettings]) throws(LibraryError) {
    for sync in syncs {
      expected.syncs.removeAll { $0.name == sync.name }
      let texts = ["calendar": sync.calendar, "remote": sync.remote]
      guard text.remove(element: "sync", having: texts) else { throw unusualForm(sync.calendar) }
      guard !expected.syncs.contains(where: { $0.remote == sync.remote }) else { continue }
      expected.remotes[sync.remote] = nil
      guard text.remove(table: ["remote", sync.remote]) else { throw unusualForm(sync.calendar) }
    }
  }

  /// Checks that the text has exactly the meaning of the changes.
  ///
  /// - Throws: `LibraryError`, for example if another program changed the file.
  func validate() throws(LibraryError) {
    let folder = String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
    let found = try LibraryError.describing(path) {
      try Configuration(
        parsing: text.text, path: path,
        paths: PathResolver(home: machine.homeFolder, base: folder),
        isPrivate: FileMode(path)?.isOpenToOthers != true)
    }
    // Another program may have changed the file after it was loaded.
    guard found == expected else {
      throw LibraryError(
        .changedMeanwhile, subject: path, "the configuration \(path) was changed meanwhile")
    }
  }

  private func unusualForm(_ name: String) -> LibraryError {
    LibraryError(
      .configuration, subject: path,
      "the configuration \(path) has no table [calendar.\(TOMLText.key(name))] that can be edited")
  }

  private static func text(of kinds: Set<ItemKind>) -> String {
    TOMLText.array(kinds.sorted().map(\.rawValue))
  }
}
