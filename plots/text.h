// Text for a page: cut, wrapped, and quoted for gnuplot. UTF-8 in, UTF-8 out.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace rpcbench {

// In single quotes, as gnuplot reads it: no escapes, quotes doubled. Control characters become
// blanks, and bytes that are not UTF-8 question marks: an SVG may hold neither.
std::string Quote(const std::string& text);

// How many characters the text has.
std::size_t Columns(const std::string& text);

// At most `columns` characters, cut at a blank where there is one in the last third, with "..." at
// the end.
std::string Shorten(const std::string& text, std::size_t columns);

// Lines of at most `columns` characters, broken at blanks; a longer word has a line of its own.
std::vector<std::string> Wrap(const std::string& text, std::size_t columns);

}  // namespace rpcbench
