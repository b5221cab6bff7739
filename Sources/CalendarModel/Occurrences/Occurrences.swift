// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax

/// The occurrences in a time range, lazily and in an order that does not depend on the files.
///
/// They are ordered by start. Further criteria are, in this order: all-day occurrences first, the
/// end, the UID (bytewise), the kind (in the order of the RFC), the recurrence identifier, and the
/// source. If all of these are equal, which valid items exclude, the order of addition decides.
///
/// The series are merged from the start of the range, which is found without iterating from the
/// start of a series. Instances are computed only on demand.
public struct Occurrences: Sequence, Sendable {
  private let range: Range<Instant>
  private let options: OccurrenceOptions
  private let singles: [Occurrence]
  private let stretches: [SeriesStream.Stretch]

  init(
    range: Range<Instant>, options: OccurrenceOptions, singles: [Occurrence],
    stretches: [SeriesStream.Stretch]
  ) {
    self.range = range
    self.options = options
    self.singles = singles
    self.stretches = stretches
  }

  /// Creates an iterator at the first occurrence.
  public func makeIterator() -> Iterator {
    let sorted = singles.indices.sorted { left, right in
      Occurrence.precedes(singles[left], singles[right]) ?? (left < right)
    }
    return Iterator(
      singles: sorted.map { singles[$0] },
      streams: stretches.map { SeriesStream($0, range: range, options: options) },
      options: options)
  }

  /// Returns occurrences one by one, from a heap with the next one of each series.
  public struct Iterator: IteratorProtocol, Sendable {
    /// The place of a stream in the heap: the start of its next occurrence decides most
    /// comparisons.
    private struct Head: Sendable {
      let start: Instant
      /// The number of the stream; -1 is that of the single occurrences.
      let stream: Int
    }

    private let singles: [Occurrence]
    private var nextSingle = 0
    private var streams: [SeriesStream]
    private var heap: [Head] = []
    /// The next occurrences by the number of their stream plus one.
    private var current: [Occurrence?]
    private var list: FindingList

    init(singles: [Occurrence], streams: [SeriesStream], options: OccurrenceOptions) {
      self.singles = singles
      self.streams = streams
      current = Array(repeating: nil, count: streams.count + 1)
      list = FindingList(limit: options.findingLimit)
      advance(-1)
      for index in streams.indices { advance(index) }
    }

    /// The findings so far: series with incomplete searches, so that occurrences may be missing.
    public var findings: [OccurrenceFinding] { list.findings }

    /// Returns the next occurrence, or nil if there is none.
    public mutating func next() -> Occurrence? {
      guard let first = heap.first else { return nil }
      let occurrence = current[first.stream + 1]
      let last = heap.removeLast()
      if !heap.isEmpty {
        heap[0] = last
        siftDown()
      }
      advance(first.stream)
      return occurrence
    }

    /// Inserts the next occurrence of a stream into the heap.
    private mutating func advance(_ stream: Int) {
      guard stream >= 0 else {
        guard nextSingle < singles.count else { return }
        nextSingle += 1
        return push(singles[nextSingle - 1], of: stream)
      }
      if let occurrence = streams[stream].next() { return push(occurrence, of: stream) }
      guard streams[stream].isTruncated else { return }
      let part = streams[stream].stretch.part
      list.add(
        [
          part.component.diagnostic(
            .warning, .truncatedSeries,
            "the search for occurrences of '\(part.uid)' stopped at a limit; some may be "
              + "missing", reference: "RFC 5545 §3.8.5")
        ], source: part.source)
    }

    private func precedes(_ left: Head, _ right: Head) -> Bool {
      guard left.start == right.start else { return left.start < right.start }
      guard let first = current[left.stream + 1], let second = current[right.stream + 1],
        let isFirst = Occurrence.precedes(first, second)
      else { return left.stream < right.stream }
      return isFirst
    }

    private mutating func push(_ occurrence: Occurrence, of stream: Int) {
      current[stream + 1] = occurrence
      var index = heap.count
      heap.append(Head(start: occurrence.start.instant, stream: stream))
      while index > 0 {
        let parent = (index - 1) / 2
        guard precedes(heap[index], heap[parent]) else { return }
        heap.swapAt(index, parent)
        index = parent
      }
    }

    private mutating func siftDown() {
      var index = 0
      while true {
        let (left, right) = (2 * index + 1, 2 * index + 2)
        var least = index
        if left < heap.count, precedes(heap[left], heap[least]) { least = left }
        if right < heap.count, precedes(heap[right], heap[least]) { least = right }
        guard least != index else { return }
        heap.swapAt(index, least)
        index = least
      }
    }
  }
}
