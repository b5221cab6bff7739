// SPDX-License-Identifier: Apache-2.0

/// The choice of the item among several files with one UID.
///
/// Programs that synchronize folders keep a second version of a file beside it: `a (1).ics`,
/// `a-HOST.ics`, `a (conflicted copy).ics`, `a.sync-conflict-….ics`. Both files hold the same UID,
/// and only one of them can be the item (RFC 4791 §4.1).
///
/// 1. The file that a sync knows by its name stays the item.
/// 2. Otherwise, the file with the shortest name is the item, because copies have longer names.
/// 3. Of names with the same length, the first one in byte order is chosen.
public enum SharedUID {
  /// The name of the file that is the item.
  ///
  /// - Parameters:
  ///   - names: The names of the files with the UID.
  ///   - known: The names by which syncs know the item.
  /// - Returns: The name; nil without names.
  public static func item(among names: [String], known: Set<String>) -> String? {
    names.filter(known.contains).min(by: precedes) ?? names.min(by: precedes)
  }

  /// Whether the first of two unknown names is the item rather than the second one.
  public static func precedes(_ left: String, _ right: String) -> Bool {
    let (first, second) = (left.utf8, right.utf8)
    return first.count == second.count
      ? first.lexicographicallyPrecedes(second) : first.count < second.count
  }
}
