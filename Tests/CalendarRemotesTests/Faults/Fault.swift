// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Something that goes wrong on the other side, and what a sync has to make of it.
struct Fault: Sendable, CustomTestStringConvertible {
  /// What the run in which it happens comes to.
  enum Expectation: Sendable {
    /// All is done, as if nothing had happened.
    case ok
    /// It is told: by an error, by items that failed, or by items that were put off.
    case fail
    /// A guard stops the run, or an error does.
    case guarded
    /// Either is right.
    case either
  }

  /// A request that met the fault.
  struct Scene: Sendable {
    let request: LoopbackServer.Request
    let kinds: Set<DAVStore.Kind>
    /// How many requests of the same method came since the fault began, with this one.
    let count: Int
    /// How many requests came since the fault began, with this one.
    let total: Int
    /// Another server, to which nothing may ever be sent.
    let evil: String
  }

  let name: String
  let expectation: Expectation
  /// The idle limit of the client, in seconds; short only where a fault is about waiting.
  var idle = 30
  /// Whether the server has tags and tokens of the whole.
  var hasTokens = false
  /// Whether what the server gives is another content under the tag of the true one: that can only be
  /// found out by comparing contents, which a sync does from time to time.
  var isBelieved = false
  /// The most requests that may be sent while it lasts.
  var mostRequests = 200
  /// How the server spells what it says meanwhile.
  var style: @Sendable (inout DAVStore.Style) -> Void = { _ in }
  /// The answer in place of doing what is asked for.
  var instead: @Sendable (Scene) -> [LoopbackServer.Step]? = { _ in nil }
  /// The answer after doing what is asked for.
  var after: @Sendable (Scene, Reply) -> [LoopbackServer.Step]? = { _, _ in nil }

  var testDescription: String { name }

  /// A fault of the server's answers to one kind of request, or to all of them.
  static func answer(
    _ name: String, _ expectation: Expectation, to kind: DAVStore.Kind? = nil, idle: Int = 30,
    _ steps: @escaping @Sendable (Scene) -> [LoopbackServer.Step]?
  ) -> Fault {
    var fault = Fault(name: name, expectation: expectation, idle: idle)
    fault.instead = { scene in
      guard kind.map(scene.kinds.contains) ?? true else { return nil }
      return steps(scene)
    }
    return fault
  }

  /// A fault of an answer whose request was done.
  static func spoil(
    _ name: String, _ expectation: Expectation, _ kind: DAVStore.Kind? = nil, idle: Int = 30,
    _ steps: @escaping @Sendable (Scene, Reply) -> [LoopbackServer.Step]?
  ) -> Fault {
    var fault = Fault(name: name, expectation: expectation, idle: idle)
    fault.after = { scene, reply in
      guard kind.map(scene.kinds.contains) ?? true else { return nil }
      return steps(scene, reply)
    }
    return fault
  }

  /// A way in which the server spells what it says.
  static func spelling(
    _ name: String, _ expectation: Expectation,
    _ style: @escaping @Sendable (inout DAVStore.Style) -> Void
  ) -> Fault {
    var fault = Fault(name: name, expectation: expectation)
    fault.style = style
    return fault
  }

  /// The fault where what is given is believed for the time being.
  var believed: Fault {
    var fault = self
    fault.isBelieved = true
    return fault
  }

  /// The fault on a server that has tags and tokens of the whole.
  var withTokens: Fault {
    var fault = self
    fault.hasTokens = true
    return fault
  }
}
