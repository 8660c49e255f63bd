/** Of what simulated banks are made: stems, each in several wordings, what is put into them, and swaps. */

/** `wordings[0]` is the item, the others say the same. {t}: what is asked about; {c}: where or when. */
export interface Stem { wordings: readonly string[] }

export interface BankWords {
  language: 'ko' | 'en'
  stems: readonly Stem[]
  topics: readonly string[]
  settings: readonly string[]
  /** A setting and one that turns the question round; neither stands in a list of the code that is tested. */
  swaps: ReadonlyArray<readonly [string, string]>
  /** A stem and one that asks for the opposite. */
  turned: ReadonlyArray<readonly [string, string]>
  subjects: readonly string[]
  predicates: readonly string[]
  last: string
}

export const englishWords: BankWords = {
  language: 'en',
  stems: [
    { wordings: ['Which of the following statements about {t} {c} is correct?', 'Pick the accurate claim on {t} {c}.', 'Regarding {t}, which claim holds {c}?'] },
    { wordings: ['What is the main reason that forecasters examine {t} {c}?', 'Why, above all, do forecasters look at {t} {c}?', 'Forecasters examine {t} {c}. What chiefly motivates them?'] },
    { wordings: ['A station records {t} {c} every ten minutes. Which conclusion follows?', 'Every ten minutes a station logs {t} {c}. Which inference is justified?'] },
    { wordings: ['{c}, how does {t} influence the lowest layer of the atmosphere?', 'How is the lowest layer of the atmosphere influenced by {t} {c}?', 'Which influence does {t} have {c} on the lowest layer of the atmosphere?'] },
    { wordings: ['A student explains {t} {c} to the class. Which explanation is acceptable?', 'Which account of {t} {c} given by a student in class can be accepted?'] },
    { wordings: ['Select the property by which {t} can be told from other quantities {c}.', 'By which property is {t} distinguished from other quantities {c}?'] }
  ],
  topics: ['potential temperature', 'relative vorticity', 'the mixing ratio', 'the dew point depression', 'geostrophic balance', 'the lapse rate', 'wind shear', 'the tropopause fold', 'radar reflectivity', 'the albedo of snow', 'the Rossby number', 'static stability',
    'the thermal wind', 'convective inhibition', 'the Bowen ratio', 'optical depth', 'the Coriolis parameter', 'surface roughness', 'precipitable water', 'the freezing level', 'helicity', 'frontogenesis', 'the virtual temperature', 'the saturation vapour pressure',
    'the scale height', 'turbulent mixing', 'the Richardson number', 'nocturnal drainage flow', 'sea surface temperature', 'the jet streak', 'the cloud base', 'ice nucleation', 'the visibility sensor', 'the ceilometer signal', 'lightning density', 'soil moisture'],
  settings: ['on the windward slope', 'along the onshore track', 'in an upwelling zone', 'while evaporation dominates', 'in the northern basin', 'before the front passes', 'over fresh snow', 'in a street canyon', 'during the first hour', 'at the mountain station',
    'over the tidal flat', 'in an island harbour', 'inside the eyewall', 'above the inversion', 'in a forest clearing', 'during the dust season', 'at the airport', 'over a melting glacier', 'within the sea breeze', 'in the rain shadow'],
  swaps: [['on the windward slope', 'on the leeward slope'], ['along the onshore track', 'along the offshore track'], ['in an upwelling zone', 'in a downwelling zone'], ['while evaporation dominates', 'while condensation dominates'], ['inside the eyewall', 'inside the rainband']],
  turned: [['is correct?', 'is not correct?'], ['Which conclusion follows?', 'Which conclusion does not follow?'], ['the lowest layer', 'the highest layer'], ['is acceptable?', 'is unacceptable?'], ['every ten minutes', 'every thirty minutes'], ['the main reason', 'the least reason']],
  subjects: ['The vertical gradient', 'The stored energy', 'Its daily cycle', 'The measured value', 'The pressure response', 'The moisture supply', 'Its horizontal scale', 'The radiative loss', 'The momentum flux', 'The sampling error', 'The phase lag', 'The mean profile', 'The buoyancy term', 'The heat content'],
  predicates: ['grows with the square of the wind speed', 'is conserved along a trajectory', 'depends on the latitude alone', 'vanishes where the flow is uniform', 'follows the solar elevation with a delay', 'is set by the slowest process', 'cannot be observed from a satellite', 'is balanced by friction near the ground',
    'changes sign at the level of no divergence', 'is largest shortly after sunrise', 'equals that of dry air', 'scales with the depth of the layer', 'is limited by the supply of aerosol', 'responds within a few minutes', 'remains constant in a mixed layer', 'needs a correction for altitude'],
  last: 'All of the above.'
}

export const koreanWords: BankWords = {
  language: 'ko',
  stems: [
    { wordings: ['{c} {t}에 대한 설명으로 옳은 것은?', '{c} {t}에 관하여 바르게 설명한 것을 고르시오.', '다음 중 {t}에 대해 {c} 맞게 서술한 것은 무엇인가?'] },
    { wordings: ['예보관이 {c} {t}을 살펴보는 가장 주된 이유는 무엇인가?', '{c} 예보관이 {t}을 살펴보는 주된 까닭으로 알맞은 것은?'] },
    { wordings: ['{c} {t}을 십 분마다 기록하였다. 여기서 내릴 수 있는 결론은?', '십 분마다 {c} {t}을 기록하였을 때 내릴 수 있는 결론을 고르면?'] },
    { wordings: ['{t}이 {c} 대기의 가장 낮은 층에 미치는 영향으로 옳은 것은?', '{c} {t}이 대기의 가장 낮은 층에 미치는 영향을 바르게 말한 것은?'] },
    { wordings: ['한 학생이 {c} {t}을 설명하였다. 받아들일 수 있는 설명은?', '{c} {t}을 한 학생이 설명한 것으로 받아들일 수 있는 것은 어느 것인가?'] }
  ],
  topics: ['온위', '상대와도', '혼합비', '이슬점 편차', '지균풍', '기온감률', '바람시어', '대류권계면', '레이더 반사도', '눈의 반사율', '로스비 수', '정역학 안정도', '온도풍', '대류억제에너지', '보웬비', '광학두께', '코리올리 인자', '지면 거칠기', '가강수량', '빙결고도', '헬리시티',
    '전선발생', '가온도', '포화수증기압', '규모고도', '난류 혼합', '리처드슨 수', '활강류', '해수면온도', '제트핵', '운저고도', '빙정핵', '시정계', '운고계', '낙뢰밀도', '토양수분'],
  settings: ['밀물 때', '연안 용승 해역에서', '증발이 우세할 때', '전선이 지나기 전에', '갓 내린 눈 위에서', '도시 협곡에서', '첫 한 시간 동안', '산악 관측소에서', '갯벌 위에서', '섬의 항구에서', '눈벽 안에서', '역전층 위에서', '숲속 빈터에서', '황사 기간에', '공항에서', '녹는 빙하 위에서',
    '해풍이 불 때', '비그늘에서'],
  swaps: [['밀물 때', '썰물 때'], ['연안 용승 해역에서', '연안 침강 해역에서'], ['증발이 우세할 때', '응결이 우세할 때'], ['눈벽 안에서', '나선대 안에서']],
  turned: [['옳은 것은?', '옳지 않은 것은?'], ['내릴 수 있는 결론은?', '내릴 수 없는 결론은?'], ['가장 낮은 층', '가장 높은 층'], ['받아들일 수 있는', '받아들이지 못할'], ['십 분마다', '삼십 분마다']],
  subjects: ['연직 경도는', '저장된 에너지는', '일변화는', '측정값은', '기압 반응은', '수분 공급은', '수평 규모는', '복사 손실은', '운동량 속은', '표본 오차는', '위상 지연은', '평균 분포는', '부력 항은', '열용량은'],
  predicates: ['풍속의 제곱에 비례하여 커진다', '궤적을 따라 보존된다', '위도에만 의존한다', '흐름이 균일하면 사라진다', '태양 고도를 늦게 뒤따른다', '가장 느린 과정이 정한다', '위성으로는 관측할 수 없다', '지면 부근에서 마찰과 균형을 이룬다', '무발산 고도에서 부호가 바뀐다', '해가 뜬 직후에 가장 크다', '건조 공기의 값과 같다',
    '층의 두께에 따라 달라진다', '에어로졸 공급에 제한된다', '몇 분 안에 반응한다', '혼합층에서 일정하게 유지된다', '고도 보정이 필요하다'],
  last: '위의 보기 모두'
}
