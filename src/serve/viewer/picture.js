// picture.js - what is drawn on the page as a file: SVG, or PNG made of it by the browser.

import { h, svg } from "./page.js";

const measurer = document.createElement("canvas").getContext("2d");
const widths = new Map();
const family = () => getComputedStyle(document.body).fontFamily;
let known = "";
export function textWidth(text, weight, size) {
  const font = `${weight} ${size}px ${known ||= family()}`;
  const key = `${weight} ${size} ${text}`;
  let width = widths.get(key);
  if (width === undefined) {
    if (widths.size > 50_000) widths.clear();
    if (measurer.font !== font) measurer.font = font;
    widths.set(key, width = measurer.measureText(text).width);
  }
  return width;
}

// `text` in at most `most` pixels. Its middle is left out, as files of one kind differ at the ends;
// nothing is better than a few letters.
const LEAST_LETTERS = 8;
export function fitText(text, most, weight, size) {
  const wide = textWidth(text, weight, size);
  if (wide <= most) return text;
  const cut = (letters) => `${text.slice(0, Math.ceil(letters * 0.6))}…${text.slice(text.length - Math.floor(letters * 0.4))}`;
  for (let letters = Math.min(text.length - 1, Math.floor(text.length * most / wide)); letters >= LEAST_LETTERS; --letters) {
    if (textWidth(cut(letters), weight, size) <= most) return cut(letters);
  }
  return "";
}

export class CanvasPaper {
  constructor(canvas, width, height) {
    const ratio = devicePixelRatio || 1;
    Object.assign(this, { width, height, paper: canvas.getContext("2d") });
    if (canvas.width !== width * ratio || canvas.height !== height * ratio) Object.assign(canvas, { width: width * ratio, height: height * ratio });
    Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
    this.paper.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.paper.clearRect(0, 0, width, height);
    this.paper.textBaseline = "middle";
  }
  box(x, y, w, hgt, r, colour) {
    this.paper.fillStyle = colour;
    if (r < 1) { this.paper.fillRect(x, y, w, hgt); return; }
    this.paper.beginPath();
    this.paper.roundRect(x, y, w, hgt, r);
    this.paper.fill();
  }
  text(text, x, y, weight, size, colour) {
    this.paper.font = `${weight} ${size}px ${known ||= family()}`;
    this.paper.fillStyle = colour;
    this.paper.fillText(text, x, y);
  }
}

export class SvgPaper {
  constructor(width, height, ground) {
    Object.assign(this, { width, height });
    this.element = svg("svg", { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${width} ${height}`, "font-family": family() });
    this.box(0, 0, width, height, 0, ground);
  }
  box(x, y, width, height, rx, fill) { this.element.append(svg("rect", { x: x.toFixed(1), y: y.toFixed(1), width: width.toFixed(1), height: height.toFixed(1), rx: rx ? rx.toFixed(1) : undefined, fill })); }
  text(text, x, y, weight, size, fill) {
    this.element.append(svg("text", { x: x.toFixed(1), y: (y + size * 0.36).toFixed(1), "font-weight": weight, "font-size": size, fill }, text));
  }
}

// A drawing of the page with the styles that it has here.
const STYLES = ["fill", "stroke", "stroke-width", "stroke-linejoin", "opacity", "font"];
export function copyDrawing(picture, stage, { width, height }, ground) {
  const copy = svg("svg", { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${width} ${height}` }, svg("rect", { width, height, fill: ground }));
  for (const part of picture.children) copy.append(part.cloneNode(true));
  const from = [...picture.querySelectorAll("*")], to = [...copy.querySelectorAll("*")].slice(1);
  from.forEach((each, i) => {
    const style = getComputedStyle(each);
    for (const name of STYLES) to[i].style.setProperty(name, style.getPropertyValue(name));
    if (each === stage) to[i].removeAttribute("transform");
  });
  return copy;
}

function save(name, blob) {
  const address = URL.createObjectURL(blob);
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

// Saves `picture`, an SVG element, as NAME.svg or NAME.png, the latter at twice its size.
export async function savePicture(picture, name, kind) {
  const text = new XMLSerializer().serializeToString(picture);
  if (kind === "svg") { save(`${name}.svg`, new Blob([text], { type: "image/svg+xml" })); return; }
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = h("canvas", { width: picture.getAttribute("width") * 2, height: picture.getAttribute("height") * 2 });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  save(`${name}.png`, await new Promise((done) => canvas.toBlob(done, "image/png")));
}
