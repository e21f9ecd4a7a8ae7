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
# The Python package, in a folder that pip and Debian's tools name.
set(IFD_PYTHON_DIRECTORY lib/python3/dist-packages CACHE STRING
  "Where the Python package is installed: a folder, or one below the prefix")
if(TARGET ifd_python_core)
  install(TARGETS ifd_python_core LIBRARY DESTINATION ${IFD_PYTHON_DIRECTORY}/ifd COMPONENT python)
  install(DIRECTORY python/ifd/ DESTINATION ${IFD_PYTHON_DIRECTORY}/ifd COMPONENT python
    FILES_MATCHING PATTERN *.py PATTERN *.pyi PATTERN py.typed PATTERN __pycache__ EXCLUDE)
endif()
# What users include: the router, values, readers, errors. Nothing else is promised or installed.
set(public_headers router.h checked_place.h error.h ids.h long_work.h
  certificate/calendar_date.h certificate/certificate.h
  data/answer_count.h data/answer_table.h data/answers_file.h data/answers_format.h data/case_expert_array.h data/class_names.h data/csv_text.h
  data/expert_context.h data/groups_file.h data/npy.h data/npz.h data/predictions.h
  data/label_kind.h data/predictions_file.h data/read_limits.h data/read_options.h
  decision/answer_use.h decision/cost_unit.h decision/costs.h decision/costs_file.h decision/shared_errors.h
  evaluation/budget_curve.h evaluation/credit.h evaluation/curve_estimates.h evaluation/evaluation.h
  evaluation/operating_point.h evaluation/promise.h evaluation/verdict.h
  network/precision.h
  policy/availability.h policy/calibration.h policy/calibration_in_use.h policy/deferral_policy.h policy/policy_file.h
  profile/beta_posterior.h profile/expert_profile.h profile/prior.h profile/prior_alone.h profile/prior_table.h
  rejector/margin_scale.h
  role/role_state.h role/tie_rule.h
  router/capacities_file.h router/case_story.h router/certify.h router/combination.h router/deferral_rule.h router/roster_state.h router/routes.h
  routing/budget.h routing/margin_table.h
  watch/finding.h watch/kept_watch.h watch/watch.h)
foreach(header ${public_headers})
  cmake_path(GET header PARENT_PATH folder)
  install(FILES ifd/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ifd/${folder})
endforeach()
set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/ifd)
install(EXPORT ifd NAMESPACE ifd:: FILE ifd-targets.cmake DESTINATION ${package_directory})
configure_package_config_file(cmake/ifd-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/ifd-config.cmake
  INSTALL_DESTINATION ${package_directory})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/ifd-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/ifd-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/ifd-config-version.cmake DESTINATION ${package_directory})
