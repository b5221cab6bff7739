// SPDX-License-Identifier: Apache-2.0

/// A remote that was opened as far as its tier allows.
///
/// Code that runs under write-only access holds a `RemoteAppender` and has nothing to call that
/// reads.
public enum OpenRemote: Sendable {
  /// Events can be added.
  case appendOnly(any RemoteAppender)
  /// Everything can be done.
  case full(any RemoteCalendar)
}

extension AccessTier {
  /// Opens a remote as far as the tier allows.
  ///
  /// - Throws: `AccessError` under `none`, before the remote is touched, or what opening throws.
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
