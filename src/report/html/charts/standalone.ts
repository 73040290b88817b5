import { html } from '../markup.js'
import { at } from '../scale.js'
import { drawingStyle } from '../style.js'
import { type Figure, WIDTH } from './figure.js'
import { legendDrawing } from './legend.js'

const MARGIN = 16
const TITLE = 26

/** What XML may not hold, however it is written. */
const NO_XML = /[\ufffe\uffff]/g

/** The wide drawing with its title and legend as a file of its own: it needs no page, style or font. */
export function figureSvg(of: Figure): string {
  const drawing = of.draw('wide')
  const legend = legendDrawing(of.legend ?? [], WIDTH.wide)
  const width = WIDTH.wide + 2 * MARGIN
  const under = MARGIN + TITLE + drawing.height + 8
  const height = under + legend.height + MARGIN
  return html`<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="t d" viewBox="0 0 ${width} ${at(height)}" width="${width}" height="${at(height)}" font-family="sans-serif">
<title id="t">${of.title}</title>
<desc id="d">${of.description}</desc>
<style>${drawingStyle()}</style>
<rect width="100%" height="100%" fill="#fff"/>
<g transform="translate(${MARGIN} ${MARGIN})"><text class="strong" y="13">${of.title}</text></g>
<g transform="translate(${MARGIN} ${MARGIN + TITLE})">
${drawing.body}
</g>
<g transform="translate(${MARGIN} ${at(under)})">
${legend.body}
</g>
</svg>
`.text.replace(NO_XML, '\ufffd')
}
