/**
 * What each picture shows, in words that may stand in its place: what is drawn and the numbers that can be
 * read off it, and nothing of what follows from them. Numbers come from what the picture is drawn from.
 */
import { climate, echo, hodograph, readStation, readWind, veering } from './charts/diagrams.ts'
import { liftedAir } from './charts/soundings.ts'
import { deepening, passageReadings } from './charts/surface-maps.ts'

const frames = (name: string, texts: readonly string[]): Record<string, string> =>
  Object.fromEntries(texts.map((text, at) => [`${name}-${at + 1}.png`, text]))

/** Strokes of a wind barb: flags of 50 knots, full feathers of 10, half ones of 5. */
function strokes (knots: number): string {
  const parts = [['깃발', Math.floor(knots / 50)], ['긴 깃', Math.floor(knots % 50 / 10)], ['짧은 깃', knots % 10 / 5]] as const
  return parts.filter(([, count]) => count > 0).map(([name, count]) => `${name} ${count}개`).join(', ')
}

const sides = ['북쪽', '북북동쪽', '북동쪽', '동북동쪽', '동쪽', '동남동쪽', '남동쪽', '남남동쪽', '남쪽', '남남서쪽', '남서쪽', '서남서쪽', '서쪽', '서북서쪽', '북서쪽', '북북서쪽']
const sideOf = (degrees: number) => sides[Math.round(degrees / 22.5) % 16]!
const barbOf = ({ from, knots }: { from: number, knots: number }) =>
  `축이 관측점에서 ${sideOf(from)}(방위각 ${from}도)으로 뻗고 끝에 ${strokes(knots)}가 있다`

export const captions: Readonly<Record<string, string>> = {
  'map-cyclone.png': '북반구 지상일기도. 가운데에 저기압 중심(L)이 있고, 파란 삼각형의 한랭전선이 중심에서 남서쪽으로, 붉은 반원의 온난전선이 남동쪽으로 뻗는다. A는 온난전선의 북동쪽, B는 두 전선 사이의 남쪽, C는 한랭전선의 서쪽, D는 저기압 중심의 북쪽에 있다. 등압선은 4 hPa 간격이다.',
  'map-trough.png': '북반구 500 hPa 등고선. 흐름은 서쪽에서 동쪽으로 향하고, 지도 한가운데에 남북으로 놓인 붉은 점선이 기압골의 축이다. 서쪽 끝의 A와 동쪽 끝의 D는 등고선이 북쪽으로 볼록한 기압능에, B는 축의 서쪽에, C는 축의 동쪽에 있다.',
  'map-winter.png': '1월 동아시아 지상일기도. 바이칼호 남쪽의 대륙에 고기압(H), 일본 동쪽 바다에 저기압(L)이 있고, 한반도 부근의 등압선은 남북으로 뻗어 간격이 좁다. 등압선은 4 hPa 간격이다.',
  'skew-t-precipitation.png': '단열선도. 지상부터 600 hPa까지 기온과 이슬점온도가 거의 같다. 기온은 1000 hPa에서 −3 °C, 950 hPa에서 −5 °C, 900 hPa에서 1.5 °C, 850 hPa에서 5.5 °C, 800 hPa에서 4.5 °C, 700 hPa에서 −1.5 °C, 600 hPa에서 −8.5 °C이다.',
  'skew-t-inversion.png': '맑은 날 6시의 단열선도. 기온은 1000 hPa에서 3 °C, 975 hPa에서 6.5 °C, 950 hPa에서 9.5 °C, 900 hPa에서 6.5 °C, 850 hPa에서 3.5 °C, 700 hPa에서 −6.5 °C, 500 hPa에서 −23 °C이다.',
  'skew-t-lifted.png': `단열선도에 ${liftedAir.hPa} hPa의 기온 ${liftedAir.temperature} °C에서 올라가는 건조단열선과 이슬점온도 ${liftedAir.dewPoint} °C에서 올라가는 등혼합비선이 점선으로 그려져 있고, 두 선은 한 점에서 만난다. 세로축은 기압(hPa)이다.`,
  'wind-barb.png': `바람 기호 하나. ${barbOf(readWind)}.`,
  'station.png': `지상기입모형. 왼쪽 위의 숫자는 ${readStation.temperature}, 왼쪽 아래는 ${readStation.dewPoint}, 오른쪽 위는 ${String(Math.round(readStation.pressure * 10)).slice(-3)}이고, 원은 모두 검게 칠해져 있으며 왼쪽에 비 기호가 있다. 바람 기호는 ${barbOf(readStation.wind)}.`,
  'wind-profile.png': `고도별 바람 기호. ${veering.map(({ hPa, wind }) => `${hPa} hPa에서 ${barbOf(wind)}`).join('. ')}.`,
  'hodograph.png': `호도그래프. 가로축은 u, 세로축은 v(m/s)이고, 곡선은 0 km의 (${hodograph.uLow}, ${hodograph.vLow})에서 6 km의 (${hodograph.uHigh}, ${hodograph.vHigh})까지 이어진다.`,
  'climate.png': `1월부터 12월까지 월평균기온(°C)은 ${climate.celsius.join(', ')}이고 월강수량(mm)은 ${climate.millimetres.join(', ')}이다.`,
  ...frames('typhoon', [
    '태풍 중심이 일본 오키나와 남동쪽 바다(23.5°N, 130°E)에 있다.', '태풍 중심이 오키나와 부근(27°N, 126°E)에 있고, 지나온 길은 북서쪽으로 그려져 있다.',
    '태풍 중심이 제주도 남서쪽 바다(31.6°N, 124.3°E)에 있고, 지나온 길은 북북서쪽으로 굽어 있다.', '태풍 중심이 황해(35.8°N, 124.6°E)에 있고, 지나온 길은 북쪽을 향한다.'
  ]),
  ...frames('front-passage', passageReadings.map(({ wind, celsius, hPa }, at) =>
    `저기압 중심(L)에서 남쪽으로 뻗은 한랭전선이 지점 P의 ${['서쪽', '바로 서쪽', '동쪽'][at]}에 있다. P의 기온은 ${celsius} °C, 기압은 ${hPa} hPa이고, 바람 기호는 ${barbOf(wind)}.`)),
  ...frames('deepening-low', deepening.pressures.map((pressure, at) =>
    `북위 ${deepening.latitude}도에 저기압 중심(L)이 있고 중심기압은 ${pressure} hPa로 적혀 있다. 첫 그림에서 ${deepening.hours[at]}시간 뒤이다.`)),
  ...frames('summer-rains', [31, 33.6, 37.2].map(latitude =>
    `정체전선이 동경 126도에서 북위 ${latitude}도에 동서로 놓여 있고, 비 기호가 전선의 북쪽에 그려져 있다.`)),
  ...frames('radar', echo.distances.map(distance => `레이더 O의 서쪽 ${distance} km에 반사도 에코의 중심이 있다. 동심원은 20 km 간격이다.`)),
  ...frames('morning', [
    '6시의 기온: 지표 4 °C, 300 m 9.5 °C, 500 m 8.5 °C, 1000 m 6 °C, 1500 m 3.5 °C, 2000 m 1 °C.', '9시의 기온: 지표 9.8 °C, 150 m 8.3 °C, 300 m 9.6 °C, 500 m 8.5 °C, 1000 m 6 °C, 1500 m 3.5 °C, 2000 m 1 °C.',
    '12시의 기온: 지표 14.5 °C, 700 m 7.6 °C, 1000 m 6 °C, 1500 m 3.5 °C, 2000 m 1 °C.', '15시의 기온: 지표 18 °C, 1460 m 3.7 °C, 2000 m 1 °C.'
  ])
}
