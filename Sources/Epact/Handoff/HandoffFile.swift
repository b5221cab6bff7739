// SPDX-License-Identifier: Apache-2.0

import CalendarStore

/// The file of a handoff, and the program that opens it.
package struct HandoffFile: Sendable {
  /// The time limit of the handler, in seconds; it starts the program and does not wait for it.
  private static let timeLimit = 60.0

  /// The absolute path.
  package let path: String
  /// The handler of calendar files with its arguments, and the path.
  package let openingWords: [String]
  /// Whether other users may read the file, because the user has chosen its path.
  private let isShared: Bool
  private let machine: Machine

  /// Chooses the path of a file.
  ///
  /// - Parameters:
  ///   - output: The path; nil for a private file in the folder of the ledger.
  ///   - source: The path of the events, from which the name of the private file is derived; the
  ///     contents of the events have no effect on it.
  ///   - handler: The program that opens the file, with its arguments; nil for that of the system.
  ///   - machine: The folders and the environment.
  /// - Throws: `StoreError` if the folder cannot be created.
  package init(
    at output: String?, from source: String?, handler: String?, machine: Machine
  ) throws {
    if let output {
      path = machine.paths.absolute(output)
    } else {
      let folder = machine.stateFolder + "/handoff"
      try PrivateFolder.make(folder)
      path = "\(folder)/\(Self.name(from: source))"
    }
    isShared = output != nil
    openingWords = (handler?.split(separator: " ").map(String.init) ?? ["xdg-open"]) + [path]
    self.machine = machine
  }

  private static func name(from source: String?) -> String {
    let last = source?.split(separator: "/").last.map(String.init) ?? ""
    let stem = last.hasSuffix(".ics") ? String(last.dropLast(4)) : last
    let plain = stem.unicodeScalars.filter {
      $0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "-" || $0 == "_"
    }
    let text = String(String.UnicodeScalarView(plain).prefix(60))
    return (text.isEmpty || text == "-" ? "events" : text) + ".ics"
  }

  /// Writes the file.
  ///
  /// - Throws: `StoreError`; `CancellationError`.
  package func write(_ contents: CalendarWriting) throws {
    var bytes: [UInt8] = []
    try contents.write { bytes += $0 }
    try AtomicFile.write(bytes, to: path, permissions: isShared ? .shared : .secret)
  }

  /// Opens the file with the handler.
  ///
  /// - Throws: `EpactError` if the handler cannot be started or fails; `CancellationError`.
  package func open() throws {
    let process = Subprocess(
      words: openingWords, environment: machine.environment, timeLimit: Self.timeLimit,
      outputLimit: 0, stopwatch: machine.stopwatch)
    let status: Int32
    do {
      status = try process.run()
    } catch let error as Subprocess.Failure {
      throw failure(error.reason)
    }
    guard status == 0 else { throw failure("ended with status \(status)") }
  }

  private func failure(_ reason: String) -> EpactError {
    EpactError(
      .failed, "cannot open \(path): \(openingWords[0]) \(reason)",
      remedy: .other("The file is complete; open it with your calendar program."))
  }
}
