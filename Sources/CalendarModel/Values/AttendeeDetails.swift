// SPDX-License-Identifier: Apache-2.0

/// What is told of few attendees, kept apart so that the others are copied at little cost.
indirect enum AttendeeDetails: Hashable, Sendable {
  /// The fields.
  struct Fields: Hashable, Sendable {
    var memberships: [CalendarAddress] = []
    var delegatedTo: [CalendarAddress] = []
    var delegatedFrom: [CalendarAddress] = []
    var sentBy: CalendarAddress?
    var directory: String?
    var email: String?
    var scheduleAgent: ScheduleAgent = .server
    var scheduleStatuses: [String] = []
  }

  case nothing
  case fields(Fields)

  /// The fields, all of which say nothing if there are none.
  var fields: Fields {
    get {
      if case .fields(let fields) = self { return fields }
      return Fields()
    }
    set { self = newValue == Fields() ? .nothing : .fields(newValue) }
  }
}
