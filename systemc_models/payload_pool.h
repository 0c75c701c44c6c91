// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm.h>

#include <memory>
#include <vector>

namespace weft::models {

/// A memory manager for generic payloads, as nb_transport needs it: payloads come back when the
/// last component has released them, and are used again. It must outlive them.
class PayloadPool : public tlm::tlm_mm_interface {
 public:
  /// A payload that the caller holds one reference to; release() it when done. Its extensions are
  /// those that the caller set automatically (set_auto_extension); they are freed with it.
  tlm::tlm_generic_payload& allocate() {
    if (free_.empty()) {
      payloads_.push_back(std::make_unique<tlm::tlm_generic_payload>(this));
      free_.push_back(payloads_.back().get());
    }
    tlm::tlm_generic_payload& payload = *free_.back();
    free_.pop_back();
    payload.acquire();
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    payload.set_dmi_allowed(false);
    payload.set_byte_enable_ptr(nullptr);
    return payload;
  }

  void free(tlm::tlm_generic_payload* payload) override {
    payload->reset();
    free_.push_back(payload);
  }

 private:
  std::vector<std::unique_ptr<tlm::tlm_generic_payload>> payloads_;
  std::vector<tlm::tlm_generic_payload*> free_;
};

}  // namespace weft::models
