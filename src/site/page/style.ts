const LIGHT = {
  paper: '#faf9f6',
  panel: '#ffffff',
  ink: '#1c2127',
  muted: '#59626d',
  line: '#e4e1d9',
  accent: '#0b6269',
  fresh: '#1d6b3c',
  stale: '#9a4a06',
  unknown: '#59626d',
}

const DARK = {
  paper: '#13171b',
  panel: '#1a1f24',
  ink: '#e9e7e2',
  muted: '#a3abb5',
  line: '#2c333a',
  accent: '#6fcbd1',
  fresh: '#8fd3a6',
  stale: '#f2b36b',
  unknown: '#a3abb5',
}

/** One colour per model, told apart from the paper by at least 4.5 to 1 in either theme. */
const LIGHT_MODELS = [
  '#0a6c74', '#a8480a', '#5b4bb5', '#a3195b', '#3d6b1f', '#2a5caa', '#7a5c00', '#6b4a3a',
] // biome-ignore format: a palette
const DARK_MODELS = [
  '#5cc8ce', '#f2a65e', '#b3a8f7', '#f28cb8', '#9ccc65', '#8ab8ff', '#e3c04d', '#d0ab9a',
] // biome-ignore format: a palette

function variables(colours: Readonly<Record<string, string>>, models: readonly string[]): string {
  const named = Object.entries(colours).map(([name, value]) => `--${name}:${value}`)
  return [...named, ...models.map((value, index) => `--model-${index}:${value}`)].join(';')
}

const MODELS = LIGHT_MODELS.map((_colour, index) => `.model-${index}{--c:var(--model-${index})}`)

/** The style sheet of the page; everything it needs is in it. */
export const STYLE = `
:root{color-scheme:light;${variables(LIGHT, LIGHT_MODELS)}}
@media (prefers-color-scheme:dark){:root{color-scheme:dark;${variables(DARK, DARK_MODELS)}}}
:root[data-theme=light]{color-scheme:light;${variables(LIGHT, LIGHT_MODELS)}}
:root[data-theme=dark]{color-scheme:dark;${variables(DARK, DARK_MODELS)}}
${MODELS.join('\n')}
*{box-sizing:border-box}
[hidden]{display:none!important}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-variant-numeric:tabular-nums}
.wrap{max-width:62rem;margin:0 auto;padding:0 1.25rem}
a{color:var(--accent);text-underline-offset:.15em}
:focus-visible{outline:2px solid var(--accent);outline-offset:3px;border-radius:3px}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:1rem;background:var(--panel);padding:.5rem .75rem;z-index:1}
header{padding:2.5rem 0 0;display:flex;gap:1rem;align-items:baseline;justify-content:space-between}
h1{font-size:1.05rem;font-weight:600;letter-spacing:.01em;margin:0}
h2{font-size:1.15rem;font-weight:600;margin:0 0 .35rem}
p{margin:.35rem 0}
.muted,.note{color:var(--muted)}
.note{font-size:.925rem;max-width:44rem}
button{font:inherit;color:var(--ink);background:var(--panel);border:1px solid var(--line);border-radius:.5rem;padding:.35rem .85rem;cursor:pointer}
button:hover:not(:disabled){border-color:var(--muted)}
button:disabled{color:var(--muted);cursor:default;border-style:dashed}
#price{margin:1.25rem 0 .25rem;color:var(--muted)}
.figure{display:block;font-size:clamp(2.2rem,7vw,3.2rem);line-height:1.1;font-weight:600;letter-spacing:-.02em;color:var(--ink)}
#freshness{margin:1rem 0 0;padding:.7rem 1rem;border:1px solid var(--line);border-left:4px solid var(--unknown);border-radius:.5rem;background:var(--panel)}
#freshness[data-status=fresh]{border-left-color:var(--fresh)}
#freshness[data-status=stale]{border-left-color:var(--stale)}
#freshness[data-status=fresh] strong{color:var(--fresh)}
#freshness[data-status=stale] strong{color:var(--stale)}
section{margin:2.75rem 0}
#chart{margin:1rem 0 .25rem;min-height:260px}
#chart svg{display:block;width:100%;height:auto;overflow:visible}
.grid{stroke:var(--line)}
.tick{fill:var(--muted);font-size:12px}
.source{stroke:var(--muted);stroke-dasharray:2 4;stroke-width:1.5}
.bar{fill:var(--c);opacity:.22}
.median{stroke:var(--c);stroke-width:2}
.mark{fill:var(--c);stroke:var(--paper);stroke-width:1.5}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;padding:0;margin:.25rem 0 0;font-size:.925rem}
.legend li{display:flex;align-items:center;gap:.4rem}
.swatch{flex:none;vertical-align:-2px;margin-right:.35rem}
.scroll{overflow-x:auto;margin:1.25rem 0 0}
table{border-collapse:collapse;width:100%;font-size:.925rem}
caption{text-align:left;color:var(--muted);padding:0 0 .5rem}
th,td{text-align:left;padding:.5rem .9rem .5rem 0;border-bottom:1px solid var(--line);white-space:nowrap;font-weight:400}
thead th{color:var(--muted);font-size:.85rem}
tbody th{font-weight:600}
nav{display:flex;flex-wrap:wrap;gap:.6rem;align-items:center;margin:.9rem 0 0}
#position{color:var(--muted);margin:0 0 0 .4rem}
footer{border-top:1px solid var(--line);padding:1.25rem 0 3rem;color:var(--muted);font-size:.925rem}
footer ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;list-style:none;padding:0;margin:.5rem 0 0}
@media (max-width:46rem){
header{padding-top:1.25rem}
table,tbody,tr,td,tbody th,caption{display:block}
thead{position:absolute;left:-99rem}
tr{padding:.6rem 0;border-bottom:1px solid var(--line)}
th,td{border:0;padding:.12rem 0;white-space:normal}
td{display:flex;justify-content:space-between;gap:1rem;text-align:right}
td::before{content:attr(data-label);color:var(--muted);text-align:left}
#position{margin-left:0;flex-basis:100%}
}
@media print{button,nav,.skip{display:none}}
`
