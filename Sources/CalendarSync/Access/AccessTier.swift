// SPDX-License-Identifier: Apache-2.0

/// The access of a program to a remote calendar, as in Apple's EventKit.
public enum AccessTier: String, Hashable, Sendable, CaseIterable {
  /// The remote is never contacted.
  case none
  /// Events may be added, but not read, listed, changed or deleted, not even own additions.
  case writeOnly = "write-only"
  /// All operations are allowed.
  case full
}

extension AccessTier: Comparable {
  /// Whether one tier allows less than another.
  public static func < (left: AccessTier, right: AccessTier) -> Bool {
    left.rank < right.rank
  }

  private var rank: Int {
    switch self {
    case .none: 0
    case .writeOnly: 1
    case .full: 2
    }
  }
}

/// The state of the access to a remote or of a program, in the terms of Apple's EventKit.
public enum AccessStatus: String, Hashable, Sendable, CaseIterable {
  /// The user has not decided yet.
  case notDetermined = "not-determined"
  /// An administrator forbade access, regardless of the user's decision.
  case restricted
  /// The user denied access.
  case denied
  /// Events may be added.
  case writeOnly = "write-only"
  /// All operations are allowed.
  case full

  /// Creates the status of a stored grant under a restriction.
  public init(_ grant: AccessGrant?, under restriction: AccessRestriction? = nil) {
    guard restriction?.tier != AccessTier.none else {
      self = .restricted
      return
    }
    guard let grant else {
      self = .notDetermined
      return
    }
    switch min(grant.tier, restriction?.tier ?? .full) {
    case .none: self = .denied
    case .writeOnly: self = .writeOnly
    case .full: self = .full
    }
  }
}

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
  /// - Parameters:
  ///   - remote: The remote.
  ///   - isNew: Whether no earlier run knows the remote; evaluated for full access only.
  ///   - probe: The versions that the sides agreed on last, for full access.
  /// - Returns: The open remote.
  /// - Throws: `AccessError` for `none`, before the remote is contacted, or an error of opening it.
  public func open(
    _ remote: any Remote, isNew: @autoclosure () async throws -> Bool = false,
    probe: CursorProbe? = nil
  ) async throws -> OpenRemote {
    switch self {
    case .none:
      throw AccessError.noAccess(remote.identity)
    case .writeOnly: .appendOnly(try await remote.openAppender())
    case .full:
      if try await isNew() {
        .full(try await remote.openNewCalendar())
      } else if let probe {
        .full(try await remote.openCalendar(probing: probe))
      } else {
        .full(try await remote.openCalendar())
      }
    }
  }
}
