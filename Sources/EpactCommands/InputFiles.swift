// SPDX-License-Identifier: Apache-2.0

import Epact
import Glibc

/// The files given by the arguments of a command: files, folders, and `-` for standard input.
enum InputFiles {
  /// A file or standard input.
  enum Source: Sendable, Hashable {
    case standardInput
    case file(String)

    /// The name in messages.
    var label: String {
      switch self {
      case .standardInput: "-"
      case .file(let path): path
      }
    }

    /// Creates a source from an argument.
    init(argument: String) {
      self = argument == "-" ? .standardInput : .file(argument)
    }

    /// Opens the source for reading.
    ///
    /// - Throws: `SystemError`.
    func open() throws(SystemError) -> InputStream {
      switch self {
      case .standardInput: return InputStream(descriptor: STDIN_FILENO)
      case .file(let path):
        let stream = try InputStream(path: path)
        guard try !stream.facts().isFolder else { throw SystemError(EISDIR) }
        return stream
      }
    }
  }

  /// The maximum depth of nested folders.
  private static let depthLimit = 64
  /// The accepted extensions in folders; a file given as an argument may have any extension.
  private static let endings = [".ics", ".ical", ".icalendar", ".ifb", ".vcs", ".jcal"]

  /// The sources given by the arguments.
  ///
  /// The order of the arguments is kept; the contents of a folder are sorted by name. Symbolic
  /// links in a folder and hidden entries are skipped. `unreadable` is called for each folder that
  /// cannot be read.
  static func find(
    _ arguments: [String], unreadable: (_ path: String, _ error: SystemError) -> Void
  ) -> [Source] {
    arguments.flatMap { argument -> [Source] in
      var status = stat()
      guard argument != "-", unsafe stat(argument, &status) == 0,
        status.st_mode & S_IFMT == S_IFDIR
      else {
        return [Source(argument: argument)]
      }
      return files(inFolder: argument, depth: 0, unreadable: unreadable).map(Source.file)
    }
  }

  private static func files(
    inFolder folder: String, depth: Int, unreadable: (String, SystemError) -> Void
  ) -> [String] {
    let names: [String]
    do throws(SystemError) {
      guard depth < depthLimit else { throw SystemError(ELOOP) }
      names = try entries(ofFolder: folder)
    } catch {
      unreadable(folder, error)
      return []
    }
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    return names.flatMap { name -> [String] in
      let path = prefix + name
      var status = stat()
      guard unsafe lstat(path, &status) == 0 else { return [] }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: return files(inFolder: path, depth: depth + 1, unreadable: unreadable)
      case S_IFREG where endings.contains(where: name.lowercased().hasSuffix): return [path]
      default: return []
      }
    }
  }

  /// The sorted names of the entries in a folder, without hidden ones.
  static func entries(ofFolder path: String) throws(SystemError) -> [String] {
    guard let folder = unsafe opendir(path) else { throw SystemError() }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
          unsafe String(cString: $0)
        }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
