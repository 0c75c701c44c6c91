// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace weft::synth {

/// A Liberty file.
struct LibraryFile {
  std::string path;
  std::string text;  ///< decompressed
};

/// Reads a Liberty file, compressed with gzip or not. Throws UserError if it cannot be read, is a
/// directory, empty, or a damaged gzip file.
LibraryFile read_library_file(const std::filesystem::path& path);

/// One library out of several files, as text.
struct MergedLibrary {
  std::string text;
  std::vector<std::string> notes;  ///< what the user should know of the merge
};

/// Puts the cells of all files into one library; with a single file its text is unchanged.
///
/// The first file gives the attributes of the whole library. The others must measure in the same
/// units and at the same thresholds. A table template that two files declare differently gets a new
/// name with the cells of the later file. Throws UserError if units or thresholds differ, or a cell
/// is in two files.
MergedLibrary merge_libraries(const std::vector<LibraryFile>& files);

}  // namespace weft::synth
