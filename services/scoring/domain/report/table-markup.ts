/** A table of ours in the page. */
import { shown, type Table } from '../compare/table.ts'
import { html, type Markup } from './html.ts'

/** The first column names the row; notes stand in the caption. */
export function tableMarkup ({ title, notes, columns, rows }: Table): Markup {
  return html`<div class="scroll" role="region" tabindex="0" aria-label="Table: ${title}"><table>
<caption><span><b>${title}.</b>${notes.map(note => html` ${note}`)}</span></caption>
<thead><tr>${columns.map(({ name, numeric }) => numeric ? html`<th scope="col">${name}</th>` : html`<th scope="col" class="text">${name}</th>`)}</tr></thead>
<tbody>${rows.map(([name = null, ...cells]) => html`<tr><th scope="row">${shown(name)}</th>${cells.map((cell, at) => columns[at + 1]!.numeric ? html`<td>${shown(cell)}</td>` : html`<td class="text">${shown(cell)}</td>`)}</tr>`)}</tbody></table></div>`
}
