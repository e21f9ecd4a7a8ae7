// ifd::Error as the exceptions of ifd/_errors.py, with its one line unchanged.
#include "ifd/error.h"

#include <cstring>

#include "python/core/bindings.h"

namespace ifd::python {
namespace {

const char* exception_for(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kNotFound:
      return "NotFound";
    case ErrorKind::kConflict:
      return "Conflict";
    case ErrorKind::kCorruptFile:
      return "CorruptFile";
    case ErrorKind::kStorage:
    case ErrorKind::kLostPeer:
      return "StorageError";
    case ErrorKind::kCancelled:
      return "Cancelled";
    case ErrorKind::kBadInput:
    case ErrorKind::kUsage:
      break;
  }
  return "BadInput";
}

}  // namespace

void bind_errors(py::module_&) {
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error& error) {
      const py::object type = py::module_::import("ifd._errors").attr(exception_for(error.kind()));
      // Text that is not UTF-8 can only have come from a file; it is shown, never trusted.
      const py::object text = py::reinterpret_steal<py::object>(PyUnicode_DecodeUTF8(
          error.what(), static_cast<Py_ssize_t>(std::strlen(error.what())), "backslashreplace"));
      PyErr_SetObject(type.ptr(), text.ptr());
    }
  });
}

}  // namespace ifd::python
