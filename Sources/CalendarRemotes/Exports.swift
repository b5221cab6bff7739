// SPDX-License-Identifier: Apache-2.0

// The remotes implement the ports of the engine, so that one import is enough for a program.
@_exported public import CalendarSync
