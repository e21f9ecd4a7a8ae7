// Distinct types for the three things that are counted, so that one cannot stand for another.
//
// The identity-free part (ifd/rejector) may not include this header, directly or through others;
// tests/include_graph_test.cc checks it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ifd {

enum class ClassId : std::int32_t {};   // position in ClassNames
enum class ExpertId : std::int32_t {};  // position in a roster or an answer table
enum class CaseId : std::int64_t {};    // row of Predictions

constexpr std::size_t index(ClassId id) { return static_cast<std::size_t>(id); }
constexpr std::size_t index(ExpertId id) { return static_cast<std::size_t>(id); }
constexpr std::size_t index(CaseId id) { return static_cast<std::size_t>(id); }

constexpr ClassId class_id(std::size_t i) { return static_cast<ClassId>(i); }
constexpr ExpertId expert_id(std::size_t i) { return static_cast<ExpertId>(i); }
constexpr CaseId case_id(std::size_t i) { return static_cast<CaseId>(i); }

}  // namespace ifd
