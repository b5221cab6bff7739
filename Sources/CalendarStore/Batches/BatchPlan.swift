// SPDX-License-Identifier: Apache-2.0

import CalendarSync

/// The files of a batch and their folders.
struct BatchPlan {
  let files: [BatchFile]

  /// The folders, each once.
  var folders: [BatchFolder] {
    var known: Set<BatchFolder.Key> = []
    return files.map(\.folder).filter { known.insert($0.key).inserted }
  }

  init(_ files: [BatchFile]) {
    self.files = files
  }

  /// Opens and locks the folders, reads the files and checks the conditions.
  init(_ replacements: [FileReplacement]) throws(BatchError) {
    let places = replacements.map { FilePlace($0.path) }
    let folders = try BatchError.converting { () throws(StoreError) in
      try Self.folders(of: places)
    }
    var names: Set<Name> = []
    var files: [BatchFile] = []
    files.reserveCapacity(replacements.count)
    for (replacement, place) in zip(replacements, places) {
      guard let folder = folders[place.folder] else { continue }
      guard names.insert(Name(folder: folder.key, name: place.name)).inserted else {
        throw BatchError(
          code: .invalid, path: replacement.path, message: "the batch replaces the file twice")
      }
      files.append(try Self.file(replacement, place.name, in: folder))
    }
    self.files = files
  }

  private struct Name: Hashable {
    let folder: BatchFolder.Key
    let name: String
  }

  /// The folders by the paths of the places; two paths of one folder share it.
  private static func folders(
    of places: [FilePlace]
  ) throws(StoreError) -> [String: BatchFolder] {
    var folders: [String: BatchFolder] = [:]
    var known: [BatchFolder.Key: BatchFolder] = [:]
    for path in places.map(\.folder) where folders[path] == nil {
      let found = try BatchFolder(try FolderPath.canonical(path))
      let folder = known[found.key] ?? found
      (folders[path], known[found.key]) = (folder, folder)
    }
    try BatchFolder.lock(known.values)
    return folders
  }

  private static func file(
    _ replacement: FileReplacement, _ name: String, in folder: BatchFolder
  ) throws(BatchError) -> BatchFile {
    let (before, mode) = try BatchError.converting {
      () throws(StoreError) -> ([UInt8]?, UInt32?) in
      try folder.folder.check(name)
      let status = try folder.folder.status(of: name)
      // A file that must not exist is not read; anything else than a file is an error of its own.
      if status?.kind == .file, replacement.expected == nil { return ([], nil) }
      return (try folder.folder.contents(of: name), status?.mode)
    }
    guard before.map({ Revision(of: $0) }) == replacement.expected else {
      throw .conditionFailed(replacement.path)
    }
    return BatchFile(
      folder: folder, name: name, before: before, after: replacement.contents, mode: mode)
  }

  /// The files in parts that can be open at the same time.
  var parts: [ArraySlice<BatchFile>] {
    let size = FolderCalendar.openFiles
    return stride(from: 0, to: files.count, by: size).map {
      files[$0..<min($0 + size, files.count)]
    }
  }

  /// Writes the new contents of some files to durable temporary files.
  func prepare(_ part: ArraySlice<BatchFile>) throws(StoreError) -> [PreparedFile] {
    var prepared: [PreparedFile] = []
    for file in part { prepared.append(try PreparedFile(file)) }
    for (_, files) in Dictionary(grouping: prepared, by: { $0.file.folder.key }) {
      // For many files, one call for the file system is faster than a separate write for each.
      if files.count >= FolderCalendar.manyFiles,
        let folder = files.first?.file.folder, try folder.folder.synchronizeFileSystem()
      {
        continue
      }
      for file in files { try file.synchronize() }
    }
    return prepared
  }

  /// Makes the names in the folders durable.
  ///
  /// - Parameter ifReplaced: Whether a folder that another one has replaced is an error.
  /// - Throws: `StoreError`.
  func synchronize(ifReplaced: Bool = true) throws(StoreError) {
    for folder in folders {
      try folder.folder.synchronize()
      if ifReplaced { try folder.anchor.check() }
    }
  }
}
