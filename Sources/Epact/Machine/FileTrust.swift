// SPDX-License-Identifier: Apache-2.0

package import CalendarFiles
import Glibc

/// Checks that only the user and root can change the file at a path.
///
/// A configuration names programs that are run, so that anyone who can write it can run programs as
/// the user. As with StrictModes of OpenSSH, the file and its parent folders are checked, because
/// another file could be put in its place: up to the home folder if the file is in it, otherwise up
/// to the root. Symbolic links are followed and checked, too.
package struct FileTrust: Sendable {
  /// The reason why a path is not trusted.
  package struct Fault: Error, Hashable, Sendable {
    /// The kind of fault.
    package enum Reason: Hashable, Sendable {
      /// The owner is neither the user nor root.
      case owner(UInt32)
      /// Other users can write the file, or add files to the folder.
      case writable

      /// The reason as a phrase that follows the path.
      var words: String {
        switch self {
        case .owner(let user): "belongs to another user (uid \(user))"
        case .writable: "can be changed by others"
        }
      }
    }

    /// The path of the file or folder.
    package let path: String
    /// The kind of fault.
    package let reason: Reason

    /// The recommended action.
    var remedy: EpactError.Remedy {
      switch reason {
      case .owner: .takeOwnership(path: path)
      case .writable: .withdrawWriting(path: path)
      }
    }
  }

  /// The maximum number of symbolic links in a path, as on Linux.
  private static let linkLimit = 40

  private let user: UInt32
  private let home: String
  private let current: String
  /// Whether folders that their group can write are rejected.
  private let isStrict: Bool

  /// Creates the rules for a user.
  ///
  /// - Parameters:
  ///   - user: The user's numeric ID.
  ///   - home: The home folder.
  ///   - current: The base of relative paths.
  ///   - isStrict: Whether folders that their group can write are rejected. This applies to the
  ///     user's files; the folders of programs belong to a group of administrators on some systems.
  package init(user: UInt32, home: String, current: String, isStrict: Bool = true) {
    self.user = user
    self.home = home
    self.current = current
    self.isStrict = isStrict
  }

  /// Creates the rules for the current user.
  package init(_ machine: Machine, isStrict: Bool = true) {
    self.init(
      user: machine.userID, home: machine.homeFolder, current: machine.currentFolder,
      isStrict: isStrict)
  }

  /// Checks a file and its parent folders; a missing file has no fault.
  ///
  /// - Parameter path: The path; a relative path starts in the current folder.
  /// - Returns: The checked file; nil if there is no regular file.
  /// - Throws: `Fault`.
  @discardableResult
  package func check(_ path: String) throws(Fault) -> FileIdentity? {
    let path = path.hasPrefix("/") ? path : current + "/" + path
    var rest = Array(path.split(separator: "/").map(String.init).reversed())
    var folder = ""
    var links = 0
    while let name = rest.popLast() {
      if name == "." { continue }
      if name == ".." {
        folder = String(folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)])
        continue
      }
      let place = folder + "/" + name
      var status = stat()
      guard unsafe lstat(place, &status) == 0 else { return nil }
      switch status.st_mode & S_IFMT {
      case S_IFLNK:
        links += 1
        try checkOwner(status, place)
        guard links <= Self.linkLimit, let target = SymbolicLink.target(of: place) else {
          return nil
        }
        if target.hasPrefix("/") { folder = "" }
        rest += target.split(separator: "/").map(String.init).reversed()
      case S_IFDIR:
        folder = place
        try checkFolder(status, place)
      case S_IFREG:
        try checkOwner(status, place)
        guard status.st_mode & 0o022 == 0 else { throw Fault(path: place, reason: .writable) }
        return FileIdentity(status)
      // A pipe or a terminal comes from the process that started the program.
      default: return nil
      }
    }
    return nil
  }

  private func checkFolder(_ status: stat, _ path: String) throws(Fault) {
    // A user who can change parents of the home folder controls its contents anyway.
    guard !home.hasPrefix(path + "/") else { return }
    try checkOwner(status, path)
    // In a sticky folder such as /tmp, only the owner of a file can replace it.
    guard status.st_mode & S_ISVTX == 0 else { return }
    let others: mode_t = isStrict ? 0o022 : 0o002
    guard status.st_mode & others == 0 else { throw Fault(path: path, reason: .writable) }
  }

  private func checkOwner(_ status: stat, _ path: String) throws(Fault) {
    guard status.st_uid == user || status.st_uid == 0 else {
      throw Fault(path: path, reason: .owner(status.st_uid))
    }
  }
}

extension FileTrust {
  /// Rejects a file that other users can change.
  ///
  /// - Parameters:
  ///   - path: The absolute path.
  ///   - what: The description in the message, such as `configuration`.
  ///   - opened: The file that was opened at the path, which must be the checked one.
  /// - Throws: `EpactError`.
  package func expect(
    _ path: String, _ what: String, opened: InputStream.Facts? = nil
  ) throws(EpactError) {
    let checked: FileIdentity?
    do {
      checked = try check(path)
    } catch {
      let subject = error.path == path ? "it" : error.path
      throw EpactError(
        .configuration, "the \(what) \(path) is not used, because \(subject) \(error.reason.words)",
        subject: path, remedy: error.remedy)
    }
    guard let opened, opened.isRegular, opened.identity != checked else { return }
    throw EpactError(
      .configuration,
      "the \(what) \(path) is not used, because it was replaced while it was read", subject: path)
  }
}
