/** Part 2, observation (관측). */
import { echo, radarTimes } from '../charts/diagrams.ts'
import { calculated, frames, type Question } from '../question.ts'

export const observation: readonly Question[] = [
  {
    topic: '바람 기호',
    text: '그림의 바람 기호(북반구, 위쪽이 북쪽)가 나타내는 풍향과 풍속은?',
    image: 'wind-barb.png',
    choices: ['서북서풍, 65노트', '동남동풍, 65노트', '서북서풍, 25노트', '북북동풍, 115노트'],
    answer: 1
  },
  {
    topic: '바람 기호',
    text: '풍향이 남서풍이고 풍속이 35노트인 바람을 옳게 나타낸 기호는? (북반구, 위쪽이 북쪽)',
    choices: [1, 2, 3, 4].map(at => ({ image: `wind-choice-${at}.png` })),
    answer: 2,
    rationale: '깃대는 바람이 불어오는 쪽인 남서쪽으로 뻗고, 긴 깃 하나는 10노트, 짧은 깃 하나는 5노트이므로 긴 깃 셋과 짧은 깃 하나가 35노트이다. 삼각형 깃발이 있으면 50노트가 더해진다.'
  },
  {
    topic: '지상기입모형',
    text: '그림은 어느 지점의 지상기입모형이다. 오른쪽 위의 숫자가 뜻하는 해면기압은?',
    image: 'station.png',
    choices: ['947.0 hPa', '1000.47 hPa', '1004.7 hPa', '1047.0 hPa'],
    answer: 3,
    rationale: '기압은 0.1 hPa 단위의 끝 세 자리만 적는다. 047은 904.7 또는 1004.7 hPa인데, 해면기압으로 보통 나타나는 값인 1004.7 hPa로 읽는다.'
  },
  calculated({
    topic: '기상레이더',
    text: ({ km, movedKm, minutes }) => `그림은 레이더 O의 반사도 영상을 ${minutes}분 간격으로 나타낸 것이다. 동심원의 간격은 ${movedKm} km이고, 마지막 영상에서 에코 중심은 O에서 ${km} km 떨어져 있다. 에코가 같은 방향과 속도로 이동한다면 14시 40분부터 몇 분 뒤에 에코 중심이 O에 도달하는가?`,
    frames: frames('radar', radarTimes),
    formula: 'echoArrival',
    given: { km: echo.distances[2], movedKm: echo.distances[1] - echo.distances[2], minutes: echo.minutes },
    shown: [20, 40, 60, 80],
    unit: '분',
    answer: 2
  }),
  {
    topic: '고층관측',
    text: '그림은 맑은 날 아침의 단열선도이다. 지표 부근에 생긴 기온역전층의 꼭대기에 가장 가까운 기압은?',
    image: 'skew-t-inversion.png',
    choices: ['500 hPa', '700 hPa', '850 hPa', '950 hPa'],
    answer: 4
  },
  calculated({
    topic: '습도',
    text: ({ vapourPressure, saturation }) => `기온 25 °C에서 포화수증기압이 ${saturation} hPa이고 실제 수증기압이 ${vapourPressure} hPa일 때 상대습도에 가장 가까운 값은?`,
    formula: 'relativeHumidity',
    given: { vapourPressure: 17.1, saturation: 31.7 },
    shown: [54, 46, 60, 85],
    unit: '%',
    answer: 1
  }),
  calculated({
    topic: '강수량',
    text: ({ millilitres, diameterCm }) => `수수구의 지름이 ${diameterCm} cm인 우량계에 물 ${millilitres} mL가 모였다. 강수량에 가장 가까운 값은? (원주율은 3.14로 계산한다.)`,
    formula: 'rainDepth',
    given: { millilitres: 628, diameterCm: 20 },
    shown: [2, 5, 20, 31.4],
    unit: ' mm',
    answer: 3
  }),
  calculated({
    topic: '기상레이더',
    text: ({ z }) => `레이더 반사도 인자 Z가 ${z!.toLocaleString('en-US')} mm⁶/m³일 때 이를 dBZ로 나타내면?`,
    formula: 'reflectivity',
    given: { z: 10_000 },
    shown: [4, 40, 100, 10_000],
    unit: ' dBZ',
    answer: 2,
    rationale: 'dBZ는 10 log₁₀ Z이다. Z가 10,000(=10⁴)이면 10 × 4 = 40 dBZ이다.'
  }),
  {
    topic: '기상위성',
    text: '기상위성의 적외(10.8 μm 부근) 영상을 온도가 낮을수록 밝게 나타낼 때, 가장 밝게 보이는 것은?',
    choices: ['해수면 위의 안개', '한낮의 맑은 사막', '운정 고도가 높은 적란운', '맑은 하늘 아래의 따뜻한 바다'],
    answer: 3
  },
  {
    topic: '지상관측',
    text: '종관 관측에서 지상 바람을 대표하기 위하여 풍향풍속계를 설치하는 표준 높이는? (장애물이 없는 평탄지)',
    choices: ['지상 1.5 m', '지상 5 m', '지상 50 m', '지상 10 m'],
    answer: 4
  },
  {
    topic: '고층관측',
    text: 'GPS 라디오존데가 상층 바람을 구하는 방법은?',
    choices: [
      '기구에 달린 회전컵 풍속계의 회전수를 센다.',
      '바람에 실려 가는 기구의 위치 변화를 추적한다.',
      '기구 주변의 기압 변화율만으로 계산한다.',
      '지상에서 기구로 보낸 음파의 크기를 잰다.'
    ],
    answer: 2
  },
  {
    topic: '해면경정',
    text: '관측소에서 잰 현지기압을 해면기압으로 고쳐 일기도에 기입하는 까닭은?',
    choices: [
      '관측소의 해발고도 차이로 생기는 기압 차이를 없애기 위하여',
      '관측 시각의 차이로 생기는 기압 차이를 없애기 위하여',
      '지구 자전의 영향을 기압에서 없애기 위하여',
      '기압계의 눈금 오차를 바로잡기 위하여'
    ],
    answer: 1
  },
  {
    topic: '기상위성',
    text: '정지궤도 기상위성의 수증기 채널(6~7 μm) 영상이 주로 알려 주는 것은?',
    choices: ['지표면의 식생 상태', '해수면의 염분', '지표면 바로 위의 기온', '대류권 중·상층의 수증기 분포'],
    answer: 4
  },
  {
    topic: '기상위성',
    text: '대한민국 기상청이 운영하는 정지궤도 기상위성 천리안위성 2A호에 대한 설명으로 옳은 것은?',
    implicit: { text: '우리나라의 정지궤도 기상위성에 대한 설명으로 옳은 것은?' },
    choices: [
      '적도 상공에서 지구 자전과 같은 주기로 돌며 같은 지역을 계속 관측한다.',
      '약 850 km 고도에서 남북극을 지나며 하루에 지구 전체를 관측한다.',
      '북극 상공에 머물며 북반구 전체를 관측한다.',
      '구름 아래로 낮게 날며 강수량을 직접 받아 잰다.'
    ],
    answer: 1
  }
]
