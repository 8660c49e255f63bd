/** Part 5, physics of the atmosphere (대기물리). */
import { liftedAir, morningTimes } from '../charts/soundings.ts'
import { calculated, frames, type Question } from '../question.ts'

export const physics: readonly Question[] = [
  calculated({
    topic: '상승응결고도',
    text: ({ temperature, dewPoint }) => `지상 기온이 ${temperature} °C, 이슬점온도가 ${dewPoint} °C인 공기덩이를 단열적으로 들어 올린다. 기온과 이슬점온도의 차 1 °C마다 125 m로 어림할 때 상승응결고도는?`,
    formula: 'condensationHeight',
    given: { temperature: 30, dewPoint: 22 },
    shown: [800, 1000, 1250, 2750],
    unit: ' m',
    answer: 2,
    rationale: '상승응결고도는 125 × (기온 − 이슬점온도)로 어림한다. 125 × (30 − 22) = 1,000 m이다.'
  }),
  calculated({
    topic: '온위',
    text: ({ kelvin, hPa }) => `${hPa} hPa에서 기온이 ${kelvin} K인 공기의 온위에 가장 가까운 값은? (R/cₚ = 0.286, (1000/700)^0.286 = 1.107)`,
    formula: 'potentialTemperature',
    given: { kelvin: 273, hPa: 700 },
    shown: [247, 273, 302, 390],
    unit: ' K',
    answer: 3
  }),
  calculated({
    topic: '흑체복사',
    text: ({ kelvin }) => `온도가 ${kelvin} K인 흑체가 단위 면적에서 단위 시간에 내보내는 복사 에너지에 가장 가까운 값은? (슈테판-볼츠만 상수 5.67 × 10⁻⁸ W m⁻² K⁻⁴)`,
    formula: 'radiantExitance',
    given: { kelvin: 288 },
    shown: [390, 240, 342, 1361],
    unit: ' W/m²',
    answer: 1
  }),
  calculated({
    topic: '흑체복사',
    text: ({ kelvin }) => `온도가 ${kelvin} K인 흑체의 복사 강도가 가장 큰 파장에 가장 가까운 값은? (빈의 변위 법칙의 상수 2,898 μm K)`,
    formula: 'peakWavelength',
    given: { kelvin: 300 },
    shown: [0.5, 0.97, 4.8, 9.7],
    unit: ' μm',
    answer: 4
  }),
  calculated({
    topic: '단열선도',
    text: ({ temperature, dewPoint, hPa }) => `그림에서 점선은 ${hPa} hPa에 있는 기온 ${temperature} °C, 이슬점온도 ${dewPoint} °C의 공기를 들어 올릴 때의 건조단열선과 등혼합비선이다. 상승응결고도의 기압에 가장 가까운 값은?`,
    image: 'skew-t-lifted.png',
    formula: 'condensationPressure',
    given: liftedAir,
    shown: [925, 825, 700, 600],
    unit: ' hPa',
    answer: 2,
    rationale: '포화되지 않은 공기는 건조단열선을 따라 식고 이슬점온도는 등혼합비선을 따라 변한다. 두 선이 만나는 점이 상승응결고도이며 그림에서 약 825 hPa이다.'
  }),
  {
    topic: '대기안정도',
    text: '붉은 실선은 주위 공기의 기온이고, 회색 파선(dry)은 건조단열선, 초록 점선(moist)은 습윤단열선이다. 조건부 불안정한 대기를 나타낸 그림은?',
    choices: [1, 2, 3, 4].map(at => ({ image: `stability-${at}.png` })),
    answer: 2,
    rationale: '조건부 불안정은 주위 공기의 기온감률이 습윤단열감률보다 크고 건조단열감률보다 작은 경우이므로, 실선이 두 단열선 사이에 놓인다.'
  },
  {
    topic: '기온역전',
    text: '그림은 어느 봄날 한 지점의 기온 연직 분포를 시각 순서대로 나타낸 것이다. 2 km 아래에서 기온역전층이 모두 사라진 것이 처음으로 확인되는 시각은?',
    frames: frames('morning', morningTimes),
    choices: ['6시', '9시', '12시', '15시'],
    answer: 3
  },
  {
    topic: '강수 과정',
    text: '과냉각 물방울과 얼음 결정이 함께 있는 구름에서 얼음 결정이 물방울보다 빨리 자라는 까닭은?',
    choices: [
      '얼음 결정이 물방울보다 항상 무겁기 때문이다.',
      '얼음 결정의 온도가 물방울보다 항상 높기 때문이다.',
      '과냉각 물방울은 증발하지 않기 때문이다.',
      '얼음에 대한 포화수증기압이 물에 대한 값보다 작기 때문이다.'
    ],
    answer: 4
  },
  {
    topic: '구름물리',
    text: '용액 방울의 평형 수증기압에 대한 쾰러 이론의 설명으로 옳은 것은?',
    choices: [
      '용질 효과는 평형 수증기압을 낮추고 곡률 효과는 높인다.',
      '용질 효과는 평형 수증기압을 높이고 곡률 효과는 낮춘다.',
      '용질 효과와 곡률 효과 모두 평형 수증기압을 낮춘다.',
      '용질 효과와 곡률 효과 모두 평형 수증기압을 높인다.'
    ],
    answer: 1
  },
  {
    topic: '단열변화',
    text: '습윤단열감률이 건조단열감률보다 작은 까닭은?',
    choices: [
      '수증기의 밀도가 건조공기보다 크기 때문이다.',
      '포화된 공기는 상승하여도 팽창하지 않기 때문이다.',
      '수증기가 응결하면서 숨은열을 내놓기 때문이다.',
      '포화된 공기에는 중력이 약하게 작용하기 때문이다.'
    ],
    answer: 3
  },
  calculated({
    topic: '산란',
    text: ({ short, long }) => `레일리 산란의 세기가 파장의 네제곱에 반비례할 때, 파장 ${short} μm인 빛은 파장 ${long} μm인 빛보다 몇 배 강하게 산란되는가?`,
    formula: 'rayleighRatio',
    given: { short: 0.35, long: 0.7 },
    shown: [2, 4, 8, 16],
    unit: '배',
    answer: 4
  }),
  {
    topic: '오존층',
    text: '성층권에서 고도가 높아질수록 기온이 올라가는 주된 까닭은?',
    choices: [
      '오존이 태양의 자외선을 흡수하기 때문이다.',
      '수증기가 지표의 적외선을 흡수하기 때문이다.',
      '대류가 열을 위로 나르기 때문이다.',
      '이산화 탄소가 가시광선을 흡수하기 때문이다.'
    ],
    answer: 1
  },
  {
    topic: '뇌우',
    text: '단일 세포 뇌우의 일생에서 상승 기류와 하강 기류가 함께 나타나고 강한 비와 번개가 가장 활발한 단계는?',
    choices: ['적운 단계', '성숙 단계', '소멸 단계', '맑은 하늘 단계'],
    answer: 2
  }
]
