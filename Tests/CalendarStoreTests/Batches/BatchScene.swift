// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import CalendarSync
import Foundation
import TestSupport
import Testing

/// Two folders with files, and a batch that changes ten of them: three are created, one is replaced and
/// one is removed in each.
final class BatchScene: Sendable {
  /// A file: what it contains, and who may access it.
  struct File: Hashable {
    let text: String
    let mode: Int
  }

  static let folders = ["home", "work"]
  let folder: TemporaryFolder
  var batch: FileBatch { FileBatch(journal: folder.path(of: "state/batches")) }
  /// The files before and after the batch.
  let before: [String: File]
  let after: [String: File]

  init() throws {
    folder = try TemporaryFolder()
    var (before, after): ([String: File], [String: File]) = ([:], [:])
    for place in Self.folders {
      before["\(place)/other"] = File(text: "other", mode: 0o644)
      before["\(place)/edited"] = File(text: "old", mode: 0o640)
      before["\(place)/removed"] = File(text: "old", mode: 0o600)
      after["\(place)/other"] = File(text: "other", mode: 0o644)
      after["\(place)/edited"] = File(text: "new", mode: 0o640)
      for name in ["a", "b", "c"] { after["\(place)/\(name)"] = File(text: name, mode: 0o644) }
    }
    (self.before, self.after) = (before, after)
    try reset()
  }

  /// The batch.
  static func replacements(in folder: String) -> [FileReplacement] {
    folders.flatMap { place in
      let path = "\(folder)/\(place)/"
      let old = FileReplacement(path: "", expected: nil, contents: Array("old".utf8)).revision
      return ["a", "b", "c"].map {
        FileReplacement(path: path + $0, expected: nil, contents: Array($0.utf8))
      } + [
        FileReplacement(path: path + "edited", expected: old, contents: Array("new".utf8)),
        FileReplacement(path: path + "removed", expected: old, contents: nil),
      ]
    }
  }

  /// Puts everything back to where it began.
  func reset() throws {
    for place in Self.folders + ["state"] {
      try? FileManager.default.removeItem(atPath: folder.path(of: place))
      try FileManager.default.createDirectory(
        atPath: folder.path(of: place), withIntermediateDirectories: true)
    }
    try replaceAll(with: before)
  }

  /// Replaces all files.
  func replaceAll(with files: [String: File]) throws {
    for place in Self.folders {
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path(of: place)) {
        try FileManager.default.removeItem(atPath: folder.path(of: "\(place)/\(name)"))
      }
    }
    for (name, file) in files {
      try folder.write(file.text.utf8, to: name)
      try FileManager.default.setAttributes(
        [.posixPermissions: file.mode], ofItemAtPath: folder.path(of: name))
    }
  }

  /// The files by their paths in the folder, without hidden ones.
  func files() throws -> [String: File] {
    var files: [String: File] = [:]
    for place in Self.folders {
      let path = folder.path(of: place)
      guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { continue }
      for name in names where !name.hasPrefix(".") {
        files["\(place)/\(name)"] = File(
          text: String(decoding: try folder.bytes(of: "\(place)/\(name)"), as: UTF8.self),
          mode: try folder.mode(of: "\(place)/\(name)"))
      }
    }
    return files
  }

  /// The journals of batches that are not complete.
  func journals() throws -> [String] {
    let path = folder.path(of: "state/batches")
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: path).filter { !$0.hasPrefix(".") }
  }

  /// The hidden files that remain.
  func leftOvers() throws -> [String] {
    try (Self.folders + ["state/batches"]).flatMap { place in
      let path = folder.path(of: place)
      guard FileManager.default.fileExists(atPath: path) else { return [String]() }
      return try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasPrefix(".") }
    }
  }

  /// The call between the renames, which is the same one in every scene.
  private static let halfway = Result {
    let scene = try BatchScene()
    for call in 20... {
      try #require(try scene.kill(at: call) == .killed, "the batch was never halfway")
      let files = try scene.files()
      // In the second folder the file `a` is new already, and the others are not.
      if files["work/a"] != nil, files["work/b"] == nil { return call }
    }
    return 0
  }

  /// Kills a batch between its renames: of the files some are old and some are new.
  func crashHalfway() throws {
    try #require(try kill(at: try Self.halfway.get()) == .killed)
  }

  /// Begins once more, with a batch that is killed before a call.
  private func kill(at call: Int) throws -> ChildProcess.End {
    let shim = try KillShim(in: folder.path)
    try reset()
    return try ChildProcess.run(
      .commit, in: folder.path, shim.prefix(at: call, "before", below: folder.path))
  }

  /// The journal of the batch that was killed.
  func journal() throws -> String {
    "state/batches/" + (try #require(try journals().first))
  }

  /// Changes the state of a batch that was killed: it is to be undone.
  func revoke() throws {
    let name = try journal()
    let revoked = try #require(name.split(separator: ".").first) + ".undo"
    try FileManager.default.moveItem(
      atPath: folder.path(of: name), toPath: folder.path(of: String(revoked)))
  }
}
