// SPDX-License-Identifier: Apache-2.0
// The headers that nearly every test includes are compiled for this source, and taken over by the others.
