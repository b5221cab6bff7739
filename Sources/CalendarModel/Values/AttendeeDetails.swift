// SPDX-License-Identifier: Apache-2.0

/// The rarely used fields of an attendee, stored separately so that copies are cheap without them.
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

  /// The fields; all are empty in the case `nothing`.
  var fields: Fields {
    get {
      if case .fields(let fields) = self { return fields }
      return Fields()
    }
    set { self = newValue == Fields() ? .nothing : .fields(newValue) }
  }
}
