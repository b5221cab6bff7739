// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Whether the person and root are the only ones who can change what a path leads to.
///
/// A configuration names programs that are run, and so whoever can write it can run programs as the
/// person. As with OpenSSH's StrictModes, that holds for the file and for the folders on the way to it,
/// where another file could be put in its place: up to the home folder if the file is in it, else up to
/// the root. Links are followed, and looked at likewise.
package struct FileTrust: Sendable {
  /// Why a path is not trusted.
  package struct Fault: Error, Hashable, Sendable {
    /// What is wrong with it.
    package enum Reason: Hashable, Sendable {
      /// It belongs to another user than the person and root.
      case owner(UInt32)
      /// Others may write it, or put other files into it.
      case writable

      /// What is wrong, to stand behind the name of the file or folder.
      var words: String {
        switch self {
        case .owner(let user): "belongs to another user (uid \(user))"
        case .writable: "can be changed by others"
        }
      }
    }

    /// The file or folder that it is about.
    package let path: String
    /// What is wrong with it.
    package let reason: Reason

    /// What to do about it.
    var advice: ConsoleText {
      switch reason {
      case .owner: "Copy it to a file of your own, or have root make it yours with chown."
      case .writable: "Run: chmod go-w \(ShellWord(path))"
      }
    }
  }

  /// The most links on the way to a file, as the system has it.
  private static let linkLimit = 40

  private let user: UInt32
  private let home: String
  private let current: String
  /// Whether a folder counts that only its group may write, beside its owner.
  private let isStrict: Bool

  /// Creates the rules for a person.
  ///
  /// - Parameters:
  ///   - user: The number of the person's account.
  ///   - home: The home folder.
  ///   - current: What a relative path starts from.
  ///   - isStrict: Whether folders that a group may write count, as they do for what the person keeps;
  ///     the folders of programs belong to a group of administrators on some systems.
  package init(user: UInt32, home: String, current: String, isStrict: Bool = true) {
    self.user = user
    self.home = home
    self.current = current
    self.isStrict = isStrict
  }

  /// Creates the rules for the person at a machine.
  init(_ machine: Dependencies, isStrict: Bool = true) {
    self.init(
      user: machine.userID, home: machine.homeFolder, current: machine.currentFolder,
      isStrict: isStrict)
  }

  /// Looks at a file and the way to it; what is not there has no fault.
  ///
  /// - Parameter path: The path; a relative one starts in the current folder.
  /// - Throws: `Fault`.
  package func check(_ path: String) throws(Fault) {
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
      guard unsafe lstat(place, &status) == 0 else { return }
      switch status.st_mode & S_IFMT {
      case S_IFLNK:
        links += 1
        try checkOwner(status, place)
        guard links <= Self.linkLimit, let target = Self.target(ofLink: place) else { return }
        if target.hasPrefix("/") { folder = "" }
        rest += target.split(separator: "/").map(String.init).reversed()
      case S_IFDIR:
        folder = place
        try checkFolder(status, place)
      case S_IFREG:
        try checkOwner(status, place)
        guard status.st_mode & 0o022 == 0 else { throw Fault(path: place, reason: .writable) }
        return
      // A pipe or a terminal was handed over by whoever started the program.
      default: return
      }
    }
  }

  private func checkFolder(_ status: stat, _ path: String) throws(Fault) {
    // Whoever can change the folders above the home folder has all that is in it anyway.
    guard !home.hasPrefix(path + "/") else { return }
    try checkOwner(status, path)
    // In a sticky folder, as /tmp is, only the owner of a file can put another in its place.
    guard status.st_mode & S_ISVTX == 0 else { return }
    let others: mode_t = isStrict ? 0o022 : 0o002
    guard status.st_mode & others == 0 else { throw Fault(path: path, reason: .writable) }
  }

  private func checkOwner(_ status: stat, _ path: String) throws(Fault) {
    guard status.st_uid == user || status.st_uid == 0 else {
      throw Fault(path: path, reason: .owner(status.st_uid))
    }
  }

  private static func target(ofLink path: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      guard let base = buffer.baseAddress else { return 0 }
      return unsafe readlink(path, base, buffer.count)
    }
    return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
  }
}

extension FileTrust {
  /// Refuses a file that others can change.
  ///
  /// - Parameters:
  ///   - path: Its absolute path.
  ///   - what: What it is, for the message: `configuration`.
  /// - Throws: `Failure`.
  func expect(_ path: String, _ what: ConsoleText) throws(Failure) {
    do {
      try check(path)
    } catch {
      let subject = error.path == path ? "it" : error.path
      throw Failure(
        .configuration, "the \(what) \(path) is not used, because \(subject) \(error.reason.words)",
        hint: error.advice)
    }
  }
}
