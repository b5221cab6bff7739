// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// A sign-in on another device: the user enters a code there (RFC 8628).
package struct DeviceAuthorization: Sendable, CustomStringConvertible, CustomReflectable {
  /// The code that the user enters.
  package let userCode: String
  /// The page at which the user enters it.
  package let address: RemoteURL
  /// The time to enter it, in seconds.
  package let lifetime: Int64
  private let deviceCode: String
  private var interval: Int64

  /// The seconds between two requests, if the server states none (RFC 8628 §3.5).
  private static let usualInterval: Int64 = 5
  /// The seconds by which the interval grows if the server asks for it (RFC 8628 §3.5).
  private static let slowDown: Int64 = 5
  /// The maximum interval, in seconds.
  private static let longestInterval: Int64 = 300

  /// Starts a sign-in (RFC 8628 §3.1).
  ///
  /// - Throws: `AuthorizationError`; `HTTPError` if there is no response.
  package static func start(
    _ purpose: AuthorizationPurpose, at endpoint: TokenEndpoint
  ) async throws -> DeviceAuthorization {
    let server = endpoint.server
    guard let url = server.deviceEndpoint else {
      throw AuthorizationError(
        .unsupported, server.name, "the server has no sign-in on another device (RFC 8628)")
    }
    let scopes = AuthorizationServer.Parameter("scope", purpose.scopes.joined(separator: " "))
    let response = try await endpoint.post(purpose.scopes.isEmpty ? [] : [scopes], to: url)
    guard response.status == 200 else { throw endpoint.failure(response, hiding: []) }
    guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(response.body)),
      let page = answer.verificationAddress, let address = try? RemoteURL(parsing: page)
    else {
      throw AuthorizationError(
        .malformed, server.name, "the response has no code for another device (RFC 8628 §3.2)")
    }
    return DeviceAuthorization(
      userCode: ServerText.escaped(answer.userCode), address: address,
      lifetime: max(1, answer.lifetime ?? 900), deviceCode: answer.deviceCode,
      interval: max(1, answer.interval ?? usualInterval))
  }

  /// Waits until the user has entered the code, and returns the tokens (RFC 8628 §3.4).
  ///
  /// - Parameters:
  ///   - endpoint: The endpoint that started the sign-in.
  ///   - pace: The clock, and a function that waits.
  /// - Returns: The tokens.
  /// - Throws: `AuthorizationError`, with the code `expired` if the time is over; `HTTPError` if the
  ///   server cannot be reached; `CancellationError`.
  package func tokens(
    from endpoint: TokenEndpoint, pace: PatientTransport.Pace
  ) async throws -> IssuedTokens {
    let deadline = pace.stopwatch() + .seconds(lifetime)
    var wait = min(interval, Self.longestInterval)
    while pace.stopwatch() + .seconds(wait) < deadline {
      try await pace.sleep(.seconds(wait))
      do {
        return try await endpoint.tokens(forDevice: deviceCode)
      } catch let error as AuthorizationError where error.code == .pending {
        continue
      } catch let error as AuthorizationError
        where error.code == .slowDown || error.code == .temporary
      {
        wait += Self.slowDown
      } catch let error as HTTPError where error.code == .timeout {
        wait *= 2
      }
      wait = min(wait, Self.longestInterval)
    }
    throw AuthorizationError(.expired, endpoint.server.name, "the code was not entered in time")
  }

  /// The page and the code for the user, without the code of the device.
  package var description: String { "\(userCode) at \(address)" }

  /// A mirror without the code of the device.
  package var customMirror: Mirror { Mirror(self, children: ["address": address]) }

  /// The response of the device endpoint (RFC 8628 §3.2).
  private struct Answer: Decodable {
    enum CodingKeys: String, CodingKey {
      case deviceCode = "device_code"
      case userCode = "user_code"
      case page = "verification_uri"
      case olderPage = "verification_url"
      case lifetime = "expires_in"
      case interval
    }

    let deviceCode: String
    let userCode: String
    let page: String?
    /// The name before the RFC, which some servers still use.
    let olderPage: String?
    let lifetime: Int64?
    let interval: Int64?

    var verificationAddress: String? { page ?? olderPage }
  }
}
