// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/store/response.hpp"
#include "tablemap/store/service_response.hpp"

#include <memory>
#include <utility>

namespace tablemap::inline v0_1::detail {

/// The response to a rare request that was carried out.
inline response answer_with(service_response what) {
    response r;
    r.service = std::make_shared<service_response const>(std::move(what));
    return r;
}

}  // namespace tablemap::detail
