// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Reads the files of a time zone database; this target's only system calls.
package enum ZoneFiles {
  /// The reason why a file was not read.
  package enum Failure: Error, Hashable {
    /// The file does not exist or is not a regular file.
    case missing
    /// The file is larger than the limit.
    case tooLarge
    /// A system call failed with this error number.
    case refused(Int32)

    /// The failure as a message for people.
    package var message: String {
      switch self {
      case .missing: "there is no such file"
      case .tooLarge: "the file is too large"
      case .refused(let number): unsafe String(cString: strerror(number))
      }
    }
  }

  /// Reads a whole file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - limit: The maximum size, in bytes.
  /// - Returns: The bytes.
  /// - Throws: `Failure` if the file does not exist or is too large, or a system call fails.
  package static func read(_ path: String, limit: Int) throws(Failure) -> [UInt8] {
    // O_NONBLOCK keeps a named pipe in the folder from blocking the program.
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      throw errno == ENOENT || errno == ENOTDIR ? .missing : .refused(errno)
    }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else { throw .refused(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .missing }

    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 8192)
    while true {
      let count = unsafe chunk.withUnsafeMutableBytes {
        unsafe readBytes(file, $0.baseAddress, $0.count)
      }
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EINTR { continue }
        throw .refused(errno)
      }
      bytes.append(contentsOf: chunk[..<count])
      guard bytes.count <= limit else { throw .tooLarge }
    }
  }

  /// Whether a path is a folder.
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// At most `limit` names in a folder, without dot files; empty if the folder cannot be read.
  static func names(in folder: String, limit: Int) -> [String] {
    guard let stream = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while names.count < limit, let entry = unsafe readdir(stream) {
      // Accessed by address: an entry is shorter than its type, so a copy would read past its end.
      guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { continue }
      let start = unsafe UnsafeRawPointer(entry).advanced(by: offset)
      let name = unsafe String(cString: start.assumingMemoryBound(to: CChar.self))
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }
}

/// Calls the system's `read`, which the method of the same name shadows.
private func readBytes(_ file: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  unsafe read(file, buffer, count)
}
