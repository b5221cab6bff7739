// SPDX-License-Identifier: Apache-2.0

/// The paths in a list of files, which is read as a stream.
///
/// ```swift
/// var list = try FileList(.file("names.txt"))
/// while let sources = try list.nextSources({ print($0) }) {
///   for source in sources { print(source.label) }
/// }
/// ```
///
/// A line feed ends each path, or a NUL if there is one in the first 4,097 bytes: a path has fewer bytes,
/// so that a list with NULs has one there. A path is taken unchanged, with the spaces in it, and `-` is a
/// file with this name. Memory does not depend on the length of the list.
///
/// It cannot be copied, because two copies would each read half of the list.
public struct FileList: ~Copyable {
  /// The maximum length of a path, in bytes: Linux accepts one less, with the NUL at its end.
  private static let pathLimit = 4096

  private let label: String
  private var stream: InputStream
  /// The bytes that were read, and the place of those that are still to be used.
  private var bytes: [UInt8]
  private var place = 0
  /// The byte that ends a path.
  private let separator: UInt8
  /// The path that has begun.
  private var path: [UInt8] = []
  private var isTooLong = false
  private var isOver = false
  /// The number of paths so far, with empty and invalid ones.
  private var number = 0
  /// The number of paths so far, with invalid ones.
  public private(set) var count = 0

  /// Opens a list.
  ///
  /// - Parameter source: The list.
  /// - Throws: `FileError` if it cannot be read; `CancellationError`.
  public init(_ source: FileSource) throws {
    label = source.label
    do {
      var stream = try source.open()
      bytes = try stream.readStart(atLeast: Self.pathLimit + 1)
      self.stream = stream
    } catch {
      throw source.named(error)
    }
    separator = bytes.prefix(Self.pathLimit + 1).contains(0) ? 0 : UInt8(ascii: "\n")
  }

  /// The next path; nil at the end of the list.
  ///
  /// - Parameter report: Receives a `FileEvent.invalidPath` for each path that is none, which is skipped.
  /// - Returns: The path.
  /// - Throws: `FileError` if the list cannot be read; `CancellationError`.
  public mutating func next(_ report: (FileEvent) -> Void) throws -> String? {
    while !isOver {
      if place == bytes.count {
        guard try read() else { break }
      }
      let rest = bytes[place...]
      let end = rest.firstIndex(of: separator)
      append(rest[..<(end ?? rest.endIndex)])
      place = end.map { $0 + 1 } ?? bytes.count
      if end != nil, let path = take(report) { return path }
    }
    guard !isOver else { return nil }
    isOver = true
    return take(report)
  }

  /// The sources at the next path, which may be a folder or an archive; nil at the end of the list.
  ///
  /// - Parameter report: Receives the events about paths and folders that cannot be read.
  /// - Returns: The sources.
  /// - Throws: `FileError` if the list cannot be read; `CancellationError`.
  public mutating func nextSources(_ report: (FileEvent) -> Void) throws -> [FileSource]? {
    guard let path = try next(report) else { return nil }
    return FileSource.find([path], needsFiles: true, report: report)
  }

  /// Reads the next bytes; returns false at the end.
  private mutating func read() throws -> Bool {
    place = 0
    do {
      bytes = try stream.nextChunk()
    } catch let error as SystemError {
      throw FileError(.unreadable, label, "\(error)")
    }
    return !bytes.isEmpty
  }

  private mutating func append(_ part: ArraySlice<UInt8>) {
    guard path.count + part.count <= Self.pathLimit else { return isTooLong = true }
    path += part
  }

  /// Ends a path; returns nil for an empty or invalid one.
  private mutating func take(_ report: (FileEvent) -> Void) -> String? {
    defer {
      path.removeAll(keepingCapacity: true)
      isTooLong = false
    }
    number += 1
    guard !path.isEmpty || isTooLong else { return nil }
    count += 1
    let reason: String
    if isTooLong {
      reason = "expected a path of at most \(Self.pathLimit) bytes, found a longer one"
    } else if path.contains(0) {
      reason = "expected a path, found a NUL in it"
    } else if let text = String(validating: path, as: UTF8.self) {
      return text == "-" ? "./-" : text
    } else {
      reason = "expected a path in UTF-8, found other bytes"
    }
    report(.invalidPath(list: label, line: number, reason: reason))
    return nil
  }
}
