include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS ifd_core EXPORT ifd ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET ifd_cli)
  install(TARGETS ifd_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
if(TARGET ifd_train_program)
  install(TARGETS ifd_train_program RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/ifd)
endif()
install(DIRECTORY ifd/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ifd FILES_MATCHING PATTERN "*.h")
set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/ifd)
install(EXPORT ifd NAMESPACE ifd:: FILE ifd-targets.cmake DESTINATION ${package_directory})
configure_package_config_file(cmake/ifd-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/ifd-config.cmake
  INSTALL_DESTINATION ${package_directory})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/ifd-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/ifd-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/ifd-config-version.cmake DESTINATION ${package_directory})
