// SPDX-License-Identifier: Apache-2.0

/// The program that sends mails: the configured `sendmail-command`.
///
/// It reads a mail from standard input and takes the recipients from the header, as `sendmail -t`.
/// Its environment is that of a hook.
/// Its output is that of this program.
public struct MailCommand: Sendable {
  /// The time limit, in seconds.
  private static let timeLimit = 120.0

  private let words: [String]
  private let machine: Machine

  /// Creates the command.
  ///
  /// - Parameters:
  ///   - words: The program and its arguments; nil if none is configured.
  ///   - machine: The environment.
  /// - Throws: `EpactError` if none is configured, or if other users can change the program.
  public init(_ words: [String]?, machine: Machine) throws(EpactError) {
    guard let words, let program = words.first else {
      throw EpactError(
        .configuration, "no program to send mails is configured",
        remedy: .other("Add sendmail-command = [\"sendmail\", \"-t\"] to the configuration."))
    }
    if program.contains("/") {
      try FileTrust(machine, isStrict: false).expect(program, "sendmail-command")
    }
    self.words = words
    self.machine = machine
  }

  /// Sends a mail.
  ///
  /// - Parameter mail: The mail.
  /// - Throws: `EpactError` if the program fails; `CancellationError`.
  public func send(_ mail: OutgoingMail) throws {
    var process = Subprocess(
      words: words, environment: machine.plainEnvironment, timeLimit: Self.timeLimit,
      outputLimit: 0,
      stopwatch: machine.stopwatch)
    process.input = mail.bytes
    let name = "the sendmail-command, \(words[0]),"
    do {
      let status = try process.run()
      guard status == 0 else { throw Subprocess.Failure.exited(status) }
    } catch let error as Subprocess.Failure {
      let code: EpactError.Code = error == .timedOut ? .unavailable : .failed
      throw EpactError(code, "\(name) \(error.reason); the mail was not sent")
    }
  }
}
