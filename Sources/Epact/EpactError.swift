// SPDX-License-Identifier: Apache-2.0

public import CalendarSync

/// An error of the front: a configuration, a grant, a file or a sync that cannot be used.
///
/// Programs decide by the ``code``, and show the ``message`` to people. The message names no
/// command; ``remedy`` holds what a program can offer instead.
///
/// ```swift
/// do {
///   let configuration = try ConfigurationFile(machine: .live()).load()
/// } catch let error as EpactError where error.code == .configuration {
///   print(error.message)
/// }
/// ```
///
/// Errors of the layers below, such as `StoreError` and `RemoteError`, are passed on unchanged.
public struct EpactError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error, for programs.
  public struct Code: Hashable, Sendable {
    private enum Value { case configuration, argument, failed, noAccess, unavailable, interrupted }

    private let value: Value

    /// The configuration, or a file that it names, is missing, invalid or not trusted.
    public static let configuration = Code(value: .configuration)
    /// An argument of the caller is invalid.
    public static let argument = Code(value: .argument)
    /// The operation failed, and would fail again.
    public static let failed = Code(value: .failed)
    /// Access was not granted, or credentials are missing.
    public static let noAccess = Code(value: .noAccess)
    /// Something is locked, changed concurrently or is out of reach; a later attempt may succeed.
    public static let unavailable = Code(value: .unavailable)
    /// The operation was cancelled; what is done stays done.
    public static let interrupted = Code(value: .interrupted)
  }

  /// An action of the user or the caller that may remove the cause of an error.
  public enum Remedy: Hashable, Sendable {
    /// Withdraw the permissions of other users on the file at this path.
    case makePrivate(path: String)
    /// Withdraw the write permission of other users on the file or folder at this path.
    case withdrawWriting(path: String)
    /// Use a copy of the file at this path that belongs to the user.
    case takeOwnership(path: String)
    /// Create the folder at this path.
    case makeFolder(path: String)
    /// Give a path instead of the name of a calendar.
    case usePath(name: String)
    /// Grant a tier of access to a remote.
    case grant(AccessTier, remote: String)
    /// Add calendars, remotes or syncs to the configuration.
    case configure
    /// Another action, as a sentence.
    case other(String)
  }

  /// The kind of error.
  public let code: Code
  /// The message in lower case, without a full stop.
  public let message: String
  /// The path, the name or the address that the error concerns; nil if the message has none.
  public let subject: String?
  /// What the user or the caller can do about the error; nil if nothing is known.
  public let remedy: Remedy?

  /// Creates an error.
  public init(_ code: Code, _ message: String, subject: String? = nil, remedy: Remedy? = nil) {
    self.code = code
    self.message = message
    self.subject = subject
    self.remedy = remedy
  }

  /// The message.
  public var description: String { message }

  /// The error for a name that a configuration or a file does not contain.
  ///
  /// - Parameters:
  ///   - name: The unknown name.
  ///   - what: What the name should denote, such as `calendar`.
  ///   - place: The place that lacks the name, such as `the configuration`.
  ///   - known: The known names, of which the nearest one is suggested.
  package static func unknown(
    _ name: String, what: String, in place: String = "the configuration",
    known: some Collection<String>, remedy: Remedy? = nil
  ) -> EpactError {
    let near = Suggestion.nearest(to: name, among: known)
    let hint = near.map { "; did you mean \"\($0)\"?" } ?? ""
    return EpactError(
      .configuration, "there is no \(what) \"\(name)\" in \(place)\(hint)", subject: name,
      remedy: remedy)
  }
}

/// Suggests a known word for an unknown one.
package enum Suggestion {
  /// The maximum number of compared characters, which limits the time.
  private static let limit = 64

  /// The candidate closest to `word`, or nil if none is close enough.
  ///
  /// One edit is allowed for every three characters, but at least one. An edit is a deletion, an
  /// insertion, a substitution, or a swap of adjacent letters. If no candidate is close enough, the
  /// shortest one with the word as a prefix is returned.
  package static func nearest(to word: String, among candidates: some Collection<String>) -> String?
  {
    let word = Array(word.lowercased().prefix(limit))
    guard word.count > 1 else { return nil }
    let allowed = max(1, word.count / 3)
    var best: (name: String, distance: Int)?
    for candidate in candidates {
      let distance = distance(from: word, to: Array(candidate.lowercased().prefix(limit)))
      guard distance <= allowed else { continue }
      if let found = best, found.distance <= distance { continue }
      best = (candidate, distance)
    }
    guard best == nil, word.count > 2 else { return best?.name }
    return candidates.filter { $0.lowercased().hasPrefix(String(word)) }.min { $0.count < $1.count }
  }

  /// The number of edits between two words (optimal string alignment distance).
  private static func distance(from left: [Character], to right: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let same = left[row] == right[column]
        var least = min(last[column + 1] + 1, current[column] + 1, last[column] + (same ? 0 : 1))
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          least = min(least, beforeLast[column - 1] + 1)
        }
        current.append(least)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }
}
