// SPDX-License-Identifier: Apache-2.0

internal import CICU

/// The date formats of an ICU locale, which are closed on deinitialization.
///
/// It cannot be copied, because two copies would close it twice.
@safe struct DatesHandle: ~Copyable {
  private let pointer: OpaquePointer

  init(locale: String) throws(ICUError) {
    var status: Int32 = 0
    guard let opened = unsafe cicu_dates_open(locale, &status) else {
      throw ICUError(.failed, "ICU failed with \(ICUCalls.errorName(status))")
    }
    unsafe pointer = opened
  }

  deinit {
    unsafe cicu_dates_close(pointer)
  }

  /// The first day of a week, from 1 for Sunday through 7.
  func firstWeekday() throws(ICUError) -> Int {
    var status: Int32 = 0
    let day = unsafe cicu_dates_first_weekday(pointer, &status)
    try ICUCalls.check(status)
    return Int(day)
  }

  func format(_ skeleton: String) throws(ICUError) -> DateFormatHandle {
    var status: Int32 = 0
    guard let opened = unsafe cicu_date_format_open(pointer, skeleton, &status) else {
      throw ICUError(.failed, "ICU failed with \(ICUCalls.errorName(status))")
    }
    return unsafe DateFormatHandle(opened)
  }

  func intervalFormat(_ skeleton: String) throws(ICUError) -> IntervalFormatHandle {
    var status: Int32 = 0
    guard let opened = unsafe cicu_interval_format_open(pointer, skeleton, &status) else {
      throw ICUError(.failed, "ICU failed with \(ICUCalls.errorName(status))")
    }
    return unsafe IntervalFormatHandle(opened)
  }
}

/// An ICU date formatter; a class, because a dictionary caches the formatters.
@safe final class DateFormatHandle {
  private let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) {
    unsafe self.pointer = pointer
  }

  deinit {
    unsafe cicu_date_format_close(pointer)
  }

  func text(milliseconds: Double) throws(ICUError) -> String {
    var status: Int32 = 0
    let text = unsafe ICUCalls.text(cicu_date_format_apply(pointer, milliseconds, &status))
    try ICUCalls.check(status)
    return text ?? ""
  }
}

/// An ICU interval formatter; a class, because a dictionary caches the formatters.
@safe final class IntervalFormatHandle {
  private let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) {
    unsafe self.pointer = pointer
  }

  deinit {
    unsafe cicu_interval_format_close(pointer)
  }

  func text(from start: Double, to end: Double) throws(ICUError) -> String {
    var status: Int32 = 0
    let text = unsafe ICUCalls.text(cicu_interval_format_apply(pointer, start, end, &status))
    try ICUCalls.check(status)
    return text ?? ""
  }
}
