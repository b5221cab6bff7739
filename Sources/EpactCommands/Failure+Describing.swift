// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CalendarStore
import CalendarSync
import Epact
import ICUServices

/// Conversion of errors of other layers: the message is theirs, the exit status is chosen here.
extension Failure {
  /// Creates a failure from any error.
  init(describing error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case is CancellationError: self.init(.interrupted, "interrupted")
    case let error as EpactError: self.init(error)
    case let error as ConfigurationError: self.init(error)
    case let error as StoreError: self.init(error)
    case let error as RemoteError where error.code == .untrusted: self.init(untrusted: "\(error)")
    case let error as HTTPError where error.code == .untrusted: self.init(untrusted: "\(error)")
    case let error as RemoteError: self.init(Self.status(of: error.code), "\(error)")
    case let error as HTTPError: self.init(Self.status(of: error.code), "\(error)")
    case let error as AccessError: self.init(error)
    case let error as ICUError: self.init(.nothingDone, "\(error.message)")
    default: self.init(.nothingDone, "\(String(describing: error))")
    }
  }

  private init(_ error: EpactError) {
    self.init(
      Self.status(of: error.code), "\(error.message)", hint: error.remedy.map(Self.hint))
  }

  private static func status(of code: EpactError.Code) -> ExitStatus {
    switch code {
    case .configuration: .configuration
    case .argument: .usage
    case .noAccess: .noAccess
    case .unavailable: .unavailable
    case .interrupted: .interrupted
    default: .nothingDone
    }
  }

  private static func hint(_ remedy: EpactError.Remedy) -> ConsoleText {
    switch remedy {
    case .makePrivate(let path): "Run: chmod 600 \(ShellWord(path))"
    case .withdrawWriting(let path): "Run: chmod go-w \(ShellWord(path))"
    case .takeOwnership: "Copy it to a file of your own, or have root make it yours with chown."
    case .makeFolder(let path): "If it is new, make its folder: mkdir -p \(ShellWord(path))"
    case .usePath(let name): "To use a folder, write ./\(name)."
    case .grant(let tier, let remote): "To grant it: \(SuggestedCommand.grant(tier, to: remote))"
    case .configure: "To make one: \(SuggestedCommand.initialize)"
    case .other(let text): "\(text)"
    }
  }

  /// Puts each problem of a configuration on a line of its own.
  private init(_ error: ConfigurationError) {
    let lines = error.lines.map { ConsoleText($0) }
    let message = lines.dropFirst().reduce(lines.first ?? "") { "\($0)\n       \($1)" }
    self.init(.configuration, message)
  }

  private init(untrusted message: ConsoleText) {
    self.init(
      .nothingDone, message,
      hint:
        "For certificates of your own: ca-file in the configuration, or \(SuggestedCommand.initializeWithCertificates)"
    )
  }

  private init(_ error: AccessError) {
    self.init(
      error.code == .purpose ? .usage : .noAccess, "\(error)",
      hint: error.remedy.map { remedy in
        let words = error.code == .denied ? "To change the answer" : "To grant it"
        return "\(words): \(SuggestedCommand.grant(remedy.tier, to: remedy.remote))"
      })
  }

  private init(_ error: StoreError) {
    guard error.code != .replaced else {
      self.init(.unavailable, "\(error)")
      return
    }
    guard error.code == .locked else {
      self.init(.nothingDone, "\(error)")
      return
    }
    // The path of the lock is irrelevant if another run is in progress.
    self.init(.unavailable, "\(error.message)")
  }

  private static func status(of code: RemoteError.Code) -> ExitStatus {
    switch code {
    case .configuration, .ambiguous: .configuration
    case .credentials, .forbidden: .noAccess
    case .temporarilyUnavailable, .unreachable, .interrupted: .unavailable
    default: .nothingDone
    }
  }

  private static func status(of code: HTTPError.Code) -> ExitStatus {
    switch code {
    case .unreachable, .timeout, .interrupted: .unavailable
    default: .nothingDone
    }
  }
}
