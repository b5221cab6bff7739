// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
package import CalendarSync
import Glibc

/// Finds and reads access policies of administrators.
///
/// The machine's file comes first. `$EPACT_POLICY` names an additional file, for containers and for
/// trying out a policy. The most restrictive policy applies, so that an additional one can only
/// lower the access.
package struct AccessPolicyFile: Sendable {
  /// The maximum size of a policy, in bytes.
  private static let sizeLimit = 1 << 20

  private let machine: Machine

  /// Creates the reader of a machine's policies.
  package init(machine: Machine) {
    self.machine = machine
  }

  /// Reads all policies.
  ///
  /// - Throws: `EpactError` or `ConfigurationError`. An unreadable policy is an error, not an
  ///   absent one.
  package func load() throws -> [AccessPolicy] {
    var policies = try machine.policyPaths.compactMap { try policy(at: $0, isOptional: true) }
    if let path = machine.environment["EPACT_POLICY"], !path.isEmpty {
      policies += try policy(at: machine.paths.absolute(path), isOptional: false).map { [$0] } ?? []
    }
    return policies
  }

  private func policy(at path: String, isOptional: Bool) throws -> AccessPolicy? {
    var file: InputStream
    do {
      file = try InputStream(path: path)
    } catch  where isOptional && [ENOENT, ENOTDIR].contains(error.code) {
      return nil
    } catch {
      throw EpactError(.configuration, "cannot read the policy \(path): \(error)")
    }
    guard let bytes = try file.readAll(limit: Self.sizeLimit) else {
      throw EpactError(.configuration, "the policy \(path) is larger than 1 MiB")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw EpactError(.configuration, "the policy \(path) is not UTF-8")
    }
    return try ConfigurationReader.readPolicy(
      text, path: path, paths: PathResolver(home: machine.homeFolder, base: "/"))
  }
}

extension ConfigurationReader {
  /// Parses an administrator's policy, or throws all errors in it.
  ///
  /// ```toml
  /// decided-by = "the IT department, it@example.org"
  /// max-tier = "none"              # for all remotes that no rule is about
  ///
  /// [[rule]]
  /// kind = "caldav"                # either may be left out
  /// host = "*.example.org"
  /// max-tier = "full"
  ///
  /// [[program]]
  /// identifier = "org.example.*"   # a bundle identifier, a path, or the beginning of one and *
  /// entity = "events"              # may be left out
  /// max-tier = "write-only"
  /// ```
  static func readPolicy(
    _ text: String, path: String, paths: PathResolver
  ) throws(ConfigurationError) -> AccessPolicy {
    var (reader, document) = try reading(text, path: path, paths: paths, isPrivate: false)
    let policy = reader.policy(from: document, path: path)
    guard reader.problems.isEmpty else {
      throw ConfigurationError(path: path, problems: reader.problems)
    }
    return policy
  }

  private mutating func policy(from document: [String: TOMLNode], path: String) -> AccessPolicy {
    let root = Table(path: [], members: document, title: "the policy")
    checkKeys(of: root, known: ["decided-by", "max-tier", "rule", "program"])
    let decidedBy = requiredString("decided-by", in: root) ?? ""
    var rules = arrayTables("rule", in: root).compactMap { table -> AccessPolicy.Rule? in
      checkKeys(of: table, known: ["kind", "host", "max-tier"])
      let (kind, host) = (string("kind", in: table), string("host", in: table))
      return restriction(in: table, decidedBy: decidedBy, path: path).map {
        AccessPolicy.Rule(kind: kind, host: host, restriction: $0)
      }
    }
    let programs = arrayTables("program", in: root).compactMap { table in
      programRule(in: table, decidedBy: decidedBy, path: path)
    }
    if root.members["max-tier"] != nil {
      let restriction = restriction(in: root, decidedBy: decidedBy, path: path)
      rules += restriction.map { [AccessPolicy.Rule(restriction: $0)] } ?? []
    } else if rules.isEmpty, programs.isEmpty {
      complain(
        [], "the policy decides nothing: it has neither \"max-tier\", [[rule]] nor [[program]]")
    }
    return AccessPolicy(rules: rules, programs: programs)
  }

  private mutating func programRule(
    in table: Table, decidedBy: String, path: String
  ) -> AccessPolicy.ProgramRule? {
    checkKeys(of: table, known: ["identifier", "entity", "max-tier"])
    let identifier = requiredString("identifier", in: table)
    let word = string("entity", in: table)
    let entity = word.flatMap(ProgramEntity.init)
    if let word, entity == nil {
      complain(
        table.path + ["entity"],
        "expected entity to be one of \"events\", \"reminders\", found \"\(word)\"")
    }
    guard let restriction = restriction(in: table, decidedBy: decidedBy, path: path),
      let identifier
    else { return nil }
    return AccessPolicy.ProgramRule(
      identifier: identifier, entity: entity, restriction: restriction)
  }

  private mutating func restriction(
    in table: Table, decidedBy: String, path: String
  ) -> AccessRestriction? {
    guard table.members["max-tier"] != nil else {
      complain(table.path, "\(table.title) has no \"max-tier\"")
      return nil
    }
    let line = lines.line(of: table.path + ["max-tier"])
    return tier("max-tier", in: table, from: AccessTier.allCases).map {
      AccessRestriction(
        tier: $0, decidedBy: decidedBy, place: line.map { "\(path):\($0)" } ?? path)
    }
  }
}
