// SPDX-License-Identifier: Apache-2.0

import Glibc
import ICUServices

/// The source of a calendar: a file, standard input, or bytes in memory.
public enum FileSource: Sendable, Hashable {
  /// The standard input of the process.
  case standardInput
  /// The file at a path.
  case file(String)
  /// Bytes in memory, with a label for messages.
  case bytes([UInt8], label: String)

  /// Creates the source that a path names; `-` is standard input.
  public init(path: String) {
    self = path == "-" ? .standardInput : .file(path)
  }

  /// The name in messages: the path, `-`, or the label.
  public var label: String {
    switch self {
    case .standardInput: "-"
    case .file(let path): path
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
  /// - Throws: `EpactError`; `CancellationError`.
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
        throw EpactError(.failed, "\(label): \(reason)", subject: label)
      }
      return bytes
    }
  }

  /// Reads all bytes; a missing file is an error.
  package func bytes(limit: Int, _ reason: String) throws -> [UInt8] {
    guard let bytes = try bytesIfPresent(limit: limit, reason) else {
      throw EpactError(.failed, "\(label): \(SystemError(ENOENT))", subject: label)
    }
    return bytes
  }

  /// Calls `body`, which reads this source; its errors name the source.
  ///
  /// - Throws: `EpactError` instead of `SystemError` and `ICUError`; other errors of `body`.
  func reporting<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      throw named(error)
    }
  }

  /// The error with the name of this source if it is about reading, otherwise the same error.
  func named(_ error: any Error) -> any Error {
    guard let reason = Self.reason(for: error) else { return error }
    return EpactError(.failed, "\(label): \(reason)", subject: label)
  }

  /// Calls `body`, which reads this source; returns an event if the source cannot be read.
  ///
  /// - Throws: Other errors than `SystemError` and `ICUError`.
  func unreadable(_ body: () throws -> Void) throws -> FileEvent? {
    do {
      try body()
      return nil
    } catch {
      return try event(for: error)
    }
  }

  /// The event for an error in reading this source.
  ///
  /// - Throws: The error, unless it is a `SystemError` or an `ICUError`.
  func event(for error: any Error) throws -> FileEvent {
    guard let reason = Self.reason(for: error) else { throw error }
    return .unreadable(path: label, reason: reason)
  }

  /// The reason why a file cannot be read, or nil for an error of another kind.
  private static func reason(for error: any Error) -> String? {
    switch error {
    case let error as SystemError: "\(error)"
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
  private static let extensions = [".ics", ".ical", ".icalendar", ".ifb", ".vcs", ".jcal"]

  /// Finds the calendar files at some paths: files, folders, and `-` for standard input.
  ///
  /// The order of the paths is kept; the contents of a folder are sorted by name. Symbolic links in
  /// a folder and hidden entries are skipped.
  ///
  /// - Parameters:
  ///   - paths: The paths.
  ///   - report: Receives a `FileEvent.unreadable` for each folder that cannot be read.
  /// - Returns: The sources, in order.
  public static func find(_ paths: [String], report: (FileEvent) -> Void) -> [FileSource] {
    paths.flatMap { path -> [FileSource] in
      var status = stat()
      guard path != "-", unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
        return [FileSource(path: path)]
      }
      return files(inFolder: path, depth: 0, report: report).map(FileSource.file)
    }
  }

  private static func files(
    inFolder folder: String, depth: Int, report: (FileEvent) -> Void
  ) -> [String] {
    let names: [String]
    do throws(SystemError) {
      guard depth < depthLimit else { throw SystemError(ELOOP) }
      names = try entries(ofFolder: folder)
    } catch {
      report(.unreadable(path: folder, reason: "\(error)"))
      return []
    }
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    return names.flatMap { name -> [String] in
      let path = prefix + name
      var status = stat()
      guard unsafe lstat(path, &status) == 0 else { return [] }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: return files(inFolder: path, depth: depth + 1, report: report)
      case S_IFREG where extensions.contains(where: name.lowercased().hasSuffix): return [path]
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
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}

extension FileSource {
  /// The maximum number of paths that complete a prefix.
  private static let completionLimit = 2000

  /// The paths of files and folders that begin with a prefix; folders end with a slash.
  package static func paths(beginningWith prefix: String, on machine: Machine) -> [String] {
    let folder = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
    let place = machine.paths.absolute(folder.isEmpty ? "." : folder)
    guard let names = try? entries(ofFolder: place) else { return [] }
    return names.prefix(completionLimit).map { folder + $0 }.filter { $0.hasPrefix(prefix) }
      .map { path in
        FileMode(machine.paths.absolute(path))?.isFolder == true ? path + "/" : path
      }
  }
}
