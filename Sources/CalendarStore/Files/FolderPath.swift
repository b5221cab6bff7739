// SPDX-License-Identifier: Apache-2.0

/// Operations on folders by path.
enum FolderPath {
  /// The canonical path: absolute, without symbolic links, `.` and `..`.
  static func canonical(_ path: String) throws(StoreError) -> String {
    do throws(SystemCalls.Failure) {
      return try SystemCalls.canonicalPath(path)
    } catch {
      throw StoreError(error, path: path, cannot: "find the folder")
    }
  }

  /// Creates a folder and its missing parents, each durably.
  static func create(_ path: String, mode: UInt32) throws(StoreError) {
    // With a trailing slash, the folder would be its own parent.
    var place = path[...]
    while place.count > 1, place.hasSuffix("/") { place.removeLast() }
    let parent = FilePlace(String(place)).folder
    do throws(SystemCalls.Failure) {
      try SystemCalls.makeFolder(path, mode: mode)
    } catch {
      if error.number == SystemCalls.Failure.alreadyExists.number { return }
      guard error.number == SystemCalls.Failure.notFound.number, parent != place else {
        throw StoreError(error, path: path, cannot: "make the folder")
      }
      try create(parent, mode: mode)
      try createLast(path, mode: mode)
    }
    try OpenFolder(parent).synchronize()
  }

  /// Creates a folder in an existing one; it may already exist.
  private static func createLast(_ path: String, mode: UInt32) throws(StoreError) {
    do throws(SystemCalls.Failure) {
      try SystemCalls.makeFolder(path, mode: mode)
    } catch {
      guard error.number != SystemCalls.Failure.alreadyExists.number else { return }
      throw StoreError(error, path: path, cannot: "make the folder")
    }
  }
}
