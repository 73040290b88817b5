const MARK = /["{}]/g

/** Where the object that begins at `start` of a well-formed JSON text ends, exclusively. */
export function findObjectEnd(text: string, start: number): number {
  let depth = 0
  MARK.lastIndex = start
  for (let mark = MARK.exec(text); mark !== null; mark = MARK.exec(text)) {
    if (mark[0] === '"') MARK.lastIndex = stringEnd(text, mark.index)
    else if (mark[0] === '{') depth++
    else if (--depth === 0) return mark.index + 1
  }
  return text.length
}

/** After the closing quote of the string that begins at `start`. */
function stringEnd(text: string, start: number): number {
  let at = text.indexOf('"', start + 1)
  while (at !== -1 && isEscaped(text, at)) at = text.indexOf('"', at + 1)
  return at === -1 ? text.length : at + 1
}

function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0
  while (text[quote - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}
