// SPDX-License-Identifier: Apache-2.0

/// A remote that was opened to the extent of its tier.
///
/// Code with write-only access holds a `RemoteAppender`, which has no method that reads.
public enum OpenRemote: Sendable {
  /// The remote for adding events.
  case appendOnly(any RemoteAppender)
  /// The remote for all operations.
  case full(any RemoteCalendar)
}

extension AccessTier {
  /// Opens a remote to the extent of the tier.
  ///
  /// - Throws: `AccessError` for `none`, before the remote is contacted, or an error of opening it.
  public func open(_ remote: any Remote) async throws -> OpenRemote {
    switch self {
    case .none:
      throw AccessError(
        code: .denied, message: "access to \(remote.identity) is denied; nothing was sent")
    case .writeOnly: .appendOnly(try await remote.openAppender())
    case .full: .full(try await remote.openCalendar())
    }
  }
}
