/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// These functions run in the reader's browser: their source becomes the script of index.html, so
// each uses only the others of this folder.

/** Creates an HTML element with attributes and children; text is inserted as text, never as markup. */
export function el(
  name: string,
  attributes: Readonly<Record<string, string>> = {},
  ...children: (Node | string)[]
): HTMLElement {
  const node = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value)
  node.append(...children)
  return node
}

/** Creates an SVG element likewise. */
export function svg(
  name: string,
  attributes: Readonly<Record<string, string | number>> = {},
  ...children: (Node | string)[]
): SVGElement {
  const node = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value))
  node.append(...children)
  return node
}

/** An element that the page always has. */
export function byId(id: string): HTMLElement {
  return document.getElementById(id) as HTMLElement
}

export function fill(id: string, ...children: (Node | string)[]): void {
  byId(id).replaceChildren(...children)
}
