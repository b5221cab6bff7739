# SPDX-License-Identifier: Apache-2.0
"""Parts that the doubles of all vendors share."""
