// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// The compiler for code of the documentation, which uses the libraries of this build.
struct DocumentationCompiler {
  static let root = Fixture.root.deletingLastPathComponent()
  /// The folder with the modules and the objects of this build.
  private static let build = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()

  /// The libraries and the packages that the code may use.
  private static let targets = [
    "CivilTime", "Recurrence", "ICalSyntax", "CalendarModel", "EpactFoundation", "ICUServices",
    "CalendarLanguage",
    "CalendarFiles", "CalendarSync", "CalendarStore", "CalendarRemotes", "Epact", "CoreLocation",
    "OpenEventKit", "EventKit", "GRDB", "Logging", "TOMLKit", "CTOML", "CCurl", "CFiles", "CICU",
    "CInflate", "CNames", "CPassword", "CPostgreSQL", "CXMLReader",
  ]

  private let folder: TemporaryFolder
  /// The path of a file with the options that find the modules.
  private let modules: String
  /// The path of a file with the objects and the libraries of a program.
  private let objects: String

  /// Creates a compiler that writes into a folder.
  init(in folder: TemporaryFolder) throws {
    self.folder = folder
    modules = try folder.write(Self.moduleOptions().joined(separator: "\n").utf8, to: "modules")
    objects = try folder.write(Self.linkOptions().joined(separator: "\n").utf8, to: "objects")
  }

  /// Compiles a program.
  ///
  /// - Returns: The errors; empty if the program is at `path`.
  func compile(_ code: String, to path: String) throws -> [String] {
    try errors(in: code, ["@\(objects)", "-o", path])
  }

  /// Checks the types of a program without compiling it.
  ///
  /// - Returns: The errors.
  func typeCheck(_ code: String) throws -> [String] { try errors(in: code, ["-typecheck"]) }

  private func errors(in code: String, _ options: [String]) throws -> [String] {
    try folder.write(code.utf8, to: "main.swift")
    let script = #"swiftc "$@" 2>&1 || echo "error: the compiler failed""#
    let output = try TestProgram(
      ["sh", "-c", script, "sh", "-swift-version", "6", folder.path(of: "main.swift")]
        + ["@\(modules)"] + options
    ).outputBytes()
    return String(decoding: output, as: UTF8.self).split(separator: "\n")
      .filter { $0.contains(": error: ") || $0.hasPrefix("error: ") }.map(String.init)
  }

  private static func files(_ path: URL, _ suffix: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: path.path)
      .filter { $0.hasSuffix(suffix) }.map { path.appending(path: $0).path }
  }

  private static func moduleOptions() throws -> [String] {
    var maps = try files(root.appending(path: ".build/checkouts/GRDB.swift/Sources"), "modulemap")
      .filter { $0.contains("/GRDBSQLite/") }
    for target in targets {
      maps += try files(build.appending(path: "\(target).build"), "module.modulemap")
    }
    for name in try FileManager.default.contentsOfDirectory(
      atPath: root.appending(path: "Sources").path) where name.hasPrefix("System")
    {
      maps.append(root.appending(path: "Sources/\(name)/module.modulemap").path)
    }
    return ["-I", build.appending(path: "Modules").path, "-I/usr/include/libxml2"]
      + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
  }

  private static func linkOptions() throws -> [String] {
    var objects: [String] = []
    for target in targets {
      let place = build.appending(path: "\(target).build")
      let sources = root.appending(path: "Sources/\(target)")
      // By the names of the sources, because objects of renamed files stay in the folder.
      let isOwn = FileManager.default.fileExists(atPath: sources.path)
      objects +=
        isOwn
        ? try (files(sources, ".swift") + files(sources, ".c")).map { path in
          place.appending(path: URL(filePath: path).lastPathComponent + ".o").path
        } : try files(place, ".o")
    }
    return objects + [
      "-lstdc++", "-licui18n", "-licuuc", "-lxml2", "-lpsl", "-lz", "-ldl", "-lresolv", "-lsqlite3",
      "-use-ld=lld",
    ]
  }
}
