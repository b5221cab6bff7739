// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import TestSupport
import Testing

/// Requests for tokens on the wire, and what errors say about the answers.
@Suite(.timeLimit(.minutes(60))) struct TokenEndpointTests {
  private func endpoint(
    of server: LoopbackServer, _ client: AuthorizationClient = AuthorizationClient("me")
  ) throws -> TokenEndpoint {
    let place = try RemoteURL(parsing: "http://127.0.0.1:\(server.port)/token")
    var found = CalendarRemotes.AuthorizationServer(
      issuer: "https://as", authorizationEndpoint: place, tokenEndpoint: place)
    found.revocationEndpoint = place
    return TokenEndpoint(
      of: found, client: client, transport: try NetworkTransport(userAgent: "test"))
  }

  struct Case: CustomTestStringConvertible {
    let status: String
    var fields: [String] = []
    let body: String
    let code: AuthorizationError.Code
    var testDescription: String { "\(status) \(body)" }
  }

  static let cases = [
    Case(status: "400 Bad Request", body: #"{"error":"invalid_grant"}"#, code: .invalidGrant),
    Case(status: "401 Unauthorized", body: #"{"error":"invalid_client"}"#, code: .client),
    Case(status: "400 Bad Request", body: #"{"error":"invalid_scope"}"#, code: .scope),
    Case(
      status: "400 Bad Request",
      body: #"{"error":"invalid_grant","error_description":"AADSTS65001: no"}"#,
      code: .consent),
    Case(
      status: "400 Bad Request", body: #"{"error":"invalid_grant","suberror":"consent_required"}"#,
      code: .consent),
    Case(status: "400 Bad Request", body: "<html>", code: .malformed),
    Case(status: "429 Too Many", fields: ["Retry-After: 7"], body: "", code: .temporary),
    Case(status: "500 Oops", body: #"{"error":"invalid_grant"}"#, code: .temporary),
    Case(status: "200 OK", body: #"{"token_type":"Bearer"}"#, code: .malformed),
    Case(
      status: "200 OK", body: #"{"access_token":"a","token_type":"mac"}"#, code: .malformed),
  ]

  @Test("Each answer has its meaning", arguments: cases)
  func answers(_ example: Case) async throws {
    let server = try LoopbackServer { _ in
      [.answer(example.status, fields: example.fields, body: example.body)]
    }
    defer { server.stop() }
    let endpoint = try endpoint(of: server)
    let error = await #expect(throws: AuthorizationError.self) {
      _ = try await endpoint.renew(with: "old-token")
    }
    #expect(error?.code == example.code)
  }

  @Test("What a server quotes of the request is not in the error")
  func quotations() async throws {
    let server = try LoopbackServer { request in
      let body = String(decoding: request.body, as: UTF8.self)
      return [
        .answer(
          "400 Bad Request",
          body: #"{"error":"invalid_request","error_description":"\#(body) s/cret old%token"}"#)
      ]
    }
    defer { server.stop() }
    let endpoint = try endpoint(of: server, AuthorizationClient("me", secret: "s/cret"))
    let error = await #expect(throws: AuthorizationError.self) {
      _ = try await endpoint.renew(with: "old%token")
    }
    let text = error.map { "\($0)" } ?? ""
    #expect(text.contains("[redacted]"))
    for secret in ["s/cret", "s%2Fcret", "old%token", "old%25token"] {
      #expect(!text.contains(secret), "\(text)")
    }
  }

  @Test("Tokens and codes follow no redirect, not even to the same server")
  func redirects() async throws {
    let other = try LoopbackServer { _ in [.answer("200 OK")] }
    defer { other.stop() }
    for target in ["/other", "http://127.0.0.1:\(other.port)/token"] {
      let server = try LoopbackServer { _ in
        [.answer("307 Temporary Redirect", fields: ["Location: \(target)"])]
      }
      defer { server.stop() }
      let endpoint = try endpoint(of: server)
      let error = await #expect(throws: HTTPError.self) {
        _ = try await endpoint.renew(with: "old-token")
      }
      #expect(error?.code == .redirected)
      #expect(server.requests.count == 1)
    }
    #expect(other.requests.isEmpty)
  }

  @Test("Times are read as numbers and as texts, and no description has a token")
  func lifetimes() async throws {
    let server = try LoopbackServer { _ in
      [
        .answer(
          "200 OK",
          body: #"{"access_token":"precious","token_type":"bearer","expires_in":"3599","#
            + #""refresh_token_expires_in":604799,"scope":"a b"}"#)
      ]
    }
    defer { server.stop() }
    let tokens = try await endpoint(of: server).renew(with: "old-token")
    #expect(tokens.lifetime == 3599)
    #expect(tokens.refreshLifetime == 604_799)
    #expect(tokens.scopes == ["a", "b"])
    #expect(tokens.refreshToken == nil)
    var text = "\(tokens)"
    dump(tokens, to: &text)
    #expect(!text.contains("precious"))
    let body = try #require(server.requests.first?.body)
    #expect(
      String(decoding: body, as: UTF8.self)
        == "grant_type=refresh_token&refresh_token=old-token&client_id=me")
  }

  @Test("An access token goes to its own server only")
  func audience() async throws {
    let server = try LoopbackServer { _ in [.answer("200 OK")] }
    defer { server.stop() }
    let own = try RemoteURL(parsing: "http://127.0.0.1:\(server.port)/")
    let other = try RemoteURL(parsing: "http://localhost:\(server.port)/")
    let tokens = TokenSource(for: own) { _ in "precious" }
    let transport = try NetworkTransport(userAgent: "test")
    let credentials = Credentials(tokens: tokens)
    _ = try await transport.send(
      HTTPRequest(method: .get, url: own, credentials: credentials))
    let error = await #expect(throws: HTTPError.self) {
      _ = try await transport.send(
        HTTPRequest(method: .get, url: other, credentials: credentials))
    }
    #expect(error?.code == .refused)
    #expect(server.requests.map { $0["authorization"] } == ["Bearer precious"])
  }

  @Test("A redirect to another server does not get the access token")
  func redirectedAPI() async throws {
    let other = try LoopbackServer { _ in [.answer("200 OK")] }
    defer { other.stop() }
    let server = try LoopbackServer { _ in
      [.answer("302 Found", fields: ["Location: http://127.0.0.1:\(other.port)/"])]
    }
    defer { server.stop() }
    let own = try RemoteURL(parsing: "http://127.0.0.1:\(server.port)/")
    let credentials = Credentials(tokens: TokenSource(for: own) { _ in "precious" })
    _ = try await NetworkTransport(userAgent: "test").send(
      HTTPRequest(method: .get, url: own, credentials: credentials))
    #expect(other.requests.map { $0["authorization"] } == [nil])
  }

  @Test("A refused token is renewed once, and the renewal knows which one it was")
  func refusal() async throws {
    let server = try LoopbackServer { request in
      [.answer(request["authorization"] == "Bearer new" ? "200 OK" : "401 Unauthorized")]
    }
    defer { server.stop() }
    let own = try RemoteURL(parsing: "http://127.0.0.1:\(server.port)/")
    let tokens = TokenSource(for: own) { refused in refused == "old" ? "new" : "old" }
    let response = try await NetworkTransport(userAgent: "test").send(
      HTTPRequest(method: .get, url: own, credentials: Credentials(tokens: tokens)))
    #expect(response.status == 200)
    #expect(server.requests.count == 2)
  }
}
