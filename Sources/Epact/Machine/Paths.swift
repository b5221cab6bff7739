// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import Glibc

/// Makes the user's paths absolute.
package struct PathResolver: Sendable {
  /// The replacement of `~`.
  package let home: String
  /// The base of relative paths.
  package let base: String

  /// Creates a resolver.
  package init(home: String, base: String) {
    self.home = home
    self.base = base
  }

  /// The absolute path without `.` and empty parts; `..` is kept, because it may follow a link.
  package func absolute(_ path: String) -> String {
    let full: String
    if path == "~" || path.hasPrefix("~/") {
      full = home + "/" + path.dropFirst(2)
    } else {
      full = path.hasPrefix("/") ? path : base + "/" + path
    }
    let parts = full.split(separator: "/").filter { $0 != "." }
    return "/" + parts.joined(separator: "/")
  }

  /// The form of an absolute path for a configuration: with `~` for the home folder.
  ///
  /// A configuration in this form can be used under another home folder. `absolute` returns the
  /// path again.
  package func written(_ path: String) -> String {
    let root = absolute("~")
    // The bytes are compared: names that differ only in their normalization are different files.
    guard root != "/", path.utf8.starts(with: "\(root)/".utf8) else { return path }
    return "~" + String(decoding: path.utf8.dropFirst(root.utf8.count), as: UTF8.self)
  }
}

extension PathResolver {
  /// The absolute path without symbolic links and `..`; missing parts at its end stay as they are.
  package static func canonical(_ path: String) -> String {
    if let found = unsafe realpath(path, nil) {
      defer { unsafe free(found) }
      return unsafe String(cString: found)
    }
    guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return path }
    let folder = canonical(String(path[..<slash]))
    return (folder == "/" ? "" : folder) + path[slash...]
  }
}

/// The permissions of a file according to its mode.
package struct FileMode: Sendable {
  private let mode: UInt32

  /// Reads the mode of a file; nil if the file does not exist.
  package init?(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    mode = status.st_mode
  }

  /// Whether the file is a folder.
  package var isFolder: Bool { mode & S_IFMT == S_IFDIR }
  /// Whether users other than the owner have any permission.
  package var isOpenToOthers: Bool { mode & 0o077 != 0 }
}

/// Reads symbolic links.
package enum SymbolicLink {
  /// The target of a link as it was written; nil if the path is not a link.
  package static func target(of path: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      guard let base = buffer.baseAddress else { return 0 }
      return unsafe readlink(path, base, buffer.count)
    }
    return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
  }
}

/// Creates folders that, by default, only their owner can access.
package enum PrivateFolder {
  /// Creates a folder and its missing parents.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - mode: The permissions, which the umask restricts.
  /// - Throws: `EpactError`.
  package static func make(_ path: String, mode: UInt32 = 0o700) throws(EpactError) {
    guard unsafe mkdir(path, mode) != 0 else { return }
    if errno == EEXIST { return }
    if errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex {
      try make(String(path[..<slash]), mode: mode)
      if unsafe mkdir(path, mode) == 0 || errno == EEXIST { return }
    }
    throw EpactError(.failed, "cannot make the folder \(path): \(SystemError())", subject: path)
  }
}

extension Machine {
  /// The path of a program of the same installation: beside another one, or else in `PATH`.
  ///
  /// - Parameters:
  ///   - program: The name of the program.
  ///   - other: The path of the other program; nil for the running one.
  /// - Returns: The path; nil if the program is not found.
  package func companion(_ program: String, of other: String? = nil) -> String? {
    let other = other ?? executablePath
    let folder = other.lastIndex(of: "/").map { String(other[..<$0]) } ?? ""
    return executable("\(folder)/\(program)") ?? executable(program)
  }

  /// The path of an executable program, searched in `PATH` unless it is a path; nil if not found.
  package func executable(_ program: String) -> String? {
    let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    let places = program.contains("/") ? [program] : folders.map { "\($0)/\(program)" }
    return places.first { unsafe access($0, X_OK) == 0 && FileMode($0)?.isFolder == false }
  }
}
