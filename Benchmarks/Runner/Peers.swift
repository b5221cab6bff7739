// SPDX-License-Identifier: Apache-2.0

/// Other parsers that do the same work in the same run.
struct Peers {
  /// The command of each peer, by name.
  private(set) var commands: [String: [String]] = [:]

  /// Creates an empty set of peers.
  init() {}

  /// Builds the peers; those that cannot be built are skipped, and the script reports the reason.
  ///
  /// - Parameter folder: The build folder.
  /// - Throws: `Failure` if the build script fails.
  init(builtIn folder: String) throws {
    let exit = try System.run(["Benchmarks/peers/build", folder])
    guard exit.succeeded else { throw Failure("Benchmarks/peers/build: failed") }
    for line in exit.output.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      commands[words[0]] = Array(words.dropFirst())
    }
  }
}
