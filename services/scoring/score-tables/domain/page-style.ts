/** What a leaderboard's page adds to the style sheet of reports. */
import { trusted } from '../../domain/report/html.ts'

export const pageStyle = trusted(`
main.board { max-width: 82rem; padding: 1.5rem 1rem 3rem }
.board .filters label { white-space: nowrap } .tabs { display: flex; flex-wrap: wrap; gap: .3rem; margin: 1rem 0 0 }
.tabs input, .lb input { position: absolute; opacity: 0; width: 1px; height: 1px; margin: 0 }
.tabs label { position: relative } .tabs span { display: block; padding: .25rem .7rem; border: 1px solid var(--line); border-radius: 1rem; cursor: pointer; font-size: .88rem }
.tabs input:checked + span { background: var(--accent); border-color: var(--accent); color: var(--paper); font-weight: 600 }
.tabs input:focus-visible + span, .lb input:focus-visible + span { outline: 2px solid var(--accent); outline-offset: 2px }
.board .plot { display: none } .plot .chart { width: 100%; height: auto } .pt { stroke: var(--paper); stroke-width: 1 }
.pt.hollow { fill: var(--paper); stroke: var(--s); stroke-width: 1.8 } .unsized { stroke: var(--s); stroke-width: 1.5; stroke-dasharray: 6 4 } .chart .label { font-weight: 600; fill: var(--ink) }
.lb { display: grid; grid-template-columns: repeat(var(--columns), minmax(min-content, auto)); font-size: .84rem }
.board { counter-reset: shown }
.lb caption { grid-column: 1 / -1 } .lb thead, .lb tbody, .lb tr { display: grid; grid-column: 1 / -1; grid-template-columns: subgrid }
.lb th, .lb td { padding: .3rem .4rem; min-width: 0 } .lb small { font-size: .72rem; line-height: 1.3; color: var(--soft) } .lb td small { white-space: nowrap }
.lb tbody tr { counter-increment: shown; border-top: 1px solid var(--line) } .lb tbody td, .lb tbody th { border-top: 0 }
.lb thead th { min-width: 0; align-self: end; position: relative } .lb thead th:first-child, .lb tbody th[scope=row] { position: relative; text-align: left }
.lb thead th:first-child, .lb td:first-child { text-align: right } .lb thead th label { cursor: pointer } .lb thead span { text-decoration: underline dotted; text-underline-offset: .2em }
.lb .up { display: none } .lb tbody th[scope=row] { min-width: 10rem; max-width: 17rem; font-weight: 600 }
.lb thead th:has(#s-model-d) { text-align: left }
.pill { display: inline-block; font-size: .66rem; font-weight: 700; text-decoration: none; color: var(--soft); border: 1px solid var(--line); border-radius: .3rem; padding: 0 .28rem; margin-right: .15rem }
.warn { margin: 0; font-weight: 400 } .warn summary { color: var(--bad); font-size: .74rem; font-weight: 400 } .warn ul { margin: .2rem 0; padding-left: 1rem; font-size: .76rem; line-height: 1.35 }
@media print { .tabs { display: none } }
`)
