// SPDX-License-Identifier: Apache-2.0

/// The privileges of a user for a calendar (RFC 3744 §3).
public struct CollectionPrivileges: Hashable, Sendable {
  /// Whether items can be read.
  public var mayRead = false
  /// Whether items can be added.
  public var mayAdd = false
  /// Whether items can be changed.
  public var mayChange = false
  /// Whether items can be deleted.
  public var mayDelete = false

  /// Creates an empty set of privileges.
  public init() {}

  /// Parses `DAV:current-user-privilege-set` (RFC 3744 §5.4); aggregate privileges include others.
  init(_ set: XMLElement) {
    let names = Set(set.children(named: .dav("privilege")).flatMap(\.children).map(\.name))
    func has(_ locals: String...) -> Bool {
      names.contains(.dav("all")) || locals.contains { names.contains(.dav($0)) }
    }
    mayRead = has("read")
    mayAdd = has("write", "bind")
    mayChange = has("write", "write-content")
    mayDelete = has("write", "unbind")
  }

  /// Whether the user has no write privilege.
  public var isReadOnly: Bool { !mayAdd && !mayChange && !mayDelete }
}
