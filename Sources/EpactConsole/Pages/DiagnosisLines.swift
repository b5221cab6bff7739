// SPDX-License-Identifier: Apache-2.0

package import Epact

extension Diagnosis {
  /// The exit status of a command if this is the only finding.
  package var status: ExitStatus {
    switch level {
    case .error: code.map { ExitStatus(SyncOutcome($0)) } ?? .found
    case .warning: .found
    case .ok, .note: .done
    }
  }

  /// The lines of the finding; `advice` words its remedy.
  package func lines(advice: ConsoleText?) -> [ConsoleText] {
    let style: ConsoleText.Style? =
      switch level {
      case .ok: .green
      case .note: nil
      case .warning: .yellow
      case .error: .red
      }
    let mark = DisplayWidth.padded(level.rawValue, to: 7)
    let place: ConsoleText = subject.map { "\(check) \($0, .bold)" } ?? "\(check, .bold)"
    return ["\(mark, style)  \(place): \(message)"] + (advice.map { ["         \($0)"] } ?? [])
  }
}
