/** Part 3, dynamics (대기역학). */
import { hodograph } from '../charts/diagrams.ts'
import { calculated, type Question } from '../question.ts'

export const dynamics: readonly Question[] = [
  calculated({
    topic: '전향력',
    text: ({ latitude }) => `북위 ${latitude}도에서 코리올리 인자 f에 가장 가까운 값은? (지구 자전 각속도는 7.29 × 10⁻⁵ s⁻¹)`,
    formula: 'coriolis',
    given: { latitude: 30 },
    shown: [3.65, 7.29, 12.6, 14.6],
    scale: 1e-5,
    unit: ' × 10⁻⁵ s⁻¹',
    answer: 2
  }),
  calculated({
    topic: '지균풍',
    text: ({ hPa, km, density }) => `등압선에 직각인 방향으로 ${km} km마다 기압이 ${hPa} hPa 변한다. 공기 밀도가 ${density} kg/m³, 코리올리 인자가 10⁻⁴ s⁻¹일 때 지균풍의 풍속은?`,
    formula: 'geostrophicWind',
    given: { hPa: 2.5, km: 100, density: 1.25, coriolis: 1e-4 },
    shown: [2, 10, 25, 20],
    unit: ' m/s',
    answer: 4,
    rationale: '지균풍은 (1/ρf)·Δp/Δn이다. 250 Pa ÷ 100000 m = 0.0025 Pa/m를 1.25 × 10⁻⁴로 나누면 20 m/s이다.'
  }),
  calculated({
    topic: '규모 분석',
    text: ({ speed, km }) => `풍속 규모 ${speed} m/s, 수평 길이 규모 ${km} km, 코리올리 인자 10⁻⁴ s⁻¹인 운동의 로스비수는?`,
    formula: 'rossbyNumber',
    given: { speed: 10, km: 1000, coriolis: 1e-4 },
    shown: [0.01, 1, 0.1, 10],
    unit: '',
    answer: 3
  }),
  {
    topic: '온도풍',
    text: '북반구 중위도 대류권에서 남쪽 공기가 북쪽 공기보다 따뜻할 때, 온도풍 관계에 따라 나타나는 현상은?',
    choices: [
      '고도가 높아질수록 서풍 성분이 커진다.',
      '고도가 높아질수록 동풍 성분이 커진다.',
      '고도가 높아질수록 남풍 성분이 커진다.',
      '지균풍이 고도에 따라 변하지 않는다.'
    ],
    answer: 1,
    rationale: '남쪽이 따뜻하면 남쪽의 층후가 두꺼워 고도가 높아질수록 북쪽을 향한 기압경도력이 커지고, 지균풍의 서풍 성분이 고도와 함께 커진다.'
  },
  {
    topic: '온도이류',
    text: '그림은 북반구 어느 지점의 고도별 바람이다. 하층에서 상층으로 가면서 풍향이 변하는 모습에서 알 수 있는 온도이류는?',
    image: 'wind-profile.png',
    choices: [
      '풍향이 반전하므로 한랭이류',
      '풍향이 반전하므로 온난이류',
      '풍향이 순전하므로 한랭이류',
      '풍향이 순전하므로 온난이류'
    ],
    answer: 4,
    rationale: '고도가 높아지면서 남동풍, 남풍, 남서풍, 서풍의 순서로 시계 방향으로 순전한다. 온도풍은 따뜻한 쪽을 오른쪽에 두므로 순전은 온난이류를 뜻한다.'
  },
  calculated({
    topic: '연직시어',
    text: () => '그림은 어느 지점의 호도그래프이다. 지상(0 km)과 6 km 사이 바람 벡터 차이의 크기(심층 연직시어)는?',
    image: 'hodograph.png',
    formula: 'bulkShear',
    given: hodograph,
    inChart: ['uLow', 'vLow', 'uHigh', 'vHigh'],
    shown: [18, 24, 30, 42],
    unit: ' m/s',
    answer: 3
  }),
  calculated({
    topic: '와도',
    text: ({ vEast, vWest, uNorth, uSouth, km }) => `한 변이 ${km} km인 정사각형 영역에서 동쪽 변의 남풍 성분은 ${vEast} m/s, 서쪽 변의 남풍 성분은 ${vWest} m/s이고, 북쪽 변의 서풍 성분은 ${uNorth} m/s, 남쪽 변의 서풍 성분은 ${uSouth} m/s이다. 이 영역의 평균 상대와도는?`,
    formula: 'relativeVorticity',
    given: { vEast: 10, vWest: -10, uNorth: 5, uSouth: 15, km: 400 },
    shown: [7.5, 5, 2.5, -7.5],
    scale: 1e-5,
    unit: ' × 10⁻⁵ s⁻¹',
    answer: 1
  }),
  {
    topic: '연속방정식',
    text: '지상 저기압 중심 부근에서 하층의 수평 수렴이 이어질 때, 질량 보존에 따라 그 위에서 나타나는 운동은?',
    choices: ['하강 운동', '상승 운동', '연직 운동이 없음', '수평으로만 도는 운동'],
    answer: 2
  },
  {
    topic: '경도풍',
    text: '북반구에서 기압경도력과 위도가 같을 때, 저기압성 곡률을 가진 경도풍의 풍속을 지균풍과 비교하면?',
    choices: [
      '원심력이 기압경도력에 더해지므로 지균풍보다 강하다.',
      '전향력이 사라지므로 지균풍과 같다.',
      '원심력이 전향력과 같은 쪽으로 작용하므로 지균풍보다 약하다.',
      '마찰력이 커지므로 지균풍보다 강하다.'
    ],
    answer: 3
  },
  calculated({
    topic: '층후',
    text: ({ meanVirtualKelvin, bottom, top }) => `${bottom} hPa와 ${top} hPa 사이의 평균 가온도가 ${meanVirtualKelvin} K일 때 두 등압면 사이의 층후에 가장 가까운 값은? (기체상수 287 J kg⁻¹ K⁻¹, 중력가속도 9.81 m/s², ln 2 = 0.693)`,
    formula: 'thickness',
    given: { meanVirtualKelvin: 264, bottom: 1000, top: 500 },
    shown: [4960, 5160, 5560, 5355],
    unit: ' m',
    answer: 4
  }),
  calculated({
    topic: '로스비파',
    text: ({ speed }) => `평균 서풍이 ${speed} m/s이고 β가 1.6 × 10⁻¹¹ m⁻¹s⁻¹일 때, 순압 로스비파가 지면에 대하여 정지하는 파장에 가장 가까운 값은?`,
    formula: 'stationaryWavelength',
    given: { speed: 20, beta: 1.6e-11 },
    shown: [7020, 3510, 1120, 14_050],
    unit: ' km',
    answer: 1,
    rationale: '위상속도 U − βL²/4π²이 0이 되는 파장은 2π√(U/β)이다. √(20 ÷ 1.6 × 10⁻¹¹) ≈ 1.12 × 10⁶ m에 2π를 곱하면 약 7,020 km이다.'
  }),
  {
    topic: '마찰',
    text: '북반구의 지상에서 마찰력 때문에 바람이 등압선과 이루는 관계로 옳은 것은?',
    choices: [
      '등압선과 나란하게 저압부를 오른쪽에 두고 분다.',
      '등압선을 비스듬히 가로질러 저압부 쪽으로 분다.',
      '등압선을 비스듬히 가로질러 고압부 쪽으로 분다.',
      '등압선에 직각으로 고압부 쪽으로 분다.'
    ],
    answer: 2
  },
  {
    topic: '정역학 평형',
    text: '종관 규모 대기에서 성립하는 정역학 평형은 어떤 두 힘의 균형인가?',
    choices: [
      '수평 기압경도력과 전향력',
      '수평 기압경도력과 마찰력',
      '연직 기압경도력과 중력',
      '원심력과 전향력'
    ],
    answer: 3
  }
]
