//! How the pages look.

pub(super) const SHEET: &str = "
:root { --paper: #fff; --text: #1f2328; --side: #59636e; --grid: #d8dee4; --ours: #0869da; --ahead: #c84b0c; --tint: #f6f8fa }
@media (prefers-color-scheme: dark) {
  :root { --paper: #0d1117; --text: #f0f6fc; --side: #9198a1; --grid: #30363d; --ours: #4493f8; --ahead: #f0883e; --tint: #151b23 }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--text);
  font: 16px/1.5 system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif }
main { max-width: 1200px; margin: 0 auto; padding: 1rem }
h1 { margin: 0 0 .5rem; font-size: 1.7rem }
h2 { margin: 2.2rem 0 .5rem; font-size: 1.25rem; border-bottom: 1px solid var(--grid) }
h3 { margin: 1.5rem 0 .3rem; font-size: 1.05rem }
p, li { max-width: 52rem }
p.lead { margin: .2rem 0 .8rem }
a { color: var(--ours) }
code { font-size: .85em; overflow-wrap: anywhere }
.small, figcaption { color: var(--side); font-size: .85rem }
.ours { color: var(--ours) }
.ahead { color: var(--ahead) }
.behind { color: var(--side) }
svg { display: block; width: 100%; height: auto }
.panels { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(340px, 100%), 1fr)); gap: .5rem; align-items: start }
figure { margin: 0; border: 1px solid var(--grid); border-radius: 6px; overflow: hidden }
.panels figure { max-width: 420px }
.plot { max-width: 760px; margin: 0 0 1.5rem }
figcaption, figure details { padding: .4rem .8rem }
ol.words li { margin: .15rem 0 }
.scroll { overflow: auto; max-height: 85vh; border: 1px solid var(--grid); border-radius: 6px; margin: .5rem 0 }
table { border-collapse: separate; border-spacing: 0; font-size: .82rem; font-variant-numeric: tabular-nums }
th, td { padding: .2rem .55rem; border-bottom: 1px solid var(--grid); text-align: right; white-space: nowrap }
thead th { position: sticky; top: 0; background: var(--tint); z-index: 1 }
tbody th { position: sticky; left: 0; background: var(--tint); text-align: left; font-weight: 500 }
thead th { white-space: normal; vertical-align: bottom; min-width: 5.5rem }
thead th:first-child { left: 0; z-index: 2; text-align: left }
td.text { text-align: left; white-space: normal; min-width: 8rem }
td.none { color: var(--side) }
td.all { font-weight: 600 }
details { margin: .3rem 0 }
summary { cursor: pointer; color: var(--side) }
@media (max-width: 600px) { main { padding: .7rem } tbody th { max-width: 9.5rem; white-space: normal } }
";
