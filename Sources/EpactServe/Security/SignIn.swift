// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import Epact
import Synchronization

/// A secret of 256 random bits, as text that needs no escaping in an address or a cookie.
struct SecretText: Hashable, Sendable, CustomStringConvertible {
  /// The secret itself.
  let revealed: String

  /// Creates the text of random bytes.
  init(of bytes: [UInt8]) {
    self.init(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
  }

  /// Takes a secret.
  init(_ text: String) {
    revealed = text
  }

  /// Whether another text is the secret; the time tells nothing of it.
  func matches(_ text: String) -> Bool {
    let own = SHA256.digest(of: Array(revealed.utf8)).bytes
    let other = SHA256.digest(of: Array(text.utf8)).bytes
    return zip(own, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// Always `[redacted]`.
  var description: String { "[redacted]" }
}

/// The signed-in browsers.
///
/// The program prints an address with a key, which a browser exchanges for a cookie. A port on loopback
/// is open to all users of a machine, so that the address alone is no permission.
final class SignIn: Sendable {
  /// A signed-in browser.
  struct Session: Sendable {
    /// The cookie of the browser.
    let cookie: SecretText
    /// The token that its forms send back, so that no other site can send a form in its name.
    let csrf: SecretText
  }

  /// The result of a form, for the page that follows.
  struct Notice: Sendable {
    /// The lines.
    let lines: [String]
    /// The run that can be undone; nil for none.
    var run: RunID?
    /// Whether nothing was done.
    var isFailure = false
  }

  /// The result of a key.
  enum Answer {
    case accepted(cookie: SecretText)
    case wrong
    /// The key works once, and was used.
    case used
    /// There were too many wrong keys; further ones are not looked at for a while.
    case paused
  }

  private struct State {
    var sessions: [SecretText: Session] = [:]
    var notices: [SecretText: Notice] = [:]
    /// The order in which sessions began.
    var order: [SecretText] = []
    var wrongCount = 0
    var pauseEnd: Double = 0
    var isUsed = false
  }

  /// The number of wrong keys before a pause.
  private static let wrongLimit = 5
  /// The pause after too many wrong keys.
  static let pauseSeconds = 60
  /// The maximum number of sessions; the oldest one ends first.
  private static let sessionLimit = 100

  /// The key; nil if browsers are signed in by the password only.
  private let key: SecretText?
  private let password: PagePassword
  private let isSingleUse: Bool
  private let seconds: @Sendable () -> Double
  private let makeSecret: @Sendable () -> [UInt8]
  private let state = Mutex(State())
  /// Held during an attempt, so that only one takes memory for the digest of a password.
  private let attempts = Mutex(())

  /// Creates a sign-in without sessions.
  ///
  /// - Parameters:
  ///   - key: The key; nil for none.
  ///   - machine: A clock that only goes forward, the source of cookies and tokens, and the folder of the
  ///     password.
  ///   - isSingleUse: Whether the key signs only one browser in.
  init(key: SecretText?, machine: Machine, isSingleUse: Bool = false) {
    self.key = key
    self.isSingleUse = isSingleUse
    password = PagePassword(machine: machine)
    seconds = machine.stopwatch
    makeSecret = machine.makeSecret
  }

  /// Whether a browser can be signed in by a password.
  var takesPassword: Bool { (try? password.isSet()) ?? false }

  /// Exchanges a key for a cookie.
  func take(key text: String) -> Answer {
    guard let key else { return .wrong }
    return attempt { key.matches(text) }
  }

  /// Exchanges a password for a cookie; takes a tenth of a second.
  ///
  /// - Throws: `EpactError` if the password cannot be checked.
  func take(password text: String) throws -> Answer {
    try attempt { try password.matches(text) }
  }

  private func attempt(_ isRight: () throws -> Bool) rethrows -> Answer {
    try attempts.withLock { _ in
      let now = seconds()
      guard state.withLock({ $0.pauseEnd <= now }) else { return .paused }
      return answer(isRight: try isRight(), at: now)
    }
  }

  private func answer(isRight: Bool, at now: Double) -> Answer {
    state.withLock { state in
      guard isRight else {
        state.wrongCount += 1
        if state.wrongCount >= Self.wrongLimit {
          (state.wrongCount, state.pauseEnd) = (0, now + Double(Self.pauseSeconds))
        }
        return .wrong
      }
      state.wrongCount = 0
      guard !(isSingleUse && state.isUsed) else { return .used }
      state.isUsed = true
      let cookie = SecretText(of: makeSecret())
      state.sessions[cookie] = Session(cookie: cookie, csrf: SecretText(of: makeSecret()))
      state.order.append(cookie)
      if state.order.count > Self.sessionLimit {
        let oldest = state.order.removeFirst()
        (state.sessions[oldest], state.notices[oldest]) = (nil, nil)
      }
      return .accepted(cookie: cookie)
    }
  }

  /// Keeps a notice for the next page of a session.
  func leave(_ notice: Notice, for session: Session) {
    state.withLock { $0.notices[session.cookie] = notice }
  }

  /// The notice for a page, which is shown once.
  func takeNotice(of session: Session) -> Notice? {
    state.withLock { $0.notices.removeValue(forKey: session.cookie) }
  }

  /// The session of a cookie; nil if there is none.
  func session(_ cookie: String) -> Session? {
    state.withLock { state in
      // All are compared, so that the time tells nothing of them.
      var found: Session?
      for (known, session) in state.sessions where known.matches(cookie) { found = session }
      return found
    }
  }
}
