include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS ifd_core EXPORT ifd ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET ifd_cli)
  install(TARGETS ifd_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  # The manual and the completions come from the command itself.
  set(manual ${CMAKE_CURRENT_BINARY_DIR}/manual)
  add_custom_command(TARGET ifd_cli POST_BUILD
    COMMAND ${CMAKE_COMMAND} -E make_directory ${manual}
    COMMAND ifd_cli man > ${manual}/ifd.1
    COMMAND ifd_cli completion bash > ${manual}/ifd.bash
    COMMAND ifd_cli completion zsh > ${manual}/_ifd
    COMMAND ifd_cli completion fish > ${manual}/ifd.fish)
  install(FILES ${manual}/ifd.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${manual}/ifd.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
    RENAME ifd)
  install(FILES ${manual}/_ifd DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${manual}/ifd.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
foreach(program ifd_train_program ifd_reproduce_program)
  if(TARGET ${program})
    install(TARGETS ${program} RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/ifd)
  endif()
endforeach()
install(DIRECTORY ifd/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ifd FILES_MATCHING PATTERN "*.h")
set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/ifd)
install(EXPORT ifd NAMESPACE ifd:: FILE ifd-targets.cmake DESTINATION ${package_directory})
configure_package_config_file(cmake/ifd-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/ifd-config.cmake
  INSTALL_DESTINATION ${package_directory})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/ifd-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/ifd-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/ifd-config-version.cmake DESTINATION ${package_directory})
