// Record as JSON: proto3's mapping, so that a Connect client of another make can read and write it.
#pragma once

#include <string>
#include <string_view>

#include "echo/record.h"

namespace rpcbench {

// Appends {"flag":..,"number":"..","real":..,"text":".."} to `out`. As proto3 has it, `number` is a
// string, and NaN and the infinities are the strings "NaN", "Infinity" and "-Infinity".
void AppendJson(const RecordView& record, std::string& out);

// Reads one such object; absent fields are zero, unknown ones are skipped, numbers may be strings
// and strings numbers as proto3 allows. False if `json` is anything else. Never throws. The text is
// owned by `record`.
bool ParseJson(std::string_view json, Record& record);

}  // namespace rpcbench
