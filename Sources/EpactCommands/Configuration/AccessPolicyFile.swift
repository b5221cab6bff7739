// SPDX-License-Identifier: Apache-2.0

import Epact
import CalendarSync
import Epact
import Glibc

/// Finds and reads access policies of administrators.
///
/// The machine's file comes first. `$EPACT_POLICY` names an additional file, for containers and for
/// trying out a policy. The most restrictive policy applies, so that an additional one can only
/// lower the access.
struct AccessPolicyFile: Sendable {
  /// The maximum size of a policy, in bytes.
  private static let sizeLimit = 1 << 20

  let machine: Machine

  /// Reads all policies.
  ///
  /// - Throws: `Failure` or `ConfigurationError`. An unreadable policy is an error, not an absent
  ///   one.
  func load() throws -> [AccessPolicy] {
    var policies = try machine.policyPaths.compactMap { try policy(at: $0, isOptional: true) }
    if let path = machine.environment["EPACT_POLICY"], !path.isEmpty {
      let paths = PathResolver(home: machine.homeFolder, base: machine.currentFolder)
      policies += try policy(at: paths.absolute(path), isOptional: false).map { [$0] } ?? []
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
      throw Failure(.configuration, "cannot read the policy \(path): \(error)")
    }
    guard let bytes = try file.readAll(limit: Self.sizeLimit) else {
      throw Failure(.configuration, "the policy \(path) is larger than 1 MiB")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(.configuration, "the policy \(path) is not UTF-8")
    }
    return try ConfigurationReader.readPolicy(
      text, path: path, paths: PathResolver(home: machine.homeFolder, base: "/"))
  }
}
