import type { Renderers } from '../evaluation/evidence/folder.js'
import { renderHtml } from './html/page.js'
import { renderMarkdown } from './markdown/page.js'

/** How evidence folders show their result. */
export const RENDERERS: Renderers = { html: renderHtml, markdown: renderMarkdown }
