// SPDX-License-Identifier: Apache-2.0

import CPassword
import CalendarFiles
import CalendarStore
import Glibc

/// The password of the page in the browser, of which only a digest is stored (argon2id, RFC 9106).
///
/// The digest is the file `page-password` in the state folder, which only the user can read.
public struct PagePassword: Sendable {
  /// The minimum number of characters (NIST SP 800-63B §3.1.1.2 asks for 8).
  public static let shortest = 8
  /// The maximum size in bytes, so that a request cannot take much time.
  public static let longest = 1024

  private let folder: String
  private var path: String { folder + "/page-password" }

  /// Takes the user's state folder; reads nothing yet.
  public init(machine: Machine) {
    folder = machine.stateFolder
  }

  /// Whether a password is set.
  ///
  /// - Throws: `EpactError` if the file cannot be read, or if others can.
  public func isSet() throws -> Bool { try digest() != nil }

  /// Sets the password, and replaces an earlier one.
  ///
  /// - Throws: `EpactError` if it is too short or too long, if libsodium is not installed, or if the
  ///   file cannot be written.
  public func set(_ password: Secret) throws {
    guard password.revealed.count >= Self.shortest else {
      throw EpactError(
        .argument, "expected a password of at least \(Self.shortest) characters")
    }
    let bytes = Array(password.revealed.utf8)
    guard bytes.count <= Self.longest else {
      throw EpactError(.argument, "expected a password of at most \(Self.longest) bytes")
    }
    var digest = [CChar](repeating: 0, count: Int(CPASSWORD_SIZE))
    let result = unsafe bytes.withUnsafeBytes { bytes in
      unsafe cpassword_make(
        bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, &digest)
    }
    try Self.check(result)
    try PrivateFolder.make(folder)
    let text = digest.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    try AtomicFile.write(text + [UInt8(ascii: "\n")], to: path, permissions: .secret)
  }

  /// Removes the password.
  ///
  /// - Returns: Whether one was set.
  /// - Throws: `EpactError` if the file cannot be removed.
  public func remove() throws -> Bool {
    guard unsafe unlink(path) != 0 else { return true }
    guard errno == ENOENT else {
      throw EpactError(.failed, "cannot remove \(path): \(SystemError())")
    }
    return false
  }

  /// Whether a text is the password; false if none is set.
  ///
  /// It takes a tenth of a second and 32 MB of memory, so that guessing is slow.
  ///
  /// - Throws: `EpactError` if the file cannot be read, or if libsodium is not installed.
  public func matches(_ text: String) throws -> Bool {
    guard let digest = try digest(), text.utf8.count <= Self.longest else { return false }
    let bytes = Array(text.utf8)
    let result = unsafe bytes.withUnsafeBytes { bytes in
      unsafe cpassword_check(
        digest, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
    }
    if result == .wrong { return false }
    try Self.check(result)
    return true
  }

  private static func check(_ result: cpassword_result) throws(EpactError) {
    switch result {
    case .done: return
    case .missing:
      throw EpactError(
        .configuration, "a password of the page needs the library libsodium",
        remedy: .other("Install it, as by: apt install libsodium23"))
    case .wrong, .noMemory:
      throw EpactError(.failed, "there is too little memory for the digest of a password")
    }
  }

  /// The digest; nil if no password is set.
  private func digest() throws -> String? {
    guard let mode = FileMode(path) else { return nil }
    guard !mode.isOpenToOthers else {
      throw EpactError(
        .configuration, "\(path) can be read by others", subject: path,
        remedy: .withdrawAccess(path: path))
    }
    var file = try InputStream(path: path)
    guard let bytes = try file.readAll(limit: Int(CPASSWORD_SIZE)) else {
      throw EpactError(.failed, "\(path) is not the digest of a password", subject: path)
    }
    return String(decoding: bytes.prefix { $0 != 0x0A && $0 != 0 }, as: UTF8.self)
  }
}
