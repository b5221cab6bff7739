// SPDX-License-Identifier: Apache-2.0

import CalendarSync

/// A report that is requested together with the opening request.
final class OpeningReport: Sendable {
  /// The request, which is cancelled when its response is not needed anymore.
  private let request: Task<HTTPResponse, any Error>

  /// Sends the report.
  ///
  /// - Parameters:
  ///   - body: The XML document.
  ///   - depth: The value of the Depth header.
  ///   - address: The URL.
  ///   - session: The session that sends the request.
  init(_ body: [UInt8], depth: String, to address: RemoteURL, by session: DAVSession) {
    request = Task {
      // The opening request is sent first, because its response time shows how near the server is.
      await Task.yield()
      return try await session.send(
        .report, to: address, headers: [("Depth", depth)], content: .xml(body))
    }
  }

  deinit {
    request.cancel()
  }

  /// The response; nil if the request failed.
  ///
  /// - Throws: The `RemoteError` of a server that stopped in the middle of the response. Another
  ///   request would wait as long.
  func response() async throws(RemoteError) -> HTTPResponse? {
    let result = await withTaskCancellationHandler {
      await request.result
    } onCancel: {
      request.cancel()
    }
    switch result {
    case .success(let response): return response
    case .failure(let error as RemoteError) where error.isStalled: throw error
    case .failure: return nil
    }
  }
}
