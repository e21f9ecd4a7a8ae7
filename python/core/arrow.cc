#include "python/core/arrow.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <string_view>

#include "ifd/data/utf8.h"
#include "ifd/error.h"

// As the Arrow project publishes them for everybody to copy ("The Arrow C data interface", "The
// Arrow C stream interface"): names and layout are the interface.
extern "C" {

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);
  int (*get_next)(ArrowArrayStream*, ArrowArray* out);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};
}

namespace ifd::python {
namespace {

// Released when it goes out of scope, unless that was done.
template <typename Held>
struct Owned {
  Held held{};
  Owned() = default;
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() {
    if (held.release != nullptr) held.release(&held);
  }
};

Error refused(const std::string& what) { return bad_input(fmt::format("proba: {}", what)); }

bool is_text(std::string_view format) { return format == "u" || format == "U"; }
bool is_number(std::string_view format) {
  constexpr std::string_view kNumbers = "cCsSiIlLfg";
  return format.size() == 1 && kNumbers.find(format[0]) != std::string_view::npos;
}

std::string name_of_column(const ArrowSchema& schema) {
  return schema.name == nullptr ? std::string() : std::string(schema.name);
}

bool is_null(const ArrowArray& column, std::int64_t row) {
  if (column.null_count == 0 || column.n_buffers < 1 || column.buffers[0] == nullptr) return false;
  const auto* const bits = static_cast<const std::uint8_t*>(column.buffers[0]);
  return ((bits[row / 8] >> (row % 8)) & 1) == 0;
}

template <typename T>
float at(const ArrowArray& column, std::int64_t row) {
  T value;
  std::memcpy(&value, static_cast<const std::byte*>(column.buffers[1]) + row * sizeof(T),
              sizeof(T));
  return static_cast<float>(value);
}

float number_at(char format, const ArrowArray& column, std::int64_t row) {
  switch (format) {
    case 'c':
      return at<std::int8_t>(column, row);
    case 'C':
      return at<std::uint8_t>(column, row);
    case 's':
      return at<std::int16_t>(column, row);
    case 'S':
      return at<std::uint16_t>(column, row);
    case 'i':
      return at<std::int32_t>(column, row);
    case 'I':
      return at<std::uint32_t>(column, row);
    case 'l':
      return at<std::int64_t>(column, row);
    case 'L':
      return at<std::uint64_t>(column, row);
    case 'f':
      return at<float>(column, row);
    default:
      return at<double>(column, row);
  }
}

// A column with what its schema says of it, and where its rows begin.
struct Column {
  const ArrowSchema& schema;
  const ArrowArray& array;
  std::int64_t first;
};

Error refused(const Column& column, std::string_view what) {
  return refused(fmt::format("column '{}' {}", excerpt(name_of_column(column.schema)), what));
}

template <typename Offset>
std::string text_between(const Column& column, std::int64_t row) {
  const auto* const offsets = static_cast<const Offset*>(column.array.buffers[1]);
  const auto* const characters = static_cast<const char*>(column.array.buffers[2]);
  const Offset begin = offsets[row];
  const Offset end = offsets[row + 1];
  if (begin < 0 || end < begin || (end > begin && characters == nullptr)) {
    throw refused(column, fmt::format("has text from {} to {}; expected ascending offsets, from 0, "
                                      "and characters",
                                      begin, end));
  }
  return end == begin ? std::string()
                      : std::string(characters + begin, static_cast<std::size_t>(end - begin));
}

// The column's rows that belong to the batch, as far as its numbers tell: how long its buffers are
// is not among them.
Column column_of(const ArrowSchema& schema, const ArrowArray* array, const ArrowArray& batch) {
  if (array == nullptr) throw refused("a batch of the Arrow stream lacks a column");
  std::int64_t rows = 0, end = 0;
  const bool makes_sense = array->offset >= 0 && array->length >= 0 &&
                           !__builtin_add_overflow(batch.offset, batch.length, &rows) &&
                           !__builtin_add_overflow(array->offset, array->length, &end);
  const Column column{schema, *array, makes_sense ? array->offset + batch.offset : 0};
  const std::int64_t buffers = is_text(schema.format) ? 3 : 2;
  if (!makes_sense || array->length < rows || array->n_buffers < buffers ||
      array->buffers == nullptr || (batch.length > 0 && array->buffers[1] == nullptr)) {
    throw refused(column, "is shorter than its table");
  }
  return column;
}

void append_numbers(const Column& column, std::int64_t rows, std::vector<float>& to) {
  const char format = column.schema.format[0];
  for (std::int64_t row = column.first; row < column.first + rows; ++row) {
    if (is_null(column.array, row)) {
      throw refused(fmt::format("column '{}': row {} is null; expected a number",
                                excerpt(name_of_column(column.schema)), to.size()));
    }
    to.push_back(number_at(format, column.array, row));
  }
}

void append_text(const Column& column, std::int64_t rows, std::vector<std::string>& to) {
  const bool large = column.schema.format[0] == 'U';
  for (std::int64_t row = column.first; row < column.first + rows; ++row) {
    if (is_null(column.array, row)) {
      throw refused(fmt::format("column '{}': row {} is null; expected a text",
                                excerpt(name_of_column(column.schema)), to.size()));
    }
    to.push_back(large ? text_between<std::int64_t>(column, row)
                       : text_between<std::int32_t>(column, row));
  }
}

// What becomes of each column of the stream.
class Reading {
 public:
  explicit Reading(const ArrowSchema& schema) : schema_(schema) {
    if (schema.format == nullptr || std::string_view(schema.format) != "+s") {
      throw refused("the Arrow stream is of no table; expected record batches");
    }
    if (schema.n_children > 0 && schema.children == nullptr) {
      throw refused("the Arrow stream's schema lacks its columns");
    }
    for (std::int64_t i = 0; i < schema.n_children; ++i) {
      if (schema.children[i] == nullptr || schema.children[i]->format == nullptr) {
        throw refused(fmt::format("column {} of the Arrow stream has no format", i));
      }
      const ArrowSchema& column = *schema.children[i];
      const std::string name = name_of_column(column);
      const bool plain = column.dictionary == nullptr;
      if (plain && is_text(column.format) && name == "case") {
        table_.cases.emplace();
      } else if (plain && is_text(column.format) && name == "label") {
        table_.labels.emplace();
      } else if (plain && is_number(column.format)) {
        table_.numbers.push_back(name);
      } else {
        throw refused(fmt::format(
            "column '{}' has the Arrow format '{}'; expected numbers, or text in 'case' and "
            "'label'",
            excerpt(name), excerpt(column.format)));
      }
    }
    table_.values.resize(table_.numbers.size());
  }

  void take(const ArrowArray& batch) {
    if (batch.n_children != schema_.n_children || batch.length < 0 || batch.offset < 0 ||
        (batch.n_children > 0 && batch.children == nullptr)) {
      throw refused("a batch of the Arrow stream has other columns than its schema");
    }
    std::size_t number = 0;
    for (std::int64_t i = 0; i < batch.n_children; ++i) {
      const Column column = column_of(*schema_.children[i], batch.children[i], batch);
      if (!is_text(column.schema.format)) {
        append_numbers(column, batch.length, table_.values[number++]);
      } else {
        append_text(column, batch.length,
                    name_of_column(column.schema) == "case" ? *table_.cases : *table_.labels);
      }
    }
    table_.rows += static_cast<std::size_t>(batch.length);
  }

  ArrowTable table() && { return std::move(table_); }

 private:
  const ArrowSchema& schema_;
  ArrowTable table_;
};

void check(int code, ArrowArrayStream& stream) {
  if (code == 0) return;
  const char* const why =
      stream.get_last_error == nullptr ? nullptr : stream.get_last_error(&stream);
  throw refused(fmt::format("the Arrow stream failed: {}",
                            why == nullptr ? std::strerror(code) : excerpt(why)));
}

ArrowTable read(ArrowArrayStream& stream) {
  if (stream.get_schema == nullptr || stream.get_next == nullptr) {
    throw refused("the Arrow stream has no functions to read it by");
  }
  Owned<ArrowSchema> schema;
  check(stream.get_schema(&stream, &schema.held), stream);
  Reading reading(schema.held);
  while (true) {
    Owned<ArrowArray> batch;
    check(stream.get_next(&stream, &batch.held), stream);
    if (batch.held.release == nullptr) return std::move(reading).table();
    reading.take(batch.held);
  }
}

}  // namespace

ArrowTable read_arrow_stream(const py::object& source) {
  const py::object capsule = source.attr("__arrow_c_stream__")();
  auto* const stream =
      static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
  if (stream == nullptr) throw py::error_already_set();
  if (stream->release == nullptr) throw refused("the Arrow stream was read already");
  // Released here; the capsule sees that it was, and does not do it again.
  struct Release {
    ArrowArrayStream* stream;
    ~Release() {
      if (stream->release != nullptr) stream->release(stream);
    }
  } const release{stream};
  return read(*stream);
}

}  // namespace ifd::python
