// SPDX-License-Identifier: Apache-2.0

/// The user's browser: that of `$BROWSER`, or else the one that `xdg-open` chooses on a display.
package struct Browser: Sendable {
  private static let opener = "xdg-open"
  /// The part of an entry of `$BROWSER` that stands for the address.
  private static let place = "%s"

  private let words: [String]
  private let machine: Machine

  /// Finds the browser; nil if there is none.
  package init?(machine: Machine) {
    self.machine = machine
    func value(_ name: String) -> String? {
      machine.environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
    // A list of commands, of which the first one is tried.
    let own = value("BROWSER")?.split(separator: ":").first?.split(separator: " ").map(String.init)
    if let own, !own.isEmpty {
      words = own
    } else if value("DISPLAY") ?? value("WAYLAND_DISPLAY") != nil,
      let opener = machine.executable(Self.opener)
    {
      words = [opener]
    } else {
      return nil
    }
  }

  /// Opens an address, and returns after the browser's command has ended.
  ///
  /// The command may be the browser itself, which the user closes much later.
  ///
  /// - Throws: `EpactError` if the command cannot be started or fails.
  package func open(_ address: String) throws(EpactError) {
    let process = command(address)
    let words = process.words
    let status: Int32
    do {
      status = try process.run()
    } catch let error as Subprocess.Failure {
      throw EpactError(.failed, "\(words[0]) \(error.reason)")
    } catch {
      throw EpactError(describing: error)
    }
    guard status == 0 else {
      throw EpactError(.failed, "\(words[0]) ended with status \(status)")
    }
  }

  /// Opens an address, and does not wait for the end of the browser's command.
  ///
  /// - Throws: `EpactError` if the command cannot be started.
  package func launch(_ address: String) throws(EpactError) {
    let process = command(address)
    do {
      try process.launch()
    } catch {
      throw EpactError(.failed, "\(process.words[0]) \(error.reason)")
    }
  }

  private func command(_ address: String) -> Subprocess {
    var words = words.map { $0.replacing(Self.place, with: address) }
    if words == self.words { words.append(address) }
    var process = Subprocess(
      words: words, environment: machine.environment, timeLimit: .infinity, outputLimit: 0,
      stopwatch: machine.stopwatch)
    process.isSeparate = true
    return process
  }
}
