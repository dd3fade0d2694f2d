// tiles.js - a tree of folders and files as tiles: where each is, and how they are drawn.
//
// Where they are is worked out once; zooming only draws again. The paper is a canvas, or a picture
// that is saved (picture.js).

import { hierarchy, treemap, treemapSquarify } from "d3-hierarchy";
import { fitText, textWidth } from "./picture.js";
import { plural } from "./page.js";

export const mix = (a, b, share) => a.map((each, i) => Math.round(each + (b[i] - each) * share));
const luminance = (colour) => colour.map((each) => each / 255).map((each) => each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4)
  .reduce((sum, each, i) => sum + each * [0.2126, 0.7152, 0.0722][i], 0);
const rgb = (colour) => `rgb(${colour.join(" ")})`;

// The tiles of `root` in a box of this size, a folder before what is in it.
export function layTiles(root, width, height) {
  const tree = hierarchy(root).sum((each) => each.children ? 0 : Math.max(1, each.size)).sort((a, b) => b.value - a.value);
  const inset = (node) => node.depth === 0 ? 0 : 2;
  const hasHead = (node) => node.depth > 0 && node.x1 - node.x0 > 56 && node.y1 - node.y0 > 44;
  treemap().size([width, height]).tile(treemapSquarify.ratio(1.2)).round(true)
    .paddingInner((node) => node.depth < 2 ? 3 : 1).paddingTop((node) => hasHead(node) ? 19 : inset(node))
    .paddingLeft(inset).paddingRight(inset).paddingBottom(inset)(tree);
  for (const tile of tree.descendants()) tile.hasHead = hasHead(tile);
  return tree;
}

// Draws them as `view` {x, y, scale} has them; colourOf(data) is a colour, pinsOf(data) a number.
export function drawTiles(paper, tiles, view, { colours, colourOf, pinsOf }) {
  const pins = [];
  const name = (text, x, y, most, weight, size, colour) => {
    const shown = fitText(text, most, weight, size);
    if (shown) paper.text(shown, x, y, weight, size, colour);
    return shown;
  };
  for (const tile of tiles) {
    const { data } = tile;
    const x = tile.x0 * view.scale + view.x, y = tile.y0 * view.scale + view.y;
    const w = (tile.x1 - tile.x0) * view.scale, hgt = (tile.y1 - tile.y0) * view.scale;
    if (w < 1 || hgt < 1 || x > paper.width || y > paper.height || x + w < 0 || y + hgt < 0) continue;
    // What is drawn of a tile that goes beyond the edge has its name in sight.
    const left = Math.max(x, 0), top = Math.max(y, 0), room = Math.min(x + w, paper.width) - left;
    if (tile.children) {
      paper.box(x, y, w, hgt, tile.depth === 1 ? 5 : 3, colours.folder);
      if (tile.hasHead) name(data.name, left + 6, y + 10.5 * view.scale, room - 12, tile.depth === 1 ? 600 : 500, 11, colours.text);
      continue;
    }
    const colour = colourOf(data);
    paper.box(x, y, w, hgt, Math.min(3, w / 4, hgt / 4), rgb(colour));
    const pinned = pinsOf?.(data);
    if (pinned) pins.push([w > 40 ? x + w - 13 : x + w / 2, hgt > 40 ? y + hgt - 13 : y + hgt / 2, pinned]);
    if (w < 34 || hgt < 15) continue;
    const ink = luminance(colour) > 0.19 ? "rgb(18 20 26)" : "rgb(255 255 255)";
    const space = room - (pinned && hgt < 44 ? 34 : 9);
    const shown = name(data.kind === "folder" ? `${data.name}/` : data.name, left + 5, hgt > 32 ? top + 11 : y + hgt / 2 + 0.5, space, 500, 11, ink);
    const note = data.kind === "folder" ? plural(data.files, "file") : plural(data.lines, "line");
    if (shown && hgt > 44 && textWidth(note, 400, 10) < room - 9) paper.text(note, left + 5, top + 26, 400, 10, ink);
  }
  for (const [x, y, { count, colour }] of pins) {
    paper.box(x - 10, y - 10, 20, 20, 10, colours.paper);
    paper.box(x - 8.5, y - 8.5, 17, 17, 8.5, rgb(colour));
    paper.text(String(count), x - (count > 9 ? 6 : 3), y + 0.5, 600, 10, luminance(colour) > 0.19 ? "rgb(18 20 26)" : "rgb(255 255 255)");
  }
}
