import { printableLines } from '../../contract/printable.js'

/** Text that needs no escaping in the page; all other text is escaped. */
export class Markup {
  constructor(readonly text: string) {}
  toString(): string {
    return this.text
  }
}

type Piece = Markup | string | number | null | undefined | false | readonly Piece[]

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return printableLines(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}

function written(piece: Piece): string {
  if (piece === null || piece === undefined || piece === false) return ''
  if (piece instanceof Markup) return piece.text
  if (Array.isArray(piece)) return piece.map(written).join('')
  return escaped(String(piece))
}

/** Tagged template for HTML and SVG: values are escaped unless they are Markup. */
export function html(strings: TemplateStringsArray, ...values: readonly Piece[]): Markup {
  let text = strings[0] ?? ''
  values.forEach((value, index) => {
    text += written(value) + (strings[index + 1] ?? '')
  })
  return new Markup(text)
}

/** Joins pieces, one per line, so that a diff of two reports is readable. */
export function joinLines(pieces: readonly Piece[]): Markup {
  return new Markup(
    pieces
      .map(written)
      .filter((text) => text !== '')
      .join('\n'),
  )
}

/** A folded part of the page. @param printed - whether it is printed unfolded. */
export function folded(summary: string, body: Markup, printed?: 'printed'): Markup {
  return html`<details${new Markup(printed ? ' class="printed"' : '')}><summary>${summary}</summary>
${body}
</details>`
}

/** Folds a part if it is long. */
export const foldedIf = (many: boolean, summary: string, body: Markup) =>
  many ? folded(summary, body) : body
