// SPDX-License-Identifier: Apache-2.0

// The front takes and returns values of the layers below, so that one import is enough for a program.
@_exported public import CalendarFiles
@_exported public import CalendarLanguage
@_exported public import CalendarModel
@_exported public import CalendarRemotes
@_exported public import CalendarStore
@_exported public import CalendarSync
@_exported public import EpactFoundation
