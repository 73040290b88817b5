import { readFileSync } from 'node:fs'
import { html, joinLines, Markup } from './markup.js'

/** A part of a page: the id of its heading, its name in the list of parts, its heading, and its content. */
export type PagePart = readonly [id: string, name: string, heading: string, body: Markup]

interface HtmlPage {
  readonly title: string
  /** The program that made the page, with its version. */
  readonly generator: string
  /** The digest of the result that it shows, if any. */
  readonly result?: string
  /** The target of a skip link, and its text; with it the page has a list of all parts. */
  readonly skip?: readonly [to: string, name: string]
  readonly header: Markup
  readonly parts: readonly PagePart[]
  readonly footer: Markup
}

/** A self-contained page: its policy forbids everything that is not in the page itself. */
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
${joinLines(
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
 * The style of a separate drawing: white background and literal colours, because few programs except browsers support
 * variables.
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
