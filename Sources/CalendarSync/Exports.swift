// SPDX-License-Identifier: Apache-2.0

// A sync takes and returns items of the model, so that one import is enough for a program.
@_exported public import CalendarModel
