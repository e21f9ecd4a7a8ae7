// What a certificate of a router holds for.
#pragma once

#include "ifd/certificate/certificate.h"
#include "ifd/policy/policy_catalogue.h"
#include "ifd/router.h"
#include "ifd/router/roster_snapshot.h"

namespace ifd {

// The same for any order of experts and classes: neither changes a route.
DecisionScope decision_scope(const RosterSnapshot& roster, const ClassNames& classes,
                             const PolicySource& source, const RouterOptions& options);

}  // namespace ifd
