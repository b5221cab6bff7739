// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The files that the arguments of a command stand for: files, folders, and `-` for standard input.
enum InputFiles {
  /// One thing to read.
  enum Source: Sendable, Hashable {
    case standardInput
    case file(String)

    /// How it is called in messages.
    var label: String {
      switch self {
      case .standardInput: "-"
      case .file(let path): path
      }
    }

    /// What an argument stands for.
    init(argument: String) {
      self = argument == "-" ? .standardInput : .file(argument)
    }

    /// Opens it for reading.
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

  /// How deep folders are gone into.
  private static let depthLimit = 64
  /// What a file in a folder has to end in; a file that is named itself may end in anything.
  private static let endings = [".ics", ".ical", ".icalendar", ".ifb", ".vcs", ".jcal"]

  /// The sources that the arguments stand for.
  ///
  /// The arguments keep their order; what is in a folder comes in order of name. Links inside a folder
  /// are not followed, hidden entries are left out, and `unreadable` is told of each folder that
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

  /// The names of what is in a folder, but for hidden entries, in order.
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
