// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Maps non-aggregate classes: those with constructors, with private members or with base classes.
///
/// `BOOST_HANA_ADAPT_STRUCT(ns::type, a, b)`, at global scope, lists up to 40 data members of the class and its bases;
/// other members are not stored. BOOST_HANA_DEFINE_STRUCT does so inside the class. Private members need
/// `template <class, class> friend struct boost::hana::accessors_impl;` in the class that declares them. The class has
/// a public default constructor and can be assigned by move. Include this header and adapt the class before the first
/// use of its mapping, and do so alike in every source file.
#include <tablemap/detail/reflect/adapted.hpp>
