// SPDX-License-Identifier: Apache-2.0
#include "tablemap/edm/converter.hpp"

namespace tablemap::inline v0_1::detail {

error converter_error(std::exception_ptr thrown) {
    try {
        std::rethrow_exception(std::move(thrown));
    } catch (error const& e) {
        return e;
    } catch (...) {  // its text is left out, for it may hold the value
        return error{library_errc::value_out_of_range,
                     {.reason =
                          "its converter threw an exception; let the converter return a failure that says what is "
                          "wrong with the value"}};
    }
}

}  // namespace tablemap::detail
