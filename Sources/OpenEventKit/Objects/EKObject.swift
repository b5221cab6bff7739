// SPDX-License-Identifier: Apache-2.0

@_exported public import CoreLocation
@_exported public import Foundation

/// The base of all objects of a store: what is saved, and what is changed since.
///
/// Objects may be used by any thread.
open class EKObject: NSObject, @unchecked Sendable {
  /// The lock of the object's fields, which all objects of a store share.
  let lock: NSRecursiveLock

  // Subclasses in other modules inherit the initializers of a class only if none of the designated
  // ones of its superclasses is hidden from them: those that are not public are usable from inline.
  @usableFromInline
  init(lock: NSRecursiveLock = NSRecursiveLock()) {
    self.lock = lock
  }

  /// Whether the object or an object in it has changes that are not committed.
  open var hasChanges: Bool { false }

  /// Whether the object was never saved.
  open var isNew: Bool { true }

  /// Discards all changes and returns to the saved values; does nothing for a new object.
  open func reset() {}

  /// Discards all changes and returns to the values that were fetched.
  open func rollback() {}

  /// Reads the latest values into all fields without changes.
  ///
  /// - Returns: False if the object was deleted, and then must be let go.
  @discardableResult
  open func refresh() -> Bool { true }
}
