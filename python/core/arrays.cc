#include "python/core/arrays.h"

#include <fmt/format.h>

#include "ifd/error.h"

namespace ifd::python {
namespace {

bool lies_as_wanted(const py::array& array) {
  using Api = py::detail::npy_api;
  constexpr int kWanted = Api::NPY_ARRAY_C_CONTIGUOUS_ | Api::NPY_ARRAY_ALIGNED_;
  const py::dtype type = array.dtype();
  return array.ndim() == 2 && (array.flags() & kWanted) == kWanted && type.kind() == 'f' &&
         type.itemsize() == sizeof(float) && type.byteorder() == '=';
}

}  // namespace

std::shared_ptr<const void> keep(py::object object) {
  return {object.release().ptr(), [](const void* held) {
            // An interpreter that is gone has taken its objects along.
            if (Py_IsInitialized() == 0) return;
            const py::gil_scoped_acquire lock;
            Py_DECREF(static_cast<PyObject*>(const_cast<void*>(held)));
          }};
}

FloatRows float_rows(const py::object& source, const char* argument) {
  py::object array = source;
  if (!py::isinstance<py::array>(source) ||
      !lies_as_wanted(py::reinterpret_borrow<py::array>(source))) {
    array = py::module_::import("ifd._arrays").attr("float_rows")(source, argument);
  }
  const auto rows = py::reinterpret_borrow<py::array>(array);
  if (!lies_as_wanted(rows)) throw bad_input(fmt::format("{}: expected numbers, N x K", argument));
  const auto count = static_cast<std::size_t>(rows.size());
  return {{static_cast<const float*>(rows.data()), count},
          static_cast<std::size_t>(rows.shape(0)),
          static_cast<std::size_t>(rows.shape(1)),
          keep(std::move(array))};
}

py::array_t<double> double_rows(const py::object& source, const char* argument) {
  const py::object rows = py::module_::import("ifd._arrays").attr("double_rows")(source, argument);
  return py::array_t<double, py::array::c_style>::ensure(rows);
}

}  // namespace ifd::python
