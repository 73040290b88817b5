import { html, type Markup } from '../markup.js'
import { at } from '../scale.js'
import { type ChartLayout, type Figure, figureCsv, WIDTH } from './figure.js'
import { legendList } from './legend.js'
import { figureSvg } from './standalone.js'

function drawing(figure: Figure, layout: ChartLayout): Markup {
  const { height, body } = figure.draw(layout)
  const id = `${figure.id}-${layout}`
  return html`<svg class="${layout}" role="img" aria-labelledby="${id}-t ${id}-d" viewBox="0 0 ${WIDTH[layout]} ${at(height)}" width="${WIDTH[layout]}" height="${at(height)}">
<title id="${id}-t">${figure.title}</title>
<desc id="${id}-d">${figure.description}</desc>
${body}
</svg>`
}

/** The figure with both drawings, its caption, and its files. */
export function figure(of: Figure): Markup {
  const legend = of.legend && !of.legendApart && legendList(of.legend)
  return html`<figure id="${of.id}">
<h3>${of.title}</h3>
${drawing(of, 'wide')}
${drawing(of, 'narrow')}
${(legend || of.caption) && html`<figcaption>${legend}${of.caption}</figcaption>`}
${downloads(of)}
</figure>`
}

/**
 * Links that hold the files themselves: the page needs no script and nothing else, and a reader who got
 * the page alone gets what it shows.
 */
function downloads(of: Figure): Markup {
  const link = (kind: string, type: string, text: string) =>
    html`<a download="${of.file}.${kind.toLowerCase()}" href="data:${type};base64,${Buffer.from(text).toString('base64')}">${kind}<span class="hidden"> of the chart: ${of.title}</span></a>`
  return html`<p class="downloads">Download: ${link('SVG', 'image/svg+xml', figureSvg(of))} ${link('CSV', 'text/csv;charset=utf-8', figureCsv(of))}</p>`
}
