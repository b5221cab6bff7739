// SPDX-License-Identifier: Apache-2.0

import Glibc
import ICalSyntax

extension Array where Element: Sendable {
  /// Works on portions of the elements on all cores, for callers that cannot suspend.
  ///
  /// ```swift
  /// let lengths = names.mapPortions(of: 4_096) { names in names.map(\.utf8.count) }
  /// ```
  ///
  /// - Parameters:
  ///   - size: The number of elements in a portion. The last portions may be worked on twice, as
  ///     `SharedWork` describes: a portion takes a small part of the whole time.
  ///   - work: Returns the result of a portion, which is the same each time.
  /// - Returns: The results in the order of the portions.
  package func mapPortions<Output: Sendable>(
    of size: Int, _ work: @escaping @Sendable (ArraySlice<Element>) -> Output
  ) -> [Output] {
    guard count > size else { return isEmpty ? [] : [work(self[...])] }
    let starts = Array<Int>(stride(from: 0, to: count, by: size))
    let shared = SharedWork(starts.count) { number in
      self[starts[number]..<Swift.min(starts[number] + size, count)]
    } _: { _, portion in
      work(portion)
    }
    return shared.results(cores: coreCount)
  }
}

/// The number of cores, at most 8.
private var coreCount: Int { min(max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1), 8) }
