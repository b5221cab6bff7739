// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One text file of the repository.
struct SourceFile {
  /// The path from the top of the repository, as `Sources/ICalSyntax/Component.swift`.
  let path: String
  let text: String

  var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
}

/// What a file does that the house does not allow.
struct Violation: Hashable, CustomStringConvertible {
  let path: String
  /// The line, from 1; nil if it is about the file as a whole.
  let line: Int?
  let message: String

  init(_ path: String, line: Int? = nil, _ message: String) {
    self.path = path
    self.line = line
    self.message = message
  }

  var description: String {
    line.map { "\(path):\($0): \(message)" } ?? "\(path): \(message)"
  }
}

/// The repository that these tests belong to, found from where this file lies.
struct SourceTree {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// What tools leave behind and git ignores.
  private static let ignored = [".git", ".build", ".swiftpm", "Package.resolved"]

  /// The paths of all files under some folders, in order.
  static func paths(under folders: String...) -> [String] {
    folders.flatMap { folder -> [String] in
      let base = folder.isEmpty ? root : root.appending(path: folder)
      guard let walk = FileManager.default.enumerator(atPath: base.path) else { return [] }
      var paths: [String] = []
      for case let path as String in walk {
        let first = path.split(separator: "/").first.map(String.init) ?? path
        if folder.isEmpty, ignored.contains(first) || first.hasPrefix(".build") { continue }
        let attributes = try? FileManager.default.attributesOfItem(
          atPath: base.appending(path: path).path)
        guard attributes?[.type] as? FileAttributeType == .typeRegular, !path.hasSuffix("~"),
          !path.hasSuffix(".swp")
        else { continue }
        paths.append(folder.isEmpty ? path : "\(folder)/\(path)")
      }
      return paths.sorted()
    }
  }

  /// A file's text, or nil if it is not UTF-8.
  static func file(_ path: String) -> SourceFile? {
    guard let data = try? Data(contentsOf: root.appending(path: path)),
      let text = String(data: data, encoding: .utf8)
    else { return nil }
    return SourceFile(path: path, text: text)
  }

  /// The text files with one of these extensions under some folders.
  static func files(under folders: String..., extensions: Set<String>) -> [SourceFile] {
    folders.flatMap { paths(under: $0) }
      .filter { extensions.contains(($0 as NSString).pathExtension) }
      .compactMap { file($0) }
  }

  /// All of our Swift code.
  static func swiftFiles() -> [SourceFile] {
    files(under: "Sources", "Tests", "Benchmarks", extensions: ["swift"])
  }

  /// Everything that people read: code, documents, scripts, configuration; no fixtures.
  static func textFiles() -> [SourceFile] {
    paths(under: "").filter { !$0.hasPrefix("Fixtures/") || $0.hasSuffix(".md") }
      .compactMap { file($0) }
  }
}
