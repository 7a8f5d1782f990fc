// SPDX-License-Identifier: Apache-2.0
#pragma once

// Keys use converters, too, and include nothing of the mapping: so they are declared beside the property types.
#include "tablemap/edm/converter.hpp"
