// SPDX-License-Identifier: Apache-2.0

/// Parsers of others that do the same work in the same run.
struct Peers {
  /// The words of each peer's command, by its name.
  private(set) var commands: [String: [String]] = [:]

  /// No peers.
  init() {}

  /// Builds the peers; those that cannot be built are left out, and their script says why.
  ///
  /// - Parameter folder: Where they are built.
  /// - Throws: `Failure` if the script that builds them fails.
  init(builtIn folder: String) throws {
    let exit = try System.run(["Benchmarks/peers/build", folder])
    guard exit.succeeded else { throw Failure("Benchmarks/peers/build: failed") }
    for line in exit.output.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      commands[words[0]] = Array(words.dropFirst())
    }
  }
}
