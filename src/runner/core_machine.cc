#include "runner/core_machine.h"

namespace plimsoll::runner {

client::EventToRecord FailedProcessingEvent(const api::Object& object, std::string_view component,
                                            std::string_view fault) {
  return {.regarding = client::ReferenceTo(object),
          .type = api::EventType::Warning,
          .reason = "FailedProcessing",
          .message = std::string(component) +
                     " set the object aside until it changes: " + std::string(fault),
          .component = std::string(component),
          .action = "Processing"};
}

}  // namespace plimsoll::runner
