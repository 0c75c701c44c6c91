// SPDX-License-Identifier: Apache-2.0
#include "synth/treemap.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "synth/number_text.h"

namespace weft::synth {
namespace {

constexpr double picture_width = 960;
constexpr double picture_height = 600;
constexpr double title_height = 34;
constexpr double label_height = 18;
constexpr double gap = 3;
constexpr double character_width = 6.6;  ///< of the 11-pixel font
/// Light fills, so that the dark labels can be read; one a level.
constexpr std::array fills{"#eef2f7", "#cfe0f3", "#f6dfc0", "#cfe8d2", "#e6d5ec", "#f3d3d3"};

struct Box {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
};

struct Tile {
  const Share* share;
  double area;
  Box box;
};

/// The worst ratio of sides of tiles that share a strip of this length.
double worst_ratio(const std::vector<Tile>& tiles, std::size_t begin, std::size_t end,
                   double length) {
  double sum = 0;
  for (std::size_t i = begin; i < end; ++i) sum += tiles[i].area;
  const double thickness = sum / length;
  double worst = 1;
  for (std::size_t i = begin; i < end; ++i) {
    const double side = tiles[i].area / thickness;
    worst = std::max({worst, side / thickness, thickness / side});
  }
  return worst;
}

/// Squarified treemap (Bruls, Huizing and van Wijk, 2000): strips along the shorter side, each as
/// long as its tiles become squarer.
void lay_out(std::vector<Tile>& tiles, Box box) {
  for (std::size_t begin = 0; begin < tiles.size();) {
    const bool upright = box.width > box.height;
    const double length = upright ? box.height : box.width;
    std::size_t end = begin + 1;
    while (end < tiles.size() &&
           worst_ratio(tiles, begin, end + 1, length) <= worst_ratio(tiles, begin, end, length))
      ++end;
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += tiles[i].area;
    const double thickness = sum / length;
    double at = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const double side = tiles[i].area / thickness;
      tiles[i].box = upright ? Box{box.x, box.y + at, thickness, side}
                             : Box{box.x + at, box.y, side, thickness};
      at += side;
    }
    if (upright) {
      box.x += thickness;
      box.width -= thickness;
    } else {
      box.y += thickness;
      box.height -= thickness;
    }
    begin = end;
  }
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '<') {
      result += "&lt;";
    } else if (c == '&') {
      result += "&amp;";
    } else {
      result += c;
    }
  }
  return result;
}

std::string words_of(const Share& share) {
  std::string text = share.name;
  if (!share.module.empty() && share.module != share.name)
    text += fmt::format(" ({})", share.module);
  if (share.instances > 1) text += fmt::format(" x {}", share.instances);
  return text;
}

class Drawing {
 public:
  explicit Drawing(double total) : total_(total) {}

  void draw(const Share& share, const Box& box, std::size_t depth) {
    if (box.width < 1 || box.height < 1) return;
    const double percent = total_ > 0 ? 100 * share.area_um2 / total_ : 0;
    svg_ += fmt::format(
        "<g><title>{}: {} um2, {:.1f} %</title>"
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>",
        escaped(words_of(share)), area_text(share.area_um2), percent, box.x, box.y, box.width,
        box.height, fills.at(depth % fills.size()));
    const bool labelled = label(share, box, percent);
    svg_ += "</g>\n";
    Box inner{box.x + gap, box.y + gap, box.width - 2 * gap, box.height - 2 * gap};
    if (labelled) {
      inner.y += label_height;
      inner.height -= label_height;
    }
    if (share.children.empty() || inner.width < 2 || inner.height < 2) return;
    children(share, inner, depth);
  }

  [[nodiscard]] std::string take() { return std::move(svg_); }

 private:
  bool label(const Share& share, const Box& box, double percent) {
    const std::string suffix = fmt::format("  {:.1f} %", percent);
    const auto room = static_cast<std::size_t>(std::max(0.0, (box.width - 8) / character_width));
    if (box.height < label_height + 2 || room < 4) return false;
    std::string text = words_of(share);
    if (text.size() + suffix.size() > room) text = share.name;
    if (text.size() + suffix.size() <= room) text += suffix;
    if (text.size() > room) text = text.substr(0, room - 1) + "…";
    svg_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", box.x + 5, box.y + 14,
                        escaped(text));
    return true;
  }

  void children(const Share& share, const Box& box, std::size_t depth) {
    std::vector<Tile> tiles;
    double own = share.area_um2;
    for (const Share& child : share.children) {
      own -= child.area_um2;
      tiles.push_back({&child, child.area_um2, {}});
    }
    const Share rest{"own logic", "", 1, std::max(0.0, own), false, {}};
    tiles.push_back({&rest, rest.area_um2, {}});
    std::erase_if(tiles, [&](const Tile& tile) { return tile.area <= share.area_um2 * 1e-5; });
    std::ranges::stable_sort(tiles, std::greater<>(), &Tile::area);
    double sum = 0;
    for (const Tile& tile : tiles) sum += tile.area;
    for (Tile& tile : tiles) tile.area *= box.width * box.height / sum;
    lay_out(tiles, box);
    for (const Tile& tile : tiles) draw(*tile.share, tile.box, depth + 1);
  }

  double total_;
  std::string svg_;
};

}  // namespace

std::string treemap_svg(const Composition& composition) {
  const Result& result = composition.result;
  Drawing drawing(result.area_um2);
  drawing.draw(composition.tree, {0, title_height, picture_width, picture_height - title_height},
               0);
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
             "width=\"{0:.0f}\" height=\"{1:.0f}\">\n"
             "<style>rect{{stroke:#445;stroke-width:0.7}}text{{font:11px sans-serif;fill:#112}}"
             ".title{{font:15px sans-serif}}</style>\n"
             "<rect width=\"{0:.0f}\" height=\"{1:.0f}\" fill=\"#fff\" stroke=\"none\"/>\n"
             "<text class=\"title\" x=\"6\" y=\"22\">{2} on {3}: {4} um2</text>\n",
             picture_width, picture_height, escaped(result.top), escaped(result.target),
             area_text(result.area_um2)) +
         drawing.take() + "</svg>\n";
}

}  // namespace weft::synth
