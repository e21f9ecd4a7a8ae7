// Where the public data sets are kept.
#pragma once

#include <filesystem>

namespace ifd {

// $IFD_DATA; else $XDG_DATA_HOME/ifd; else ~/.local/share/ifd; "ifd-data" where nobody is at home.
std::filesystem::path data_directory();

}  // namespace ifd
