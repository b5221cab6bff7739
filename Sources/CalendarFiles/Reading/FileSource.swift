// SPDX-License-Identifier: Apache-2.0

import Glibc
import ICUServices

/// The source of a calendar: a file, an entry of an archive, standard input, or bytes in memory.
public enum FileSource: Sendable, Hashable {
  /// The standard input of the process.
  case standardInput
  /// The file at a path.
  case file(String)
  /// An entry of the ZIP archive at a path.
  case entry(ZipEntry, archive: String)
  /// Bytes in memory, with a label for messages.
  case bytes([UInt8], label: String)

  /// Creates the source that a path names; `-` is standard input.
  public init(path: String) {
    self = path == "-" ? .standardInput : .file(path)
  }

  /// The name in messages: the path, `-`, the label, or the path of an archive and the entry.
  public var label: String {
    switch self {
    case .standardInput: "-"
    case .file(let path): path
    case .entry(let entry, let archive): "\(archive)/\(entry.name)"
    case .bytes(_, let label): label
    }
  }

  /// Opens the source for reading.
  ///
  /// - Throws: `SystemError`.
  package func open() throws(SystemError) -> InputStream {
    switch self {
    case .standardInput: return InputStream(descriptor: STDIN_FILENO)
    case .bytes(let bytes, _): return InputStream(bytes: bytes)
    case .entry(let entry, let archive): return InputStream(try ZipEntryStream(entry, of: archive))
    case .file(let path):
      let stream = try InputStream(path: path)
      guard try !stream.facts().isFolder else { throw SystemError(EISDIR) }
      return stream
    }
  }
}

// MARK: Contents

extension FileSource {
  /// Reads all bytes.
  ///
  /// - Parameters:
  ///   - limit: The maximum size.
  ///   - reason: The message for a larger file.
  /// - Returns: The bytes, or nil if the file does not exist.
  /// - Throws: `FileError`; `CancellationError`.
  package func bytesIfPresent(limit: Int, _ reason: String) throws -> [UInt8]? {
    try reporting {
      var stream: InputStream
      do throws(SystemError) {
        stream = try open()
      } catch {
        guard error.code == ENOENT else { throw error }
        return nil
      }
      guard let bytes = try stream.readAll(limit: limit) else {
        throw FileError(.limit, label, reason)
      }
      return bytes
    }
  }

  /// Reads all bytes; a missing file is an error.
  package func bytes(limit: Int, _ reason: String) throws -> [UInt8] {
    guard let bytes = try bytesIfPresent(limit: limit, reason) else {
      throw FileError(.unreadable, label, "\(SystemError(ENOENT))")
    }
    return bytes
  }

  /// Calls `body`, which reads this source; its errors name the source.
  ///
  /// - Throws: `FileError` instead of `SystemError`, `ZipError` and `ICUError`; other errors of
  ///   `body`.
  package func reporting<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      throw named(error)
    }
  }

  /// The error with the name of this source if it is about reading, otherwise the same error.
  package func named(_ error: any Error) -> any Error {
    guard let reason = Self.reason(for: error) else { return error }
    return FileError(.unreadable, label, reason)
  }

  /// Calls `body`, which reads this source; returns an event if the source cannot be read.
  ///
  /// - Throws: Other errors than `SystemError`, `ZipError` and `ICUError`.
  package func unreadable(_ body: () throws -> Void) throws -> FileEvent? {
    do {
      try body()
      return nil
    } catch {
      return try event(for: error)
    }
  }

  /// The event for an error in reading this source.
  ///
  /// - Throws: The error, unless it is a `SystemError`, a `ZipError` or an `ICUError`.
  package func event(for error: any Error) throws -> FileEvent {
    guard let reason = Self.reason(for: error) else { throw error }
    return .unreadable(path: label, reason: reason)
  }

  /// The reason why a file cannot be read, or nil for an error of another kind.
  private static func reason(for error: any Error) -> String? {
    switch error {
    case let error as SystemError: "\(error)"
    case let error as ZipError: "\(error)"
    case let error as ICUError: error.message
    default: nil
    }
  }
}

// MARK: Folders

extension FileSource {
  /// The maximum depth of nested folders.
  private static let depthLimit = 64
  /// The accepted extensions in folders; a file that is named itself may have any extension.
  package static let extensions = [".ics", ".ical", ".icalendar", ".ifb", ".vcs", ".jcal"]
  /// The names of the databases in which macOS keeps calendars, also in an archive (`.icbu`).
  private static let databases: Set<String> = ["Calendar.sqlitedb", "Calendar Cache"]

  /// Finds the calendar files at some paths: files, folders, archives, and `-` for standard input.
  ///
  /// The order of the paths is kept; the contents of a folder are sorted by name. Symbolic links in
  /// a folder and hidden entries are skipped. A ZIP archive is recognized by its first bytes, and
  /// its calendars are sources of their own; `Takeout.zip/Calendar/Family.ics` names one of them.
  ///
  /// - Parameters:
  ///   - paths: The paths.
  ///   - needsFiles: Whether a folder without a calendar file is reported.
  ///   - report: Receives a `FileEvent.unreadable` for each folder, archive and entry that cannot be
  ///     read.
  /// - Returns: The sources, in order.
  public static func find(
    _ paths: [String], needsFiles: Bool = false, report: (FileEvent) -> Void
  ) -> [FileSource] {
    paths.flatMap { path -> [FileSource] in
      var status = stat()
      guard path != "-", unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
        return ArchiveSearch.sources(at: path, report: report) ?? [FileSource(path: path)]
      }
      var hasFailed = false
      let found = files(inFolder: path, depth: 0) { event in
        hasFailed = true
        report(event)
      }
      if found.isEmpty, needsFiles, !hasFailed {
        report(.unreadable(path: path, reason: reason(forEmptyFolder: path)))
      }
      return found.map(FileSource.file)
    }
  }

  /// Finds the files that `find(_:needsFiles:report:)` finds in a folder, of some entries.
  ///
  /// - Parameters:
  ///   - names: The names of the entries, in any order.
  ///   - folder: The path of the folder.
  ///   - report: Receives a `FileEvent.unreadable` for each entry that cannot be read.
  /// - Returns: The sources, in order of their names.
  package static func find(
    _ names: [String], inFolder folder: String, report: (FileEvent) -> Void
  ) -> [FileSource] {
    files(named: sorted(names), inFolder: folder, depth: 0, report: report).map(FileSource.file)
  }

  /// The reason why a folder has nothing to read.
  private static func reason(forEmptyFolder path: String) -> String {
    let names = (try? entries(ofFolder: path)) ?? []
    guard names.contains(where: databases.contains) else {
      return "the folder contains no calendar file"
    }
    return
      "the folder contains a database of macOS and no calendar file; on the Mac, export each "
      + "calendar in Calendar by File > Export > Export, and import the files"
  }

  /// The reason why a file of a folder is not read; a few of them could fill a disk or a day.
  private static let tooLarge =
    "larger than 512 MiB, which is read only if the file is named, not its folder"

  private static func files(
    inFolder folder: String, depth: Int, report: (FileEvent) -> Void
  ) -> [String] {
    do throws(SystemError) {
      guard depth < depthLimit else { throw SystemError(ELOOP) }
      let names = try entries(ofFolder: folder)
      return files(named: names, inFolder: folder, depth: depth, report: report)
    } catch {
      report(.unreadable(path: folder, reason: "\(error)"))
      return []
    }
  }

  private static func files(
    named names: [String], inFolder folder: String, depth: Int, report: (FileEvent) -> Void
  ) -> [String] {
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    return names.flatMap { name -> [String] in
      let path = prefix + name
      var status = stat()
      guard unsafe lstat(path, &status) == 0 else { return [] }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: return files(inFolder: path, depth: depth + 1, report: report)
      case S_IFREG where extensions.contains(where: name.lowercased().hasSuffix):
        guard status.st_size <= CalendarFile.sizeLimit else {
          report(.unreadable(path: path, reason: tooLarge))
          return []
        }
        return [path]
      default: return []
      }
    }
  }

  /// Lists the entries of a folder, sorted by name, without hidden ones.
  package static func entries(ofFolder path: String) throws(SystemError) -> [String] {
    guard let folder = unsafe opendir(path) else { throw SystemError() }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      // Accessed by address: an entry is shorter than its type, so a copy would read past its end.
      guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { continue }
      let start = unsafe UnsafeRawPointer(entry).advanced(by: offset)
      let name = unsafe String(cString: start.assumingMemoryBound(to: CChar.self))
      if !name.hasPrefix(".") { names.append(name) }
    }
    return sorted(names)
  }

  private static func sorted(_ names: [String]) -> [String] {
    names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
