// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CivilTime
import ICalSyntax

/// Collects the busy time of occurrences, VFREEBUSY and VAVAILABILITY components.
struct BusyTime {
  private var freeBusy: FreeBusy
  private var availability: Availability
  /// The number of occurrences so far, including those that overlap.
  private var occurrenceCount = 0

  /// Creates an empty busy time.
  init(
    in range: Range<Instant>, viewer: ZoneRules, zones: ZoneResolver, options: OccurrenceOptions
  ) {
    freeBusy = FreeBusy(in: range)
    availability = Availability(in: range, viewer: viewer, zones: zones, options: options)
  }

  /// Whether all-day events without TRANSP make the user busy.
  var allDayBlocks: Bool {
    get { freeBusy.allDayBlocks }
    set { freeBusy.allDayBlocks = newValue }
  }

  /// The user's addresses.
  var user: Set<CalendarAddress> {
    get { freeBusy.user }
    set { freeBusy.user = newValue }
  }

  /// The findings about the VAVAILABILITY components.
  var findings: [OccurrenceFinding] { availability.findings }

  /// Adds occurrences, until there are more periods than the limit.
  ///
  /// Adjacent occurrences, such as those of every second, are one period. Their number has the same
  /// limit.
  ///
  /// - Throws: `EpactError` if there are too many occurrences; `CancellationError`.
  mutating func add(_ occurrences: inout ViewOccurrences) throws {
    while !freeBusy.isFull, let occurrence = occurrences.next() {
      if occurrenceCount.isMultiple(of: 1024) { try Task.checkCancellation() }
      occurrenceCount += 1
      freeBusy.add(occurrence)
      // Too many periods are reported as such.
      guard occurrenceCount <= FreeBusy.limit || freeBusy.isFull else {
        throw Self.excess(of: "events")
      }
    }
  }

  /// Adds VFREEBUSY components.
  mutating func add(_ components: [Component]) {
    for component in components { freeBusy.add(component) }
  }

  /// Adds the VAVAILABILITY components of a calendar.
  mutating func add(_ contents: OccurrenceReading.Availabilities, source: Int) {
    for component in contents.components {
      availability.add(component, timeZones: contents.timeZones, source: source)
    }
  }

  /// Returns the busy time.
  ///
  /// - Throws: `EpactError` if there are too many periods.
  consuming func finish() throws(EpactError) -> FreeBusy {
    freeBusy.add(availability.periods)
    guard !freeBusy.isFull else {
      throw Self.excess(of: "periods of busy time")
    }
    return freeBusy
  }

  private static func excess(of things: String) -> EpactError {
    EpactError(
      .failed,
      "there are more than \(FreeBusy.limit / 1000),000 \(things); ask for a shorter time")
  }
}

extension FreeBusy {
  /// Creates a calendar with the busy time as a VFREEBUSY; equal busy times have equal UIDs.
  public func calendar(stamp: Instant) -> [UInt8] {
    let calendar = Component(
      .calendar,
      properties: [
        Property(.version, rawValue: "2.0"), Property(.productID, rawValue: CalendarItem.productID),
      ], components: [component(stamp: stamp)])
    return Serializer(lineEnds: .refolded).bytes(of: calendar)
  }
}
