// SPDX-License-Identifier: Apache-2.0

// Phrases and queries take and return values of the model, so that one import is enough for a program.
@_exported public import CalendarModel
@_exported public import ICUServices
