// SPDX-License-Identifier: Apache-2.0

extension Failure {
  /// Says what an error means for the person in front of the program.
  init(describing error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case is CancellationError: self.init(.interrupted, "interrupted")
    case let error as ConfigurationError:
      self.init(.configuration, ConfigurationText.of(error))
    case let error as SystemError: self.init(.nothingDone, "\(error)")
    default: self.init(.nothingDone, "\(String(describing: error))")
    }
  }

  /// Lays out the problems of a configuration under each other.
  private enum ConfigurationText {
    static func of(_ error: ConfigurationError) -> ConsoleText {
      let lines = error.lines.map { ConsoleText($0) }
      return lines.dropFirst().reduce(lines.first ?? "") { "\($0)\n       \($1)" }
    }
  }
}
