import { readFileSync } from 'node:fs'
import { html, lines, Markup } from './markup.js'

/** A part of a page: the id of its heading, its name in the list of parts, its heading, and what is below. */
export type PagePart = readonly [id: string, name: string, heading: string, body: Markup]

interface HtmlPage {
  readonly title: string
  /** The program that made it, with its version. */
  readonly generator: string
  /** The digest of the result that it shows, where it shows one. */
  readonly result?: string
  /** The part that readers may skip to, and its name; with it there is a list of all parts. */
  readonly skip?: readonly [to: string, name: string]
  readonly header: Markup
  readonly parts: readonly PagePart[]
  readonly footer: Markup
}

/** A page that needs nothing else: its policy forbids all that is not in the page itself. */
export function htmlPage({ title, generator, result, skip, ...page }: HtmlPage): string {
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
${skip && html`<a class="skip" href="#${skip[0]}">Skip to ${skip[1]}</a>\n`}<div class="page">
<header>
${page.header}</header>
${skip && html`<nav aria-label="Parts of this report"><ul>${page.parts.map(([id, name]) => html`<li><a href="#${id}">${name}</a></li>`)}</ul></nav>\n`}<main>
${lines(
  page.parts.map(
    ([id, , heading, body]) => html`<section aria-labelledby="${id}">
<h2 id="${id}">${heading}</h2>
${body}
</section>`,
  ),
)}
</main>
<footer><p>${page.footer}</p></footer>
</div>
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
