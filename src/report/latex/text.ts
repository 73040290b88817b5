import { printable } from '../../contract/printable.js'

/** What LaTeX takes for a command, and signs that not every font of its has. */
const SIGNS: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '{': '\\{',
  '}': '\\}',
  $: '\\$',
  '&': '\\&',
  '#': '\\#',
  '%': '\\%',
  _: '\\_',
  '^': '\\textasciicircum{}',
  '~': '\\textasciitilde{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '|': '\\textbar{}',
  '"': '\\textquotedbl{}',
  // After the end of a row LaTeX would take brackets for a length, and a star for its own.
  '[': '{[}',
  '*': '{*}',
  '−': '$-$',
  '–': '--',
  '×': '$\\times$',
  '…': '\\ldots{}',
  '’': "'",
  '\u202f': '\\,',
  '\u00a0': '~',
}
const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** Any text as LaTeX that stands for itself. */
export function latexText(text: string): string {
  return printable(text)
    .replace(/["\\{}$&#%_^~<>|[*−–×…’\u202f\u00a0]/g, (sign) => SIGNS[sign] ?? sign)
    .replace(/(⁻?)([⁰¹²³⁴⁵⁶⁷⁸⁹]+)/g, (_, minus, digits) => {
      const plain = [...digits].map((digit) => RAISED.indexOf(digit)).join('')
      return `$^{${minus === '' ? '' : '-'}${plain}}$`
    })
}
