// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import Glibc

/// Finds and reads what an administrator decided.
///
/// The file of the machine comes first; `$EPACT_POLICY` names one more, for containers and for trying a
/// policy out. Since the one that allows least counts, it can only lower what is allowed.
struct AccessPolicyFile: Sendable {
  /// The largest policy that is read, in bytes.
  private static let sizeLimit = 1 << 20

  let machine: Dependencies

  /// Reads all policies there are.
  ///
  /// - Throws: `Failure` or `ConfigurationError`. A policy that cannot be read is never taken for none.
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
