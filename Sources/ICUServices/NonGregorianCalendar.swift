// SPDX-License-Identifier: Apache-2.0

internal import CICU
public import Recurrence
internal import Synchronization

/// An ICU calendar, for rules with RSCALE (RFC 7529 §4).
///
/// ICU takes a millisecond or more to compute a year of the Chinese calendar, so the layouts of
/// years are cached. It is a class, so that all rules of a program share the cache. It is safe to
/// use from several threads.
///
/// ```swift
/// options.calendars = NonGregorianCalendar.all()
/// try RecurrenceRule(parsing: "RSCALE=CHINESE;FREQ=YEARLY")   // now it can be expanded
/// ```
public final class NonGregorianCalendar: CalendarSystem {
  /// The state that threads share.
  private struct State: ~Copyable {
    /// The ICU calendar, or nil before its first use.
    var handle: CalendarHandle?
    /// Whether opening the ICU calendar was attempted.
    var isOpened = false
    /// The cached years; nil for those that ICU cannot compute.
    var years: [Int: CalendarYear?] = [:]
    /// The most recently requested year.
    var last: CalendarYear?
  }

  /// The maximum number of cached years; 2,000 years of months take about 1 MB.
  private static let yearLimit = 2000
  /// The days of the years 1 through 9999 and of the adjacent years.
  private static let days = -720_000...2_934_000

  /// The RSCALE name, such as `HEBREW`.
  public let name: String
  private let nameInCLDR: String
  private let state = Mutex(State(handle: nil))

  private init(_ name: String, nameInCLDR: String) {
    self.name = name
    self.nameInCLDR = nameInCLDR
  }

  /// The RSCALE names, which are CLDR's in upper case, with ICU's names.
  private static let names: [(name: String, nameInCLDR: String)] = [
    ("CHINESE", "chinese"), ("COPTIC", "coptic"), ("DANGI", "dangi"), ("ETHIOPIC", "ethiopic"),
    ("ETHIOPIC-AMETE-ALEM", "ethiopic-amete-alem"), ("ETHIOAA", "ethiopic-amete-alem"),
    ("HEBREW", "hebrew"), ("INDIAN", "indian"), ("ISLAMIC", "islamic"),
    ("ISLAMIC-CIVIL", "islamic-civil"), ("ISLAMICC", "islamic-civil"),
    ("ISLAMIC-RGSA", "islamic-rgsa"), ("ISLAMIC-TBLA", "islamic-tbla"),
    ("ISLAMIC-UMALQURA", "islamic-umalqura"), ("PERSIAN", "persian"),
  ]

  /// All calendars except the Gregorian one, with caches that the whole process shares.
  public static let shared = all()

  /// Returns all calendars except the Gregorian one, for `RecurrenceOptions.calendars`.
  ///
  /// The call is cheap, because a calendar is opened when a rule needs it. A program should make
  /// the calendars once, to keep their caches.
  ///
  /// - Returns: The calendars, under each of their names.
  public static func all() -> [any CalendarSystem] {
    names.map { NonGregorianCalendar($0.name, nameInCLDR: $0.nameInCLDR) }
  }

  /// Returns the layout of a year, or nil outside the Gregorian years 1 to 9999 or if ICU fails.
  ///
  /// - Parameter number: The number of the year (ICU's extended year).
  /// - Returns: The layout, or nil.
  public func year(_ number: Int) -> CalendarYear? {
    state.withLock { layout(number, &$0) }
  }

  /// Returns the layout of the year that contains a day, or nil as ``year(_:)`` does.
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

/// An ICU calendar, which is closed on deinitialization.
///
/// It cannot be copied, because two copies would close it twice.
@safe struct CalendarHandle: ~Copyable {
  /// More months than any year has.
  private static let monthLimit = 14

  private let pointer: OpaquePointer

  /// Opens a calendar by its CLDR name, or returns nil if ICU does not have it.
  init?(name: String) {
    var status: Int32 = 0
    guard let opened = unsafe cicu_calendar_open(name, &status) else { return nil }
    unsafe pointer = opened
  }

  deinit {
    unsafe cicu_calendar_close(pointer)
  }

  /// The number of the year that contains a day, or nil if ICU fails.
  mutating func year(ofDay day: Int32) -> Int? {
    var status: Int32 = 0
    let year = unsafe cicu_calendar_year(pointer, day, &status)
    return status > 0 ? nil : Int(year)
  }

  /// The layout of a year, or nil if ICU fails.
  mutating func layout(ofYear year: Int32) -> CalendarYear? {
    var (status, firstDay): (Int32, Int32) = (0, 0)
    var months = [cicu_month](
      repeating: cicu_month(number: 0, is_leap: false, length: 0), count: Self.monthLimit)
    let count = unsafe cicu_calendar_months(
      pointer, year, &firstDay, &months, Int32(Self.monthLimit), &status)
    guard status <= 0 else { return nil }
    return CalendarYear(
      number: Int(year), firstDay: Int(firstDay),
      months: months.prefix(Int(count)).map {
        CalendarMonth(
          MonthNumber(Int($0.number), isLeap: $0.is_leap), length: Int($0.length))
      })
  }
}
