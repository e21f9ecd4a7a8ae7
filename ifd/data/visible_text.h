// Text from outside made safe to show: the one place that decides what may reach a terminal.
//
// A name in a file may hold bytes that move the cursor, set the title of the window, begin a line
// of its own, or turn the reading order around so that a line reads as another one. None of that
// belongs into a table or a message, yet people should see that it is there.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ifd {

// The text on one line, in characters that show themselves. Control characters (C0, DEL, C1), line
// and paragraph separators, bidirectional marks, embeddings, overrides and isolates, characters
// without width and tags are written as "\x1b" (ASCII) or "\u202e" (all others), bytes that are not
// UTF-8 as "\xff". A backslash stays as it is, so visible text stays the same when made visible
// again; it is for reading, and nothing takes it apart.
std::string visible_text(std::string_view text);

// CSV with its names made visible: only the line feeds that end rows stay, those within quotes are
// of a name.
std::string visible_csv(std::string_view csv);

// JSON in which such characters are escaped: the same values for whoever reads it.
std::string escaped_json(std::string json);

// Appends the first character of a text that is not empty in that way; returns how many bytes of
// `text` it took.
std::size_t append_visible(std::string& out, std::string_view text);

}  // namespace ifd
