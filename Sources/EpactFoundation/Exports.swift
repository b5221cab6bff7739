// SPDX-License-Identifier: Apache-2.0

// The converted values are those of the model, so that one import is enough beside Foundation.
@_exported public import CalendarModel
