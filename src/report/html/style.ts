import { Markup } from './markup.js'

const LIGHT = `--bg:#f7f7f4;--paper:#fff;--ink:#1b1f24;--muted:#565d67;--line:#d8dade;--grid:#e6e7ea;--edge:#0003;--accent:#1d5bb8;--other:#69717c;--good:#0a7350;--bad:#b3261e;--warn:#7a5200;--warn-bg:#fff4d9;--good-bg:#e3f4ec;--bad-bg:#fdeae8;--open-bg:#eceef1;--s-scored:#2a7f8e;--s-failed:#c0342b;--s-abstained:#d9922b;--s-missing:#9aa1ab;--s-ineligible:#7b5bb5;color-scheme:light`
const DARK = `--bg:#121518;--paper:#1a1e23;--ink:#e9ebee;--muted:#a9b1bb;--line:#363d46;--grid:#2a3038;--edge:#fff3;--accent:#86b4ff;--other:#a1a9b4;--good:#5fd39f;--bad:#ff8d83;--warn:#edc05d;--warn-bg:#33290f;--good-bg:#12301f;--bad-bg:#3a1815;--open-bg:#262c33;--s-scored:#4fb0c0;--s-failed:#f0675d;--s-abstained:#e8ab4f;--s-missing:#7d8692;--s-ineligible:#a98be0;color-scheme:dark`

/** The style of the page: light, dark, narrow, and on paper. Everything hangs on a few colours. */
export const STYLE = new Markup(`
:root{${LIGHT}}
@media screen and (prefers-color-scheme:dark){:root{${DARK}}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--bg);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
.page{max-width:56rem;margin:0 auto;padding:2rem 1.25rem 4rem}
h1{font-size:2rem;line-height:1.2;margin:.1em 0 .4em;overflow-wrap:anywhere}
h2{font-size:1.35rem;margin:0 0 .6em}
h3{font-size:1.05rem;margin:0 0 .5em;overflow-wrap:anywhere}
p{margin:0 0 .9em}
a{color:var(--accent)}
code{font:.85em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
.skip{position:absolute;left:-999rem}
.skip:focus{left:1rem;top:1rem;background:var(--paper);padding:.5rem 1rem;z-index:1}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.muted{color:var(--muted)}
.small{font-size:.875rem;color:var(--muted)}
.eyebrow{margin:0;font-size:.875rem;font-weight:600;color:var(--muted)}
.under{color:var(--muted);max-width:44rem;overflow-wrap:anywhere}
.banner{background:var(--warn-bg);border-left:4px solid var(--warn);padding:.7rem 1rem;margin:0 0 .6rem}
.banner b{color:var(--warn)}
nav{margin:1.4rem 0 1.6rem;border-block:1px solid var(--line)}
nav ul{display:flex;flex-wrap:wrap;gap:.1rem 1.1rem;list-style:none;margin:0;padding:.5rem 0}
nav a{display:inline-block;padding:.15rem 0;text-decoration:none}
nav a:hover{text-decoration:underline}
section{margin:0 0 3rem}
.card{background:var(--paper);border:1px solid var(--line);border-left:6px solid var(--other);border-radius:6px;padding:1.1rem 1.25rem .9rem;margin:0 0 1.1rem}
.card h3{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:center;gap:.4rem 1rem;font-size:1.2rem}
.chip{font-size:.9rem;padding:.2rem .75rem;border-radius:999px;background:var(--open-bg);color:var(--ink)}
.card.eligible_for_human_review{border-left-color:var(--good)}
.card.eligible_for_human_review .chip{background:var(--good-bg);color:var(--good)}
.card.negative{border-left-color:var(--bad)}
.card.negative .chip{background:var(--bad-bg);color:var(--bad)}
.card.blocked{border-left-color:var(--warn)}
.card.blocked .chip{background:var(--warn-bg);color:var(--warn)}
.lead{font-size:1.05rem}
.reasons{margin:0 0 .8em;padding-left:1.2rem}
.reasons li{margin:.2em 0;overflow-wrap:anywhere}
.answer{white-space:nowrap}
.sign{display:inline-block;width:1.1em;font-weight:700}
.met .sign{color:var(--good)}
.not_met .sign{color:var(--bad)}
.unknown .sign{color:var(--warn)}
.controls{list-style:none;padding:0}
.scroll{--under:var(--bg);position:relative;overflow-x:auto;margin:0 0 1rem;background:linear-gradient(90deg,var(--under) 1.5rem,transparent) 0 0/3rem 100% no-repeat local,linear-gradient(270deg,var(--under) 1.5rem,transparent) 100% 0/3rem 100% no-repeat local,linear-gradient(90deg,var(--edge),transparent) 0 0/.75rem 100% no-repeat scroll,linear-gradient(270deg,var(--edge),transparent) 100% 0/.75rem 100% no-repeat scroll}
.card .scroll{--under:var(--paper)}
.scroll:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
table{border-collapse:collapse;width:100%;font-size:.875rem;font-variant-numeric:tabular-nums}
caption{text-align:left;font-weight:600;padding:.3rem 0 .4rem}
th,td{padding:.32rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}
thead th{vertical-align:bottom;color:var(--muted);font-weight:600;border-bottom:2px solid var(--line)}
tbody th{font-weight:500}
th:first-child,td:first-child{padding-left:0}
.whole{white-space:nowrap}
.compact{font-size:.8125rem}
.compact th,.compact td{padding:.28rem .3rem}
.card :is(th,td):not(:first-child){padding-inline:.4rem}
.compact th:first-child{padding-left:0;min-width:11rem}
.l{text-align:left}
.r{text-align:right;white-space:nowrap}
details{margin:0 0 .8rem;border-top:1px solid var(--line)}
summary{cursor:pointer;padding:.5rem 0;color:var(--accent);font-weight:500}
.card details{border:0}
figure{margin:0 0 1.4rem;background:var(--paper);border:1px solid var(--line);border-radius:6px;padding:1rem 1.1rem .6rem}
figure>svg{display:block;width:100%;height:auto}
figcaption{font-size:.875rem;color:var(--muted);margin-top:.6rem}
.legend{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;list-style:none;margin:0 0 .5rem;padding:0;color:var(--ink)}
.key{background:var(--paper);border:1px solid var(--line);border-radius:6px;padding:.7rem 1.1rem;font-size:.875rem;margin:0 0 1.1rem}
.key p{margin:0}
.legend svg{vertical-align:-2px}
svg.narrow{display:none}
svg text{font:13px system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;fill:var(--ink);font-variant-numeric:tabular-nums}
svg text{paint-order:stroke;stroke:var(--paper);stroke-width:3px;stroke-linejoin:round}
svg.narrow text{stroke-width:7px}
svg .cell,svg .column,svg .end{text-anchor:end}
svg .column,svg .tick,svg .axis,svg .mark,svg .absent{fill:var(--muted);font-size:12px}
svg .tick,svg .axis,svg .mark{text-anchor:middle}
svg .mark.end{text-anchor:end}
svg .heading,svg .strong{font-weight:600}
svg .grid{stroke:var(--grid)}
svg .reference{stroke:var(--ink);stroke-width:1.25}
svg .limit{stroke:var(--warn);stroke-dasharray:5 4}
svg .thick{stroke-width:4;stroke-linecap:butt}
svg .thin{stroke-width:1.5}
svg .zero{stroke:var(--muted)}
.candidate .thick,.candidate .thin{stroke:var(--accent)}
.comparator .thick,.comparator .thin,.open .thick,.open .thin{stroke:var(--other)}
.good .thick,.good .thin{stroke:var(--good)}
.bad .thick,.bad .thin{stroke:var(--bad)}
.point{stroke-width:1.5;stroke:var(--paper)}
.candidate .point{fill:var(--accent)}
.comparator .point{fill:var(--other)}
.good .point{fill:var(--good)}
.bad .point{fill:var(--bad)}
.open .point{fill:var(--paper);stroke:var(--other);stroke-width:2}
.spark .point{stroke-width:1}
.threshold{fill:none;stroke:var(--ink);stroke-width:1.5}
.dots{fill:var(--other)}
.decides{stroke:var(--accent);stroke-width:1.75;fill:var(--paper)}
.decides.rejected{fill:var(--accent)}
.s-scored{fill:var(--s-scored)}
.s-failed{fill:var(--s-failed)}
.s-abstained{fill:var(--s-abstained)}
.s-missing{fill:var(--s-missing)}
.s-ineligible{fill:var(--s-ineligible)}
.chain{padding-left:1.4rem}
.chain li{margin:0 0 .55rem}
.chain code{display:block}
footer{border-top:1px solid var(--line);padding-top:1rem;font-size:.875rem;color:var(--muted)}
@media (max-width:47rem){
.page{padding:1.2rem .9rem 3rem}
h1{font-size:1.6rem}
figure{padding:.8rem .7rem .4rem}
svg.wide{display:none}
svg.narrow{display:block;max-width:30rem;margin:0 auto}
.card{padding:.9rem .9rem .6rem}
.scroll table{min-width:34rem}
}
@page{margin:14mm}
@media print{
body{background:#fff;font-size:10.5pt}
.page{max-width:none;padding:0}
nav,.skip{display:none}
a{color:inherit}
svg.narrow{display:none}
svg.wide{display:block}
figure>svg{width:80%;margin:0 auto}
.scroll{overflow:visible;background:none}
figure,.banner,.key,.chain li,.reasons li,tr{break-inside:avoid}
h2,h3,caption{break-after:avoid}
section{margin-bottom:1.6rem}
table{font-size:8.5pt}
details:not([open]){display:none}
.card details{display:block}
.card details::details-content{content-visibility:visible}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}
}
`)
