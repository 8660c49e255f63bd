/** Every picture of the bank, by the name it is stored under. */
import * as diagrams from './diagrams.ts'
import type { Chart } from './marks.ts'
import * as soundings from './soundings.ts'
import * as maps from './surface-maps.ts'

function numbered (name: string, charts: readonly Chart[]): Record<string, Chart> {
  return Object.fromEntries(charts.map((chart, at) => [`${name}-${at + 1}.png`, chart]))
}

export const charts: Record<string, Chart> = {
  'skew-t-inversion.png': soundings.inversionChart,
  'skew-t-lifted.png': soundings.condensationChart,
  'skew-t-precipitation.png': soundings.freezingRainChart,
  ...numbered('stability', (['stable', 'conditionally', 'absolutelyUnstable', 'inversion'] as const).map(soundings.stabilityChart)),
  'map-winter.png': maps.winterMap,
  'map-cyclone.png': maps.cycloneMap,
  'map-trough.png': maps.troughMap,
  'wind-barb.png': diagrams.windBarbChart,
  ...numbered('wind-choice', diagrams.choiceBarbCharts),
  'wind-profile.png': diagrams.windProfileChart,
  'station.png': diagrams.stationChart,
  'hodograph.png': diagrams.hodographChart,
  'climate.png': diagrams.climateChart,
  ...numbered('front-passage', maps.passageCharts),
  ...numbered('deepening-low', maps.deepeningCharts),
  ...numbered('typhoon', maps.typhoonCharts),
  ...numbered('summer-rains', maps.rainsCharts),
  ...numbered('radar', diagrams.radarCharts),
  ...numbered('morning', soundings.morningCharts)
}
