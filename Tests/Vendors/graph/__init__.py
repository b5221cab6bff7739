# SPDX-License-Identifier: Apache-2.0
"""A double of Microsoft Graph v1.0's calendars."""
