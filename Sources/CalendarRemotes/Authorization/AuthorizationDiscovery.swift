// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// Finds the authorization server of a resource, by the metadata of both.
///
/// The resource names its authorization server (RFC 9728), and that one states its endpoints (RFC
/// 8414). Both documents have to name the server that they were requested from, so that none is
/// taken for another one. No credentials are sent.
package struct AuthorizationDiscovery: Sendable {
  /// A resource that accepts bearer tokens, and the server that issues them.
  package struct Found: Hashable, Sendable {
    /// The identity of the resource (RFC 8707 §2).
    package let resource: RemoteURL
    /// The authorization server.
    package let server: AuthorizationServer
    /// The scopes that the resource requires or states; empty if it does neither.
    package let scopes: [String]
  }

  private let transport: any HTTPTransport

  /// Creates a discovery that sends its requests through a transport.
  package init(transport: any HTTPTransport) {
    self.transport = transport
  }

  // MARK: The resource

  /// Finds the authorization server of a CalDAV address.
  ///
  /// - Throws: `AuthorizationError` with the code `unsupported` if the resource names none, or
  ///   `malformed`; `HTTPError` if there is no response.
  package func find(for address: RemoteURL) async throws -> Found {
    let challenge = try await challenge(of: address)
    let documents = try Self.resourceDocuments(of: address, challenge)
    for place in documents {
      guard let metadata: ResourceMetadata = try await document(at: place, from: address)
      else { continue }
      let resource = try Self.resource(metadata, of: address)
      guard let issuer = metadata.servers?.first else {
        throw AuthorizationError(
          .unsupported, address.origin.description,
          "the resource names no authorization server (RFC 9728 §2)")
      }
      let server = try await self.server(issuer, for: address)
      let stated = challenge?.scopes ?? []
      return Found(
        resource: resource, server: server,
        scopes: stated.isEmpty ? metadata.scopes ?? [] : stated)
    }
    throw AuthorizationError(
      .unsupported, address.origin.description,
      "the server does not state where its users sign in (RFC 9728)")
  }

  /// The challenge of the resource, or of the address at which the discovery of calendars begins (RFC
  /// 6764 §5); nil if there is none.
  private func challenge(of address: RemoteURL) async throws -> BearerChallenge? {
    for place in [address, try address.resolving("/.well-known/caldav")] {
      let response = try await transport.send(
        HTTPRequest(method: .propfind, url: place, headers: ["Depth": "0"]))
      guard response.status == 401, response.url.origin == address.origin else { continue }
      return BearerChallenge(response.headers)
    }
    return nil
  }

  /// The places of the resource's metadata, the most probable first (RFC 9728 §3.1).
  private static func resourceDocuments(
    of address: RemoteURL, _ challenge: BearerChallenge?
  ) throws -> [RemoteURL] {
    if let stated = challenge?.metadata {
      let place = try address.resolving(stated)
      guard place.origin == address.origin else {
        throw AuthorizationError(
          .malformed, address.origin.description,
          "the server refers to another server for its metadata, \(place.origin)")
      }
      return [place]
    }
    let root = "/.well-known/oauth-protected-resource"
    let paths = address.path == "/" ? [root] : [root + address.path, root]
    return try paths.map { try address.resolving($0) }
  }

  /// Checks that the metadata is that of the address (RFC 9728 §3.3).
  private static func resource(
    _ metadata: ResourceMetadata, of address: RemoteURL
  ) throws -> RemoteURL {
    guard let resource = try? RemoteURL(parsing: metadata.resource),
      resource.origin == address.origin,
      resource.asCollection.normalizedPath == address.asCollection.normalizedPath
        || address.isInside(resource)
    else {
      throw AuthorizationError(
        .malformed, address.origin.description,
        "the metadata is that of another resource, \(ServerText.escaped(metadata.resource)) "
          + "(RFC 9728 §3.3)")
    }
    return resource
  }

  // MARK: The authorization server

  /// Reads the metadata of an authorization server (RFC 8414, or OpenID Connect Discovery).
  ///
  /// - Parameters:
  ///   - issuer: The address of the server, as configured or as the resource states it.
  ///   - address: The resource; nil for a configured address. A resource on the network cannot name a
  ///     server on this machine.
  ///   - hasTenants: Whether the stated issuer may have a placeholder instead of a tenant.
  /// - Returns: The server.
  /// - Throws: `AuthorizationError`; `HTTPError` if there is no response.
  package func server(
    _ issuer: String, for address: RemoteURL? = nil, hasTenants: Bool = false
  ) async throws -> AuthorizationServer {
    guard let url = try? RemoteURL(parsing: issuer), url.query == nil else {
      throw AuthorizationError(
        .malformed, ServerText.escaped(issuer), "the address of the authorization server is invalid"
      )
    }
    if let address, !address.isLoopback, url.isLoopback {
      throw AuthorizationError(
        .malformed, address.origin.description, "the server refers to this machine, \(url.origin)")
    }
    let path = url.path.hasSuffix("/") ? String(url.path.dropLast()) : url.path
    let places = [
      "/.well-known/oauth-authorization-server" + path, path + "/.well-known/openid-configuration",
      "/.well-known/openid-configuration" + path,
    ]
    for place in places {
      guard
        let metadata: ServerMetadata = try await document(
          at: try url.resolving(place), from: address ?? url)
      else { continue }
      // A comparison without any normalization (RFC 8414 §3.3).
      let isSame = metadata.issuer.utf8.elementsEqual(issuer.utf8)
      guard isSame || hasTenants && metadata.issuer.contains("{tenantid}") else {
        throw AuthorizationError(
          .malformed, url.origin.description,
          "the metadata is that of another server, \(ServerText.escaped(metadata.issuer)) "
            + "(RFC 8414 §3.3)")
      }
      return try server(metadata, isSame: isSame, of: url)
    }
    throw AuthorizationError(
      .unsupported, url.origin.description,
      "the authorization server does not state its endpoints (RFC 8414)")
  }

  private func server(
    _ metadata: ServerMetadata, isSame: Bool, of url: RemoteURL
  ) throws -> AuthorizationServer {
    func endpoint(_ text: String?, _ name: String) throws -> RemoteURL? {
      guard let text else { return nil }
      guard let endpoint = try? RemoteURL(parsing: text), url.isLoopback || !endpoint.isLoopback
      else {
        throw AuthorizationError(
          .malformed, url.origin.description, "the metadata has an invalid \"\(name)\"")
      }
      return endpoint
    }
    guard let page = try endpoint(metadata.page, "authorization_endpoint"),
      let tokens = try endpoint(metadata.tokens, "token_endpoint")
    else {
      throw AuthorizationError(
        .unsupported, url.origin.description,
        "the authorization server has no page to sign in, or issues no tokens")
    }
    if let methods = metadata.challengeMethods, !methods.contains("S256") {
      throw AuthorizationError(
        .unsupported, url.origin.description,
        "the authorization server does not support the challenge S256 (RFC 7636)")
    }
    var server = AuthorizationServer(
      issuer: isSame ? metadata.issuer : nil, authorizationEndpoint: page, tokenEndpoint: tokens)
    server.deviceEndpoint = try endpoint(metadata.device, "device_authorization_endpoint")
    server.revocationEndpoint = try endpoint(metadata.revocation, "revocation_endpoint")
    server.scopes = metadata.scopes ?? []
    server.statesIssuer = metadata.statesIssuer ?? false
    if let methods = metadata.authenticationMethods {
      server.needsBasic =
        methods.contains("client_secret_basic") && !methods.contains("client_secret_post")
    }
    return server
  }

  /// Reads a document of JSON; nil if there is none at the address.
  private func document<Document: Decodable>(
    at url: RemoteURL, from address: RemoteURL
  ) async throws -> Document? {
    var request = HTTPRequest(method: .get, url: url, headers: ["Accept": "application/json"])
    request.refusesRedirects = true
    request.isFromElsewhere = !address.isLoopback
    let response = try await transport.send(request)
    if response.status == 429 || response.status >= 500 {
      let error = response.later(subject: url.origin.description)
      throw AuthorizationError(.temporary, url.origin.description, error.message)
    }
    guard response.status == 200 else { return nil }
    guard let document = try? JSONDecoder().decode(Document.self, from: Data(response.body)) else {
      // Some servers show a page at each unknown address.
      return nil
    }
    return document
  }

  /// The metadata of a resource (RFC 9728 §2).
  private struct ResourceMetadata: Decodable {
    enum CodingKeys: String, CodingKey {
      case resource
      case servers = "authorization_servers"
      case scopes = "scopes_supported"
    }

    let resource: String
    let servers: [String]?
    let scopes: [String]?
  }

  /// The metadata of an authorization server (RFC 8414 §2, RFC 8628 §4, RFC 9207 §3).
  private struct ServerMetadata: Decodable {
    enum CodingKeys: String, CodingKey {
      case issuer
      case page = "authorization_endpoint"
      case tokens = "token_endpoint"
      case device = "device_authorization_endpoint"
      case revocation = "revocation_endpoint"
      case scopes = "scopes_supported"
      case statesIssuer = "authorization_response_iss_parameter_supported"
      case challengeMethods = "code_challenge_methods_supported"
      case authenticationMethods = "token_endpoint_auth_methods_supported"
    }

    let issuer: String
    let page: String?
    let tokens: String?
    let device: String?
    let revocation: String?
    let scopes: [String]?
    let statesIssuer: Bool?
    let challengeMethods: [String]?
    let authenticationMethods: [String]?
  }
}
