// SPDX-License-Identifier: Apache-2.0

public import Recurrence
internal import Synchronization

/// A calendar of ICU, for rules with RSCALE (RFC 7529 §4).
///
/// ICU takes a millisecond or more to lay out a year of the Chinese calendar, so that years are kept once
/// they are laid out. It is a class because all rules of a program share them; any number of threads may
/// ask at once.
///
/// ```swift
/// options.calendars = NonGregorianCalendar.all()
/// try RecurrenceRule(parsing: "RSCALE=CHINESE;FREQ=YEARLY")   // now it can be expanded
/// ```
public final class NonGregorianCalendar: CalendarSystem {
  /// What the threads share.
  private struct State: ~Copyable {
    /// The calendar of ICU; nil before it is needed.
    var handle: CalendarHandle?
    /// Whether ICU was asked for it.
    var isOpened = false
    /// The years that were laid out, and nil for those that cannot be.
    var years: [Int: CalendarYear?] = [:]
    /// The year that was asked for last.
    var last: CalendarYear?
  }

  /// How many years are kept; 2,000 years of months take about 1 MB.
  private static let yearLimit = 2000
  /// The days of the years 1 through 9999, and those of the years around them.
  private static let days = -720_000...2_934_000

  /// The name that RSCALE gives it, such as `HEBREW`.
  public let name: String
  private let nameInCLDR: String
  private let state = Mutex(State(handle: nil))

  private init(_ name: String, nameInCLDR: String) {
    self.name = name
    self.nameInCLDR = nameInCLDR
  }

  /// The names of RSCALE, which are those of CLDR in upper case, and what ICU calls them.
  private static let names: [(name: String, nameInCLDR: String)] = [
    ("CHINESE", "chinese"), ("COPTIC", "coptic"), ("DANGI", "dangi"), ("ETHIOPIC", "ethiopic"),
    ("ETHIOPIC-AMETE-ALEM", "ethiopic-amete-alem"), ("ETHIOAA", "ethiopic-amete-alem"),
    ("HEBREW", "hebrew"), ("INDIAN", "indian"), ("ISLAMIC", "islamic"),
    ("ISLAMIC-CIVIL", "islamic-civil"), ("ISLAMICC", "islamic-civil"),
    ("ISLAMIC-RGSA", "islamic-rgsa"), ("ISLAMIC-TBLA", "islamic-tbla"),
    ("ISLAMIC-UMALQURA", "islamic-umalqura"), ("PERSIAN", "persian"),
  ]

  /// All calendars beside the Gregorian one, for `RecurrenceOptions.calendars`.
  ///
  /// It costs next to nothing: ICU is asked when a rule needs one of them. They keep what they have laid
  /// out, so a program makes them once.
  ///
  /// - Returns: The calendars, under each of their names.
  public static func all() -> [any CalendarSystem] {
    names.map { NonGregorianCalendar($0.name, nameInCLDR: $0.nameInCLDR) }
  }

  /// Lays out a year, or gives nil if ICU cannot tell or the year is none of 1 through 9999.
  ///
  /// - Parameter number: The number of the year, as ICU counts them on (its extended year).
  /// - Returns: The layout, or nil.
  public func year(_ number: Int) -> CalendarYear? {
    state.withLock { layout(number, &$0) }
  }

  /// Lays out the year that a day lies in, or gives nil as ``year(_:)`` does.
  ///
  /// - Parameter day: The number of days since 1970-01-01.
  /// - Returns: The layout, or nil.
  public func year(containingDay day: Int) -> CalendarYear? {
    guard Self.days.contains(day) else { return nil }
    return state.withLock { state in
      if let last = state.last, last.firstDay <= day, day < last.firstDay + last.length {
        return last
      }
      open(&state)
      guard let number = state.handle?.year(ofDay: Int32(day)) else { return nil }
      return layout(number, &state)
    }
  }

  private func layout(_ number: Int, _ state: inout State) -> CalendarYear? {
    if let known = state.years[number] {
      state.last = known
      return known
    }
    open(&state)
    guard let year = Int32(exactly: number) else { return nil }
    var found = state.handle?.layout(ofYear: year)
    if let day = found?.firstDay, !Self.days.contains(day) { found = nil }
    if state.years.count == Self.yearLimit { state.years.removeAll(keepingCapacity: true) }
    state.years[number] = .some(found)
    state.last = found
    return found
  }

  private func open(_ state: inout State) {
    guard !state.isOpened else { return }
    state.isOpened = true
    state.handle = CalendarHandle(name: nameInCLDR)
  }
}
