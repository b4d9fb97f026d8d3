// Alibaba's openb cluster (2023), as published with clusterdata and the FGD simulator: one file of
// nodes, one of tasks ("pods").
//
//   sn,cpu_milli,memory_mib,gpu,model
//   openb-node-0000,64000,262144,2,P100
//
//   name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time
//   openb-pod-0001,6000,12288,1,460,,LS,Running,427061,12902960,427061
//
// cpu_milli is in thousandths of a CPU. gpu_milli is the share of the GPU a task gets and means
// something where num_gpu is 1; 1000 is a whole GPU. gpu_spec lists the GPU models that a task
// accepts, joined by |; empty is any. Times are seconds from the start of the log; a task runs from
// scheduled_time, where it has one, else from creation_time, until deletion_time. Columns are found
// by name; from gpu_spec on they may be missing, as in the published files multigpu*.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "formats/csv_log.hpp"
#include "model/node.hpp"

namespace weir {

class OpenbNodeReader {
 public:
  OpenbNodeReader();

  // As CsvLogReader.
  Status line(std::string_view text, std::size_t number);
  // The nodes in the order of the file, all in cell 0. REQUIRES: no call after it. Errors: no
  // header, no node.
  Result<std::vector<Node>> finish();

 private:
  CsvTable table_;
  std::vector<Node> nodes_;
};

class OpenbTaskReader : public CsvLogReader {
 public:
  explicit OpenbTaskReader(TraceFilter filter = {});

  Status line(std::string_view text, std::size_t number);
  // Whether the file says when tasks came and went; without, all come at 0 and take no time.
  [[nodiscard]] bool has_times() const;

 private:
  Status read_times(TraceJob& job) const;
};

}  // namespace weir
