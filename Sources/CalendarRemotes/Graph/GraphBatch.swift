// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import Foundation
import ICalSyntax

/// Many reading requests in one (Microsoft Graph, JSON batching).
struct GraphBatch {
  /// The largest number of requests in a batch.
  private static let size = 20

  private struct Content: Encodable {
    struct Part: Encodable {
      var id: String
      var method = "GET"
      var url: String
      var headers: [String: String]
    }
    var requests: [Part]
  }

  private struct Answers: Decodable {
    struct Part: Decodable {
      var id: String
      var status: Int
      var body: Body?
    }
    /// An event, or anything else that a part is answered with.
    struct Body: Decodable {
      var event: GraphEvent?

      init(from decoder: any Decoder) throws {
        event = try? GraphEvent(from: decoder)
      }
    }
    var responses: [Part]
  }

  private let session: VendorSession

  init(_ session: VendorSession) {
    self.session = session
  }

  /// Reads events, one batch after another.
  ///
  /// Microsoft permits four requests at once for a mailbox, and starts four parts of a batch itself.
  ///
  /// - Parameter wanted: The ids of the events, and the paths to read.
  /// - Returns: The events by id; those that do not exist are left out.
  /// - Throws: `RemoteError`.
  func events(_ wanted: [(id: String, path: String)]) async throws -> [String: GraphEvent] {
    var rest = wanted[...]
    var found: [String: GraphEvent] = [:]
    while !rest.isEmpty {
      found.merge(try await batch(Array(rest.prefix(Self.size)))) { $1 }
      rest = rest.dropFirst(Self.size)
    }
    return found
  }

  private func batch(
    _ wanted: [(id: String, path: String)]
  ) async throws -> [String: GraphEvent] {
    guard wanted.count > 1 else {
      guard let only = wanted.first else { return [:] }
      return try await event(only.path).map { [only.id: $0] } ?? [:]
    }
    let prefer = session.headers.map(\.value).joined(separator: ", ")
    let parts = wanted.enumerated().map { index, wanted in
      Content.Part(id: "\(index)", url: "/\(wanted.path)", headers: ["Prefer": prefer])
    }
    let answer = try await session.send(
      .post, "$batch", body: Content(requests: parts), VendorOptions.reading)
    var found: [String: GraphEvent] = [:]
    var answered: Set<Int> = []
    for part in try answer.content(Answers.self).responses {
      guard let index = Int(part.id), wanted.indices.contains(index) else { continue }
      switch part.status {
      case 200:
        guard let event = part.body?.event else { continue }
        found[wanted[index].id] = event
        answered.insert(index)
      case 404, 410: answered.insert(index)
      default: continue
      }
    }
    // A part that is refused for too many requests is requested alone, after the delay that is asked for.
    for (index, wanted) in wanted.enumerated() where !answered.contains(index) {
      if let event = try await event(wanted.path) { found[wanted.id] = event }
    }
    return found
  }

  private func event(_ path: String) async throws -> GraphEvent? {
    let answer = try await session.send(.get, path)
    return [404, 410].contains(answer.status) ? nil : try answer.content(GraphEvent.self)
  }
}
