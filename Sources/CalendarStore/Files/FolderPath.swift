// SPDX-License-Identifier: Apache-2.0

/// Folders by their paths, before they are opened.
enum FolderPath {
  /// The path in one spelling: absolute, without symbolic links, `.` and `..`.
  static func canonical(_ path: String) throws(StoreError) -> String {
    do throws(SystemCalls.Failure) {
      return try SystemCalls.canonicalPath(path)
    } catch {
      throw StoreError(error, path: path, cannot: "find the folder")
    }
  }

  /// Makes a folder and those above it, as far as they are missing, each durable in the one above.
  static func create(_ path: String, mode: UInt32) throws(StoreError) {
    // A slash at the end would make the folder its own parent.
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

  /// Makes a folder in one that exists; that another process was faster is fine.
  private static func createLast(_ path: String, mode: UInt32) throws(StoreError) {
    do throws(SystemCalls.Failure) {
      try SystemCalls.makeFolder(path, mode: mode)
    } catch {
      guard error.number != SystemCalls.Failure.alreadyExists.number else { return }
      throw StoreError(error, path: path, cannot: "make the folder")
    }
  }
}
