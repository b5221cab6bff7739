// SPDX-License-Identifier: Apache-2.0

package import CivilTime
package import ICalSyntax

/// The contacts of a folder or a file with vCards, which are only read.
package protocol ContactSource: Sendable {
  /// The path in canonical form, which grants and the ledger are bound to.
  var location: String { get }
  /// The file system of the contacts, on one line; if a disk is not mounted, it is another one.
  var place: String { get }
  /// Whether all contacts are in one file, so that its name identifies none.
  var isSingleFile: Bool { get }

  /// Lists the files, in order of their names; opens none.
  ///
  /// - Throws: An error, unless the listing is known to be complete.
  func listing(at now: Instant) throws -> ContactListing

  /// Reads a file; nil if it does not exist any more.
  ///
  /// A file that cannot be read is a fault of the result.
  func read(_ name: String) throws -> ContactCards?
}

/// The files with contacts.
package struct ContactListing: Hashable, Sendable {
  /// A file that can have cards.
  package struct File: Hashable, Sendable {
    /// The name of the file.
    package let name: String
    /// A text without blanks that changes with the content; nil if that is not certain.
    package let version: String?

    /// Creates a file.
    package init(name: String, version: String?) {
      (self.name, self.version) = (name, version)
    }
  }

  /// The files, in order of their names.
  package let files: [File]
  /// The files whose names are not UTF-8, which cannot be read.
  package let undecodable: [String]

  /// Creates a listing.
  package init(files: [File], undecodable: [String] = []) {
    (self.files, self.undecodable) = (files, undecodable)
  }
}

/// The cards of a file.
package struct ContactCards: Hashable, Sendable {
  /// A part of a file that cannot be read.
  package struct Fault: Hashable, Sendable {
    /// The line from 1; nil if the whole file cannot be read.
    package let line: Int?
    /// The reason.
    package let reason: String

    /// Creates a fault.
    package init(line: Int?, reason: String) {
      (self.line, self.reason) = (line, reason)
    }
  }

  /// The number of readable cards.
  package var count = 0
  /// The readable cards with dates or notes about dates, in file order.
  package var cards: [VCard] = []
  /// The parts that cannot be read.
  package var faults: [Fault] = []

  /// Creates an empty file.
  package init() {}
}
