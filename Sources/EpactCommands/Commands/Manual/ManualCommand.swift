// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarStore
import CivilTime
import Epact
import EpactConsole

/// `epact man`: writes the pages of the manual.
struct ManualCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "man",
    abstract: "Print the manual pages, or write them to a folder.",
    discussion: """
      Prints the source of a page in the language mdoc, which man, mandoc and groff display. With \
      --output, writes all pages to the folders man1 and man5 below a folder, such as \
      ~/.local/share/man. The pages have the same source as the help. Their date is the current \
      one, or that of $SOURCE_DATE_EPOCH.
      """)

  @Argument(
    help: ArgumentHelp(
      "Print this page, such as epact-sync or epact.toml. The default is epact.",
      valueName: "page"), completion: .manualPages)
  var page: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write all pages below this folder.", valueName: "folder"),
    completion: .directory)
  var output: String?

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if page != nil, output != nil { throw ValidationError("--output writes all pages") }
  }

  func run(in context: Context) async throws -> ExitStatus {
    let manual = try Manual(on: context.machine)
    if let output {
      try write(manual, to: context.paths.absolute(output), in: context)
      return .done
    }
    let name = page ?? "epact"
    guard let page = manual.pages.first(where: { $0.name == name || $0.fileName == name }) else {
      let error = EpactError.unknown(
        name, what: "page", in: "the manual", known: manual.pages.map(\.name))
      throw Failure(.usage, "\(error.message)")
    }
    context.console.write(Array(page.text.utf8))
    return .done
  }

  private func write(_ manual: Manual, to folder: String, in context: Context) throws {
    for page in manual.pages {
      let place = "\(folder)/man\(page.section)"
      try PrivateFolder.make(place, mode: 0o755)
      try AtomicFile.write(
        Array(page.text.utf8), to: "\(place)/\(page.fileName)", permissions: .shared)
    }
    context.console.say("\(Count(manual.pages.count, "page")) written to \(folder).")
  }
}

extension Manual {
  /// The manual of this program.
  ///
  /// The date is a fixed one for reproducible packages, or the current one.
  init(on machine: Machine) throws {
    let fixed = machine.environment["SOURCE_DATE_EPOCH"].flatMap { Int64($0) }
    let instant = fixed.map { Instant(secondsSinceEpoch: $0) } ?? machine.now()
    self.init(
      of: try CommandDescription(parsing: EpactCommand._dumpHelp()),
      configuration: String(decoding: PackageResources.configuration_md, as: UTF8.self),
      date: instant.civil()?.date ?? .first)
  }
}

extension CompletionKind {
  /// The names of the manual's pages.
  static var manualPages: CompletionKind {
    .custom { _, _, _ in (try? Manual(on: .live()))?.pages.map(\.name) ?? [] }
  }
}
