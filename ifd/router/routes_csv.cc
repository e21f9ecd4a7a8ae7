#include "ifd/router/routes_csv.h"

#include <fmt/format.h>

#include <cmath>

#include "ifd/data/csv.h"
#include "ifd/router/combination_document.h"

namespace ifd {

void write_routes_csv(const std::function<void(std::string_view)>& write, const Predictions& cases,
                      const Routes& routes, CsvText text, std::span<const SecondOpinion> advice) {
  std::string out = "case,decision,expert,prediction,margin";
  out += advice.empty() ? "\n" : ",advice,reader\n";
  for (std::size_t i = 0; i < routes.size(); ++i) {
    write(out);
    out.clear();
    const Route& route = routes[i];
    const bool deferred = route.decision() == Decision::kExpert;
    out += csv_field(cases.case_name(i), text);
    out += deferred ? ",expert," : ",model,";
    if (deferred) out += csv_field(routes.expert_name(route), text);
    out += ',';
    out += csv_field(cases.classes().name(routes.prediction(i)), text);
    out += ',';
    if (std::isfinite(route.margin)) out += fmt::format("{}", route.margin);
    if (!advice.empty()) {
      out += fmt::format(",{},", word_for(advice[i].advice));
      if (advice[i].reader) out += csv_field(routes.experts()[index(*advice[i].reader)], text);
    }
    out += '\n';
  }
  write(out);
}

}  // namespace ifd
