// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import Epact
import Foundation
import Glibc
import OpenEventKit
import Synchronization

/// A terminal without a screen, whose keys a test presses.
///
/// It is a class, because its descriptors are closed with it.
final class PseudoTerminal: Sendable {
  private let keyboard: Int32
  /// Kept open, so that the terminal exists between questions.
  private let device: Int32
  let path: String

  init() throws {
    keyboard = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    // TIOCSPTLCK and TIOCGPTN of Linux: unlock the device, and return its number.
    var (isLocked, number) = (Int32(0), Int32(0))
    guard keyboard >= 0, unsafe ioctl(keyboard, 0x4004_5431, &isLocked) == 0,
      unsafe ioctl(keyboard, 0x8004_5430, &number) == 0
    else { throw SystemError() }
    path = "/dev/pts/\(number)"
    device = unsafe open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard device >= 0 else { throw SystemError() }
  }

  deinit {
    close(keyboard)
    close(device)
  }

  func type(_ text: String) {
    var bytes = Array(text.utf8)
    _ = unsafe write(keyboard, &bytes, bytes.count)
  }

  /// Types a line, and waits until the terminal has taken and echoed it.
  func typeAhead(_ line: String) {
    type(line + "\n")
    var echo = ""
    // The terminal ends a line with both characters, which are one in a string.
    while !echo.hasSuffix("\r\n"), let more = read() { echo += more }
  }

  /// Lets the prompt ask, and types each answer when its question is on the screen.
  func ask(
    _ question: ProgramQuestion, answers: [(question: String, keys: String)]
  ) throws -> (ProgramAnswer?, text: String) {
    let path = path
    let done = DispatchSemaphore(value: 0)
    let slot = Slot()
    Thread.detachNewThread {
      let answer = Result { try TerminalPrompt(path: path).ask(question) }
      slot.result.withLock { $0 = answer }
      done.signal()
    }
    var text = ""
    for answer in answers {
      var part = ""
      while !part.hasSuffix(answer.question), let more = read() { part += more }
      text += part
      type(answer.keys == "\u{4}" ? answer.keys : answer.keys + "\n")
    }
    done.wait()
    guard let answer = slot.result.withLock({ $0 }) else { throw SystemError() }
    return (try answer.get(), text)
  }

  private final class Slot: Sendable {
    let result = Mutex<Result<ProgramAnswer?, any Error>?>(nil)
  }

  private func read() -> String? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe Glibc.read(keyboard, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
  }

  func makeRaw() {
    var settings = termios()
    unsafe tcgetattr(device, &settings)
    unsafe cfmakeraw(&settings)
    unsafe tcsetattr(device, TCSANOW, &settings)
  }

  var isRaw: Bool {
    var settings = termios()
    unsafe tcgetattr(device, &settings)
    return settings.c_lflag & tcflag_t(ICANON | ECHO) == 0
  }
}
