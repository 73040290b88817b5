import { html, type Markup } from '../markup.js'
import { at } from '../scale.js'

/** Two drawings of one chart: the page shows the one that fits, so text never shrinks. */
export type ChartLayout = 'wide' | 'narrow'

/** Widths in user units, which are CSS pixels at full size. */
export const WIDTH = { wide: 840, narrow: 350 } as const satisfies Record<ChartLayout, number>

export interface Drawing {
  readonly height: number
  readonly body: Markup
}

export interface Figure {
  /** Unique on the page; letters, digits and hyphens. */
  readonly id: string
  readonly title: string
  /** What can be seen, in words, for those who cannot see it. */
  readonly description: string
  readonly draw: (layout: ChartLayout) => Drawing
  /** What the marks mean and how to read them; left out where the text around says it. */
  readonly caption?: Markup
}

function drawing(figure: Figure, layout: ChartLayout): Markup {
  const { height, body } = figure.draw(layout)
  const id = `${figure.id}-${layout}`
  return html`<svg class="${layout}" role="img" aria-labelledby="${id}-t ${id}-d" viewBox="0 0 ${WIDTH[layout]} ${at(height)}" width="${WIDTH[layout]}" height="${at(height)}">
<title id="${id}-t">${figure.title}</title>
<desc id="${id}-d">${figure.description}</desc>
${body}
</svg>`
}

/** The figure with both drawings and its caption. */
export function figure(of: Figure): Markup {
  return html`<figure id="${of.id}">
<h3>${of.title}</h3>
${drawing(of, 'wide')}
${drawing(of, 'narrow')}
${of.caption && html`<figcaption>${of.caption}</figcaption>`}
</figure>`
}

/** Shortens in the middle, for the ends of a name tell more than its heart. */
export function shortened(text: string, most: number): string {
  const characters = [...text]
  if (characters.length <= most) return text
  const head = Math.ceil((most - 1) / 2)
  return `${characters.slice(0, head).join('')}…${characters.slice(characters.length - (most - 1 - head)).join('')}`
}
