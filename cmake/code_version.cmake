# cmake -DLIST=FILE -DROOT=FOLDER -DOUTPUT=FILE.cc -P: a function that tells one hash of the
# contents and relative names of the files in the list.
file(STRINGS ${LIST} files)
set(all "")
foreach(file IN LISTS files)
  file(SHA256 ${file} hash)
  file(RELATIVE_PATH name ${ROOT} ${file})
  string(APPEND all "${name} ${hash}\n")
endforeach()
string(SHA256 version "${all}")
string(SUBSTRING ${version} 0 16 version)
file(WRITE ${OUTPUT}
  "#include \"experiments/run/code_version.h\"\n"
  "namespace ifd::experiments {\n"
  "std::string code_version() { return \"${version}\"; }\n"
  "}\n")
