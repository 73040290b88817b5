import { readFileSync } from 'node:fs'
import { Markup } from './markup.js'

/** The style of a page, drawings included. */
export function pageStyle(): Markup {
  return new Markup(css('style.css') + css('chart.css'))
}

/**
 * The style of a drawing that stands alone: on white, and every colour spelled out, for few programs but
 * browsers know variables.
 */
export function drawingStyle(): Markup {
  const [light = ''] = /:root\{[^}]*\}/.exec(css('style.css')) ?? []
  const colours = new Map(
    [...light.matchAll(/(--[\w-]+):([^;}]+)/g)].map(([, name, value]) => [name, value]),
  )
  return new Markup(
    css('chart.css').replace(/var\((--[\w-]+)\)/g, (_, name) => colours.get(name) ?? 'black'),
  )
}

const css = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
