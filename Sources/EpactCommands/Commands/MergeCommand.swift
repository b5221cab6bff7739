// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarFiles
import CalendarModel
import CalendarStore
import CalendarSync
import Epact
import EpactConsole

/// `epact merge`: performs a three-way merge of files.
struct MergeCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merge two versions of a file against their base.",
    discussion: """
      Items are merged by UID, property by property, as in a sync. If both versions changed the \
      same property differently, the result has the local value, all versions are printed on \
      standard error, and the exit status is 3; the result is valid in any case. If the base is \
      empty or missing, nothing counts as deleted, and all differences are conflicts.

      To make Git merge calendars with it, add the first line to .gitattributes and run the \
      second one:

        *.ics merge=epact
        git config merge.epact.driver "epact merge %O %A %B -o %A"
      """)

  @Argument(
    help: ArgumentHelp("The common ancestor of both versions.", valueName: "base"),
    completion: .file())
  var base: String

  @Argument(help: ArgumentHelp("The local version.", valueName: "local"), completion: .file())
  var local: String

  @Argument(help: ArgumentHelp("The remote version.", valueName: "remote"), completion: .file())
  var remote: String

  @OptionGroup var output: OutputOption

  @Option(
    help: ArgumentHelp(
      "Resolve conflicts by this policy: keep-both, newest, local or remote.",
      valueName: "policy"), transform: Self.policy)
  var onConflict = MergePolicy.keepBoth

  @Option(
    help: ArgumentHelp(
      "Resolve conflicts of one property, or of VALARM, by another policy, "
        + "such as SUMMARY=remote (repeatable).",
      valueName: "name=policy"), transform: Self.namedPolicy)
  var onConflictIn: [NamedPolicy] = []

  @Flag(help: "Print the conflicts as one JSON object; requires --output.")
  var json = false

  @OptionGroup var global: GlobalOptions

  /// The policy of one property or nested component.
  struct NamedPolicy {
    let name: String
    let policy: MergePolicy
  }

  func validate() throws {
    guard !json || output.path != nil else {
      throw ValidationError("--json requires --output FILE, because both use standard output")
    }
  }

  func run(in context: Context) async throws -> ExitStatus {
    let named = Dictionary(onConflictIn.map { ($0.name, $0.policy) }) { _, last in last }
    let policies = MergePolicies(onConflict, named: named)
    let (base, local, remote) = (
      FileSource(path: base), FileSource(path: local), FileSource(path: remote)
    )
    context.warnAboutFallback()
    let result = try CalendarFile.merge(
      base: base, local: local, remote: remote, policies: policies, machine: context.machine)
    if !json { context.console.write(result.messages) }
    if let path = output.path {
      try AtomicFile.write(
        result.bytes, to: context.paths.absolute(path), permissions: .shared)
    } else {
      context.console.write(result.bytes)
    }
    if json { context.console.write(result.json) }
    return result.status
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
}
