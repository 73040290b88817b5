/** Text that is safe as it stands inside the page; everything else is escaped. */
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

// Control characters have no place in HTML or SVG and would show as nothing: a name from a
// database may hold them, so each is shown as the sign that stands for it.
function visible(character: string): string {
  const code = character.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? '\u2421' : '\ufffd'
}

function escaped(text: string): string {
  return (
    text
      .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, visible)
  )
}

function written(piece: Piece): string {
  if (piece === null || piece === undefined || piece === false) return ''
  if (piece instanceof Markup) return piece.text
  if (Array.isArray(piece)) return piece.map(written).join('')
  return escaped(String(piece))
}

/** Tagged template for HTML and SVG: every value put in is escaped unless it is Markup itself. */
export function html(strings: TemplateStringsArray, ...values: readonly Piece[]): Markup {
  let text = strings[0] ?? ''
  values.forEach((value, index) => {
    text += written(value) + (strings[index + 1] ?? '')
  })
  return new Markup(text)
}

/** Joins pieces, each on a line of its own, so that a diff of two reports can be read. */
export function lines(pieces: readonly Piece[]): Markup {
  return new Markup(
    pieces
      .map(written)
      .filter((text) => text !== '')
      .join('\n'),
  )
}
