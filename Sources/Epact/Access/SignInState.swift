// SPDX-License-Identifier: Apache-2.0

package import CivilTime

/// The state of a sign-in according to the stored tokens; no server is contacted.
package enum SignInState: Sendable, Hashable {
  /// There are no tokens for this server, client and address.
  case missing
  /// The tokens are not valid any more, with the reason.
  case ended(String)
  /// The tokens are valid until a time, after which the user has to sign in again.
  case expiring(Instant)
  /// The tokens are renewed when it is necessary.
  case valid
  /// The stored tokens cannot be read.
  case unreadable(EpactError)

  /// Reads the state of a sign-in.
  package init(of signIn: RemoteSignIn, at now: Instant) {
    do throws(EpactError) {
      guard let record = try signIn.store.read(), record.binding == signIn.binding else {
        self = .missing
        return
      }
      let end = record.refreshToken == nil ? record.expiresAt : record.refreshExpiresAt
      if let failure = record.failure {
        self = .ended(failure)
      } else if let end {
        let isOver = end <= now.secondsSinceEpoch
        self =
          isOver ? .ended("the sign-in has expired") : .expiring(Instant(secondsSinceEpoch: end))
      } else {
        self = .valid
      }
    } catch {
      self = .unreadable(error)
    }
  }

  /// The state in one word, for programs.
  package var code: String {
    switch self {
    case .missing: "missing"
    case .ended: "ended"
    case .expiring: "expiring"
    case .valid: "valid"
    case .unreadable: "unreadable"
    }
  }

  /// The time at which the user has to sign in again; nil if none is known.
  package var end: Instant? {
    if case .expiring(let end) = self { end } else { nil }
  }

  /// The state as a phrase without the time of its end.
  package var words: String {
    switch self {
    case .missing: "not signed in"
    case .ended(let reason): "not signed in any more: \(reason)"
    case .expiring: "signed in until"
    case .valid: "signed in"
    case .unreadable(let error): error.message
    }
  }

  /// Whether the user has to sign in before the remote can be used.
  package var needsSignIn: Bool {
    switch self {
    case .missing, .ended: true
    case .expiring, .valid, .unreadable: false
    }
  }
}
