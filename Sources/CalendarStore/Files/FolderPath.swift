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
    do throws(SystemCalls.Failure) {
      try SystemCalls.makeFolder(path, mode: mode)
    } catch {
      if error.number == SystemCalls.Failure.alreadyExists.number { return }
      let parent = FilePlace(path).folder
      guard error.number == SystemCalls.Failure.notFound.number, parent != path else {
        throw StoreError(error, path: path, cannot: "make the folder")
      }
      try create(parent, mode: mode)
      do throws(SystemCalls.Failure) {
        try SystemCalls.makeFolder(path, mode: mode)
      } catch {
        throw StoreError(error, path: path, cannot: "make the folder")
      }
    }
    try OpenFolder(FilePlace(path).folder).synchronize()
  }
}
