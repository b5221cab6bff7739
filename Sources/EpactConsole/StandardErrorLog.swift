// SPDX-License-Identifier: Apache-2.0

package import Logging

/// Writes log messages to standard error: `debug: message key=value`.
///
/// Possible secrets are redacted again here, even if the sender has redacted them.
package struct StandardErrorLog: LogHandler {
  private static let secrets = [
    "authorization", "cookie", "credential", "passwd", "password", "secret", "token",
  ]

  private let console: Console
  package var logLevel: Logger.Level
  package var metadata: Logger.Metadata = [:]

  /// Creates a handler with a verbosity, the number of `-v` flags.
  package init(console: Console, verbosity: Int) {
    self.console = console
    logLevel =
      switch verbosity {
      case ..<1: .warning
      case 1: .info
      case 2: .debug
      default: .trace
      }
  }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  package func log(event: LogEvent) {
    let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
    let pairs = all.sorted { $0.key < $1.key }.map { Self.pair($0.key, "\($0.value)") }
    let words = [Self.withoutUserInfo(event.message.description)] + pairs
    console.report("\(event.level.rawValue + ":", .dim) \(words.joined(separator: " "))")
  }

  /// A metadata pair, quoted if necessary, and redacted if its key indicates a secret.
  package static func pair(_ key: String, _ value: String) -> String {
    let name = key.lowercased()
    guard !secrets.contains(where: name.contains) || name == "synctoken" else {
      return "\(key)=[redacted]"
    }
    let value = withoutUserInfo(value)
    guard value.contains(where: { $0 == " " || $0 == "\"" }) || value.isEmpty else {
      return "\(key)=\(value)"
    }
    return "\(key)=\""
      + value.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\\\"") + "\""
  }

  /// The text with `user:password@` removed from all URLs.
  package static func withoutUserInfo(_ text: String) -> String {
    var result = ""
    var rest = Substring(text)
    while let scheme = rest.firstRange(of: "://") {
      result += rest[..<scheme.upperBound]
      rest = rest[scheme.upperBound...]
      let authority = rest.prefix { !"/?# \"".contains($0) }
      if let at = authority.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
    }
    return result + rest
  }
}
