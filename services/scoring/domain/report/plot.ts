/** A plot: what is drawn, in words and as a table, so that no number is only a picture. */
import type { Markup } from './html.ts'

export type Cell = string | number | null

export interface PlotTable { columns: string[], rows: Cell[][] }

/** A mark of the legend: classes of the style sheet. */
export interface LegendEntry { mark: 'dot' | 'ring' | 'bar' | 'line' | 'square', className?: string, text: string }

export interface Chart {
  height: number
  /** Its own coordinates, of this width, scaled to fit; else horizontal places are percentages. */
  width?: number
  markup: Markup
  legend: LegendEntry[]
}

export interface Plot {
  /** Kebab-case; its address. */
  name: string
  title: string
  /** How to read it, and what it does not say. */
  about: string
  /** What a reader who does not see it is told. */
  said: string
  table: PlotTable
  /** Null where there is nothing to draw; then `reason` says why. */
  chart: Chart | null
  reason?: string
}

/** What has no picture: its table is as empty as that. */
export function noPlot (head: Pick<Plot, 'name' | 'title' | 'about'>, reason: string, columns: string[] = []): Plot {
  return { ...head, said: reason, table: { columns, rows: [] }, chart: null, reason }
}
