import { readFileSync } from 'node:fs'
import { html, Markup } from './markup.js'

export interface HtmlDocument {
  readonly title: string
  /** The program that made it, with its version. */
  readonly generator: string
  /** The digest of the result that it shows, where it shows one. */
  readonly result?: string
  readonly body: Markup
}

/** What is around the body of every page; its policy forbids all that is not in the page itself. */
export function htmlDocument({ title, generator, result, body }: HtmlDocument): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="${generator}">
${result !== undefined && html`<meta name="foreproof-result" content="${result}">\n`}<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${new Markup(css('style.css') + css('chart.css'))}</style>
</head>
<body>
${body}
</body>
</html>
`.text
}

/**
 * The style of a drawing by itself: on white, and every colour spelled out, for few programs but
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
