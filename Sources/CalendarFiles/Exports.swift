// SPDX-License-Identifier: Apache-2.0

// A file holds values of the model, so that one import is enough for a program.
@_exported public import CalendarModel
