/** The report's style sheet: no font, image or script from anywhere. */
import { html, trusted } from './html.ts'

/** Of a chart, in a page or alone: colours, light and dark, and what its classes look like. */
export const chartStyle = trusted(`
:root { color-scheme: light dark; --ink: #1b2430; --soft: #566272; --paper: #fff; --card: #f6f8fa; --line: #d8dee6;
  --accent: #0b5cad; --answered: #2f7fc1; --unparsable: #e0a100; --refused: #a34fa8; --truncated: #e07b39; --error: #c62f3b; --skipped: #a9b2bd;
  --good: #1a7f45; --bad: #b42332;
  --s0: #0b5cad; --s1: #c2570c; --s2: #1a7f45; --s3: #8e3a96; --s4: #b42332; --s5: #0f7d86; --s6: #7a6a00; --s7: #5b5f97 }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e9f0; --soft: #9aa7b6; --paper: #12171e; --card: #1b222c; --line: #303a47;
  --accent: #6db3f8; --answered: #4c9be0; --unparsable: #d9ab34; --refused: #c07cc6; --truncated: #e58f55; --error: #ec6a73; --skipped: #5b6673;
  --good: #5fc98a; --bad: #f0808a;
  --s0: #6db3f8; --s1: #f2a25c; --s2: #5fc98a; --s3: #d59adb; --s4: #f0808a; --s5: #5cc9d3; --s6: #d8c650; --s7: #a9aef0 } }
.chart { display: block; overflow: visible } .chart text { fill: var(--ink); font: 13px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Noto Sans KR", sans-serif }
.chart .name { font-weight: 600 } .chart .value { fill: var(--soft); font-size: 12px; font-variant-numeric: tabular-nums } .chart .tick { fill: var(--soft); font-size: 11.5px }
.grid { stroke: var(--line); stroke-dasharray: 2 3 } .rail { stroke: var(--line) }
.interval { stroke: var(--accent); stroke-width: 2 } .dot { fill: var(--accent) } .ring { fill: none; stroke: var(--ink); stroke-width: 1.5 }
.o-answered { fill: var(--answered) } .o-unparsable { fill: var(--unparsable) } .o-refused { fill: var(--refused) }
.o-truncated { fill: var(--truncated) } .o-error { fill: var(--error) } .o-skipped { fill: var(--skipped) }
.chart .title { font-size: 17px; font-weight: 650 } .chart .strong { font-weight: 600 } .chart .inside { fill: var(--paper); font-size: 10.5px; font-weight: 700 }
.chart .soft-text { fill: var(--soft) } .chart tspan.name { fill: var(--ink); font-weight: 700 } .page { fill: var(--paper) } .inner { overflow: visible }
.bar { fill: var(--accent); fill-opacity: .38 } .zero { stroke: var(--ink); stroke-width: 1.5 } .thin { stroke: var(--soft); stroke-width: 1; stroke-opacity: .55 }
.fit { stroke: var(--s1); stroke-width: 2; stroke-dasharray: 7 4 } .filled { fill: var(--paper) } .web { fill: none; stroke: var(--line) } .many { fill: var(--accent); fill-opacity: .45; stroke: var(--accent) }
.cell { stroke: var(--paper); stroke-width: 2 } .cell.none { fill: var(--card) } .cell.plus { fill: var(--accent) } .cell.minus { fill: var(--s1) }
.s-0 { --s: var(--s0); fill: var(--s0) } .s-1 { --s: var(--s1); fill: var(--s1) } .s-2 { --s: var(--s2); fill: var(--s2) } .s-3 { --s: var(--s3); fill: var(--s3) } .s-4 { --s: var(--s4); fill: var(--s4) } .s-5 { --s: var(--s5); fill: var(--s5) } .s-6 { --s: var(--s6); fill: var(--s6) } .s-7 { --s: var(--s7); fill: var(--s7) }
.s-line { stroke: var(--s); stroke-width: 2; fill: none } .s-area { fill: var(--s); fill-opacity: .12 } .s-dot { fill: var(--s); stroke: var(--paper); stroke-width: 1 }
`)

export const style = html`${chartStyle}${trusted(`
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Noto Sans KR", sans-serif; overflow-wrap: anywhere }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1.25rem 4rem }
header { border-bottom: 1px solid var(--line); padding-bottom: 1.25rem }
.kicker { color: var(--accent); font-weight: 600; font-size: .8rem; letter-spacing: .08em; text-transform: uppercase; margin: 0 }
h1 { font-size: 1.9rem; line-height: 1.2; margin: .25rem 0 .75rem; text-wrap: balance }
h2 { font-size: 1.3rem; margin: 2.75rem 0 .75rem }
h3 { font-size: 1.02rem; margin: 1.5rem 0 .5rem }
p { margin: .5rem 0 } .soft, small, caption, .legend { color: var(--soft) }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(7.5rem, 1fr)); gap: .75rem; margin: 1rem 0 0 }
.facts div { background: var(--card); border-radius: .5rem; padding: .6rem .8rem }
.facts dt { font-size: .78rem; color: var(--soft) } .facts dd { margin: 0; font-size: 1.35rem; font-weight: 650; font-variant-numeric: tabular-nums }
.words div { display: grid; grid-template-columns: 11rem 1fr; gap: 0 1rem; padding: .3rem 0; border-top: 1px solid var(--line) } .words dt { font-weight: 600 } .words dd { margin: 0 } a { color: var(--accent) }
.mark { color: var(--bad) }
.notes { background: var(--card); border-left: 3px solid var(--accent); border-radius: 0 .5rem .5rem 0; padding: .6rem 1rem .6rem 2rem; margin: 1rem 0 }
.notes li { margin: .2rem 0 }
.plot { margin: 1.25rem 0 0; padding: 1rem 1.1rem .6rem; border: 1px solid var(--line); border-radius: .6rem; break-inside: avoid }
.plot figcaption { display: flex; flex-wrap: wrap; gap: .2rem 1.25rem; justify-content: space-between; margin-bottom: .5rem }
.legend { font-size: .85rem } .legend svg { vertical-align: -1px } .legend > span { margin-right: .6rem; white-space: nowrap } .about { font-size: .85rem; color: var(--soft); margin: .5rem 0 .2rem }
.gallery { display: grid; grid-template-columns: 1fr; gap: 0 1rem }
.scroll { overflow-x: auto; margin: 1rem 0; border: 1px solid var(--line); border-radius: .6rem }
table { border-collapse: collapse; width: 100%; font-size: .86rem; font-variant-numeric: tabular-nums; overflow-wrap: normal }
caption { text-align: left; padding: .6rem .8rem; font-size: .82rem } th, td { padding: .45rem .8rem; text-align: right; vertical-align: top; border-top: 1px solid var(--line) }
caption span { position: sticky; left: .8rem; display: inline-block; max-width: min(54rem, calc(100vw - 4rem)) }
thead th { font-size: .78rem; color: var(--soft); font-weight: 600; vertical-align: bottom; min-width: 5.5rem }
th[scope=row], th:first-child, td.text, th.text { text-align: left } th[scope=row] { font-weight: 600; background: var(--paper); min-width: 13rem; max-width: 18rem; overflow-wrap: anywhere }
tbody th[scope=row], thead th:first-child { position: sticky; left: 0; background: var(--paper) }
td small, th small { display: block } td small { white-space: nowrap } th small { font-weight: 400 } code { font: .92em ui-monospace, "SF Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere }
details { margin: .75rem 0 } summary { cursor: pointer; font-weight: 600 } :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
.example { border: 1px solid var(--line); border-radius: .6rem; padding: 1rem 1.1rem; margin: 1rem 0; break-inside: avoid }
.example > h3 { margin: .1rem 0 .4rem } .example figure { margin: .75rem 0 } .example img { display: block; max-width: 100%; max-height: 24rem; height: auto; background: #fff; border-radius: .3rem }
.example figcaption { font-size: .84rem; color: var(--soft); margin-top: .3rem }
.tag { display: inline-block; font-size: .74rem; border: 1px solid var(--line); border-radius: 1rem; padding: .05rem .6rem; color: var(--soft); margin-right: .3rem }
.reply { border-top: 1px solid var(--line); margin: 0; padding: .55rem 0 } .reply p { margin: .15rem 0; white-space: pre-line } .right { color: var(--good) } .wrong { color: var(--bad) }
blockquote { margin: .5rem 0; padding-left: .8rem; border-left: 3px solid var(--line); color: var(--soft) }
@media (max-width: 32rem) { .words div { display: block } body { font-size: 15px } main { padding: 1.25rem .9rem 3rem } h1 { font-size: 1.5rem } .plot { padding: .8rem .8rem .5rem }
  tbody th[scope=row], thead th:first-child { position: static } }
@media print { :root { color-scheme: light } body { font-size: 10.5pt } main { max-width: none; padding: 0 } .scroll { overflow: visible; border: 0 } table { font-size: 7.5pt } th, td { padding: .2rem .3rem } caption span { position: sticky; left: .8rem; display: inline-block; max-width: min(54rem, calc(100vw - 4rem)) }
thead th { min-width: 0 } * { -webkit-print-color-adjust: exact; print-color-adjust: exact } }
.filters { display: flex; flex-wrap: wrap; gap: .5rem 1rem; margin: .75rem 0; font-size: .9rem } .filters select { font: inherit; max-width: 16rem; color: var(--ink); background: var(--card); border: 1px solid var(--line); border-radius: .35rem; padding: .2rem .4rem }
.items td.text { min-width: 18rem; overflow-wrap: anywhere } .items { counter-reset: shown } .items tbody tr { counter-increment: shown; content-visibility: auto; contain-intrinsic-size: auto 4.5rem } .shown::after { content: counter(shown) }
.thumb { width: 72px; height: 54px; background: #fff; border-radius: .2rem; display: block } .w1 { color: var(--good) } .w0 { color: var(--bad) } .marks { letter-spacing: .12em; white-space: normal }
.marks span { display: inline-block; margin-right: .35rem } .defs { position: absolute; width: 0; height: 0; overflow: hidden }
@media print { .filters { display: none } .items tbody tr { content-visibility: visible } .plot, tr { break-inside: avoid } h2, h3 { break-after: avoid } }
`)}`
