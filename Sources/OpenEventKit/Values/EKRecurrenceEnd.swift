// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The end of a recurrence rule: a date, or a number of occurrences.
open class EKRecurrenceEnd: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  /// The latest start of an occurrence; nil if the rule ends after a number of occurrences.
  public let endDate: Date?
  /// The number of occurrences; 0 if the rule ends at a date.
  public let occurrenceCount: Int

  /// Creates an end at a date.
  ///
  /// - Parameter end: The latest start of an occurrence.
  public init(end: Date) {
    endDate = end
    occurrenceCount = 0
  }

  /// Creates an end after a number of occurrences.
  ///
  /// - Parameter occurrenceCount: The number. A number below 1 counts as 1, because a series has a
  ///   first occurrence. Apple's EventKit raises an exception.
  public init(occurrenceCount: Int) {
    endDate = nil
    self.occurrenceCount = max(1, occurrenceCount)
  }

  /// Reads an end from an archive; nil if the archive has neither a date nor a number.
  public required init?(coder: NSCoder) {
    if coder.containsValue(forKey: "endDate") {
      endDate = Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "endDate"))
      occurrenceCount = 0
      return
    }
    let count = coder.decodeInteger(forKey: "occurrenceCount")
    guard count > 0 else { return nil }
    endDate = nil
    occurrenceCount = count
  }

  /// Whether ends can be archived securely: true.
  public static var supportsSecureCoding: Bool { true }

  /// Writes the end to an archive.
  open func encode(with coder: NSCoder) {
    if let endDate {
      coder.encode(endDate.timeIntervalSinceReferenceDate, forKey: "endDate")
    } else {
      coder.encode(occurrenceCount, forKey: "occurrenceCount")
    }
  }

  /// The end itself, because it does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether an object is the same end.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? EKRecurrenceEnd else { return false }
    return endDate == other.endDate && occurrenceCount == other.occurrenceCount
  }

  /// A hash of the end.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(endDate)
    hasher.combine(occurrenceCount)
    return hasher.finalize()
  }
}
