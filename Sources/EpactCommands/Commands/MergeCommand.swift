// SPDX-License-Identifier: Apache-2.0

import Epact
import ArgumentParser
import CalendarModel
import CalendarStore
import CalendarSync
import Glibc

/// `epact merge`: performs a three-way merge of files.
struct MergeCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merge two versions of a file against their base.",
    discussion: """
      Each item is merged by UID, property by property, as a sync merges what both sides edited. \
      Where both versions edited the same thing differently, the local one stands in the result, \
      all versions are told on standard error, and the exit status is 3; the result is valid either \
      way. A base that is empty or missing is none: then nothing was deleted, and what differs is in \
      conflict.

      Git merges calendars with it, once it is told so in .gitattributes and in its configuration:

        *.ics merge=epact
        git config merge.epact.driver "epact merge %O %A %B -o %A"
      """)

  @Argument(
    help: ArgumentHelp("What both versions came from.", valueName: "base"), completion: .file())
  var base: String

  @Argument(help: ArgumentHelp("The local version.", valueName: "local"), completion: .file())
  var local: String

  @Argument(help: ArgumentHelp("The remote version.", valueName: "remote"), completion: .file())
  var remote: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Where to write to, instead of standard output.", valueName: "file"),
    completion: .file())
  var output: String?

  @Option(
    help: ArgumentHelp(
      "What stands in the result where both edited the same: keep-both, newest, local or remote.",
      valueName: "policy"), transform: Self.policy)
  var onConflict = MergePolicy.keepBoth

  @Option(
    help: ArgumentHelp(
      "The same for one property, or for VALARM: SUMMARY=remote; repeat it for several.",
      valueName: "name=policy"), transform: Self.namedPolicy)
  var onConflictIn: [NamedPolicy] = []

  @Flag(help: "Print what there is to say as one JSON object; the merged file goes to --output.")
  var json = false

  @OptionGroup var global: GlobalOptions

  /// The policy of one property or nested component.
  struct NamedPolicy {
    let name: String
    let policy: MergePolicy
  }

  func validate() throws {
    guard !json || output != nil && output != "-" else {
      throw ValidationError("--json needs --output FILE, as both would go to standard output")
    }
  }

  func run(in context: Context) async throws -> ExitStatus {
    let named = Dictionary(onConflictIn.map { ($0.name, $0.policy) }) { _, last in last }
    let merge = FileMerge(
      ThreeWayMerge(
        policies: MergePolicies(onConflict, named: named), normalForm: context.normalForm))
    let (base, local, remote) = (
      try Self.bytes(of: base, mayBeMissing: true), try Self.bytes(of: local),
      try Self.bytes(of: remote)
    )
    let result: FileMerge.Result
    do throws(ItemError) {
      result = try merge.merge(base: base, local: local, remote: remote)
    } catch {
      throw Failure(.nothingDone, "a file cannot be merged: \(error)")
    }
    let report = MergeReport(result: result)
    if !json { report.tell(on: context.console) }
    if let output, output != "-" {
      try AtomicFile.write(
        result.bytes, to: context.paths.absolute(output), permissions: .shared)
    } else {
      context.console.write(result.bytes)
    }
    if json { context.console.write(report.json) }
    return report.status
  }

  private static func policy(_ word: String) throws -> MergePolicy {
    guard let policy = MergePolicy(rawValue: word) else {
      throw ValidationError("expected keep-both, newest, local or remote, found \"\(word)\"")
    }
    return policy
  }

  private static func namedPolicy(_ text: String) throws -> NamedPolicy {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else {
      throw ValidationError("expected NAME=POLICY, as in SUMMARY=remote, found \"\(text)\"")
    }
    return NamedPolicy(name: parts[0].uppercased(), policy: try policy(String(parts[1])))
  }

  /// The maximum size of a file, in bytes.
  private static let sizeLimit = 512 << 20

  /// The bytes of a file; nil if the file is missing and `mayBeMissing` is true.
  private static func bytes(of path: String, mayBeMissing: Bool = false) throws -> [UInt8]? {
    do {
      var stream = try InputFiles.Source(argument: path).open()
      guard let bytes = try stream.readAll(limit: sizeLimit) else {
        throw Failure(.nothingDone, "\(path): the file is too large to be merged")
      }
      return bytes
    } catch let error as SystemError {
      if mayBeMissing, error.code == ENOENT { return nil }
      throw Failure(.nothingDone, "\(path): \(error)")
    }
  }
}
