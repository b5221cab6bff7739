// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import Testing

/// The address that a user opens, and the checks of its answer.
@Suite struct AuthorizationRequestTests {
  private static let secret = [UInt8](0..<32)

  private func request(secret: String? = nil) throws -> AuthorizationRequest {
    let purpose = AuthorizationPurpose(
      server: AuthorizationServer(
        issuer: "https://as.example.org",
        authorizationEndpoint: try RemoteURL(parsing: "https://as.example.org/authorize?tenant=a"),
        tokenEndpoint: try RemoteURL(parsing: "https://as.example.org/token")),
      client: AuthorizationClient("me & you", secret: secret), scopes: ["a", "b:c"],
      resource: try RemoteURL(parsing: "https://dav.example.org/"))
    return AuthorizationRequest(
      purpose, redirect: "http://127.0.0.1:5000/", makeSecret: { Self.secret })
  }

  private static let state = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"

  @Test("The challenge is that of the example of RFC 7636")
  func challenge() {
    // "the code verifier dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk" (RFC 7636 Appendix B)
    #expect(
      AuthorizationRequest.challenge(of: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
  }

  @Test("The address has the parameters, and keeps those of the server")
  func address() throws {
    let challenge = AuthorizationRequest.challenge(of: Self.state)
    #expect(
      try request().address.description
        == "https://as.example.org/authorize?tenant=a&response_type=code&client_id=me%20%26%20you"
        + "&redirect_uri=http%3A%2F%2F127.0.0.1%3A5000%2F&state=\(Self.state)"
        + "&code_challenge=\(challenge)&code_challenge_method=S256&scope=a%20b%3Ac"
        + "&resource=https%3A%2F%2Fdav.example.org%2F")
  }

  struct Case: CustomTestStringConvertible {
    let query: String
    var code: AuthorizationError.Code?
    var words = ""
    var testDescription: String { query }
  }

  private static let issuer = "iss=https%3A%2F%2Fas.example.org"

  static let cases = [
    Case(query: "code=x&state=\(state)&\(issuer)"),
    Case(query: "state=\(state)&code=a%2Fb+c&\(issuer)&session_state=1"),
    // The test server does not announce the issuer, so that it may be absent.
    Case(query: "code=x&state=\(state)"),
    Case(query: "code=x&state=\(state)x", code: .otherState),
    Case(query: "code=x&state=BAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8", code: .otherState),
    Case(query: "code=x", code: .otherState),
    Case(query: "code=x&state=\(state)&state=\(state)", code: .malformed),
    Case(query: "code=x&state=\(state)&iss=https%3A%2F%2Fas.example.org%2F", code: .otherIssuer),
    Case(query: "code=x&state=\(state)&iss=https%3A%2F%2Fevil.example", code: .otherIssuer),
    Case(query: "state=\(state)", code: .malformed),
    Case(query: "error=access_denied&state=\(state)", code: .denied, words: "was refused"),
    Case(query: "error=access_denied", code: .otherState),
    Case(
      query: "error=access_denied&error_description=AADSTS90094%3A+admin&state=\(state)",
      code: .consent, words: "an administrator of the organization has to allow this program"),
    Case(query: "error=server_error&state=\(state)", code: .temporary),
    Case(
      query: "error=odd%1B%5B&error_description=your+\(state)&state=\(state)", code: .refused,
      words: #"(odd\u{1B}[): your [redacted]"#),
  ]

  @Test("An answer is taken only with the state and the issuer of the request", arguments: cases)
  func answers(_ example: Case) throws {
    let request = try request()
    guard let expected = example.code else {
      _ = try request.code(inQuery: example.query)
      _ = try request.code(inAddress: "http://127.0.0.1:5000/?\(example.query)#rest")
      return
    }
    let error = try #require(throws: AuthorizationError.self) {
      try request.code(inQuery: example.query)
    }
    #expect(error.code == expected)
    #expect(error.message.contains(example.words), "\(error)")
  }

  @Test("No description contains a secret")
  func descriptions() throws {
    let request = try request(secret: "hush-hush")
    let code = try request.code(inQuery: "code=precious&state=\(Self.state)")
    var text = "\(request) \(code) \(String(reflecting: request)) \(String(reflecting: code))"
    dump((request, code), to: &text)
    for secret in [Self.state, "hush-hush", "precious"] { #expect(!text.contains(secret)) }
  }

  @Test(
    "Challenges are read among others",
    arguments: [
      (#"Bearer resource_metadata="https://h/m", scope="a b""#, "https://h/m", ["a", "b"]),
      (
        #"Basic realm="x, Bearer y", Bearer scope=a, resource_metadata="https://h/m""#,
        "https://h/m", ["a"]
      ),
      (#"bearer realm="a \"b\", c""#, nil, []),
      (#"Bearer scope="a", Basic realm="scope", charset="UTF-8""#, nil, ["a"]), ("Bearer", nil, []),
    ] as [(String, String?, [String])])
  func challenges(header: String, metadata: String?, scopes: [String]) throws {
    let challenge = try #require(BearerChallenge(["WWW-Authenticate": header]))
    #expect(challenge.metadata == metadata)
    #expect(challenge.scopes == scopes)
    #expect(BearerChallenge(["WWW-Authenticate": #"Basic realm="Bearer""#]) == nil)
  }

  @Test("Known services get what they need for a refresh token, at their own endpoints")
  func services() throws {
    func address(_ service: AuthorizationServer.Service) throws -> String {
      let purpose = AuthorizationPurpose(
        server: try AuthorizationServer(service), client: AuthorizationClient("me"), scopes: ["a"])
      return AuthorizationRequest(purpose, redirect: "r", makeSecret: { Self.secret }).address
        .description
    }
    let google = try address(.google)
    #expect(google.hasPrefix("https://accounts.google.com/o/oauth2/v2/auth?"))
    #expect(google.hasSuffix("&scope=a&access_type=offline&prompt=consent"))
    let microsoft = try address(.microsoft(tenant: "example.org"))
    #expect(
      microsoft.hasPrefix("https://login.microsoftonline.com/example.org/oauth2/v2.0/authorize?"))
    #expect(try AuthorizationServer(.microsoft(tenant: "common")).redirectHost == "localhost")
    #expect(try AuthorizationServer(.microsoft(tenant: "common")).revocationEndpoint == nil)
    #expect(try AuthorizationServer(.google).deviceEndpoint == nil)
    #expect(throws: RemoteError.self) { try AuthorizationServer(.microsoft(tenant: "a/b")) }
  }
}
