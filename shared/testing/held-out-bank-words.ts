/**
 * A second set of words for simulated banks, of other subjects. Rules of deduplication were written and tuned
 * on the first set; this one was written before and is looked at only to tell how they do elsewhere.
 */
import type { BankWords } from './raw-bank-words.ts'

export const heldOutEnglish: BankWords = {
  language: 'en',
  stems: [
    { wordings: ['Which statement best describes {t} {c}?', 'Of the statements below, which one gives the best description of {t} {c}?', 'Which of these is the most fitting description of {t} {c}?'] },
    { wordings: ['Why do engineers measure {t} {c}?', 'For what purpose is {t} measured by engineers {c}?', 'What do engineers want to learn when they measure {t} {c}?'] },
    { wordings: ['Which factor has the greatest effect on {t} {c}?', 'By which factor is {t} affected the most {c}?', '{c}, which factor affects {t} most strongly?'] },
    { wordings: ['What happens to {t} {c} when the load is doubled?', 'The load is doubled. What is the consequence for {t} {c}?', 'How does {t} {c} respond to a doubling of the load?'] },
    { wordings: ['A laboratory reports {t} {c}. Which remark in the report is justified?', 'In a report on {t} {c} by a laboratory, which remark can be justified?'] },
    { wordings: ['Identify the quantity that must be known in order to calculate {t} {c}.', 'To compute {t} {c}, which quantity has to be known?', 'Which quantity is required for the computation of {t} {c}?'] }
  ],
  topics: ['bending stiffness', 'the yield stress', 'the thermal conductivity', 'the Reynolds number', 'creep strain', 'the contact angle', 'the quality factor', 'the fatigue limit', 'magnetic hysteresis', 'the skin depth', 'the void fraction', 'shear modulus', 'the noise figure', 'residual stress', 'the duty cycle',
    'the Prandtl number', 'the friction coefficient', 'the band gap', 'ion mobility', 'the settling time', 'the hydraulic head', 'porosity', 'the refractive index', 'the damping ratio', 'the packing density', 'the melt viscosity'],
  settings: ['in the annealed state', 'under alternating current', 'at the anode side', 'near the leading edge', 'in the transmitted beam', 'for a series circuit', 'in the charged cell', 'after the first heat treatment', 'in a thin plate', 'at the weld', 'within the boundary layer', 'for a hollow shaft', 'in the test rig', 'at room conditions', 'across the joint'],
  swaps: [['in the annealed state', 'in the quenched state'], ['under alternating current', 'under direct current'], ['near the leading edge', 'near the trailing edge'], ['in the transmitted beam', 'in the reflected beam'], ['in the charged cell', 'in the discharged cell'], ['for a series circuit', 'for a parallel circuit']],
  turned: [['best describes', 'does not describe'], ['the greatest effect', 'the smallest effect'], ['is doubled', 'is halved'], ['is justified', 'is not justified'], ['must be known', 'need not be known']],
  subjects: ['The first derivative', 'The surface layer', 'Its mean value', 'The stored charge', 'The tensile part', 'The resonant mode', 'The inner radius', 'The measured drop', 'The outer fibre', 'The grain size', 'The applied field', 'The time constant'],
  predicates: ['rises with the third power of the thickness', 'stays the same along the axis', 'depends on the material alone', 'is zero where the section is symmetric', 'lags behind the excitation', 'is set by the weakest link', 'cannot be seen in the spectrum', 'is taken up by the supports', 'reverses at the neutral line', 'is highest close to the notch', 'matches that of the bulk', 'scales with the length of the specimen', 'needs a correction for temperature'],
  last: 'None of the above.'
}

export const heldOutKorean: BankWords = {
  language: 'ko',
  stems: [
    { wordings: ['{c} {t}의 특징을 가장 잘 나타낸 것은?', '다음 중 {c} {t}의 특징으로 가장 알맞은 것은?', '{t}의 특징을 {c} 가장 정확하게 표현한 것을 고르시오.'] },
    { wordings: ['{c} {t}을 측정하는 목적은 무엇인가?', '{t}을 {c} 측정하는 목적으로 적절한 것은?', '기술자가 {c} {t}을 측정하려는 목적에 해당하는 것은?'] },
    { wordings: ['{c} {t}에 가장 큰 영향을 주는 요인은?', '{t}에 {c} 가장 크게 영향을 미치는 요인을 고르면?', '다음 요인 중 {c} {t}에 가장 큰 영향을 끼치는 것은 어느 것인가?'] },
    { wordings: ['하중이 두 배로 되면 {c} {t}은 어떻게 변하는가?', '{c} 하중을 두 배로 하였을 때 {t}의 변화로 옳은 것은?'] },
    { wordings: ['{c} {t}을 구하기 위해 반드시 알아야 하는 양은?', '{t}을 {c} 계산하는 데 꼭 필요한 양은 무엇인가?'] }
  ],
  topics: ['굽힘강성', '항복응력', '열전도율', '레이놀즈수', '크리프변형률', '접촉각', '피로한도', '자기이력', '표피깊이', '공극률', '전단계수', '잡음지수', '잔류응력', '마찰계수', '띠간격', '이온이동도', '정착시간', '수두', '굴절률', '감쇠비', '충전밀도', '용융점도'],
  settings: ['풀림 상태에서', '교류 회로에서', '앞전 부근에서', '투과광에서', '직렬 회로에서', '충전된 전지에서', '얇은 판에서', '용접부에서', '경계층 안에서', '중공축에서', '시험 장치에서', '상온에서', '이음매를 지나면서'],
  swaps: [['풀림 상태에서', '담금질 상태에서'], ['교류 회로에서', '직류 회로에서'], ['투과광에서', '반사광에서'], ['충전된 전지에서', '방전된 전지에서'], ['직렬 회로에서', '병렬 회로에서']],
  turned: [['가장 잘 나타낸', '잘못 나타낸'], ['가장 큰 영향', '가장 작은 영향'], ['두 배로', '절반으로'], ['반드시 알아야 하는', '알지 않아도 되는'], ['측정하는 목적은', '측정하지 않는 까닭은']],
  subjects: ['일차 도함수는', '표면층은', '평균값은', '저장된 전하는', '인장 성분은', '공진 모드는', '안쪽 반지름은', '측정된 강하량은', '바깥 섬유는', '결정립 크기는', '가해진 자기장은', '시간상수는'],
  predicates: ['두께의 세제곱에 비례한다', '축을 따라 변하지 않는다', '재료에만 달려 있다', '단면이 대칭이면 영이 된다', '가진보다 늦게 따라온다', '가장 약한 고리가 정한다', '스펙트럼에 나타나지 않는다', '지지대가 받아 낸다', '중립선에서 방향이 바뀐다', '노치 가까이에서 가장 높다', '모재의 값과 같다', '시편의 길이에 따라 달라진다', '온도 보정이 필요하다'],
  last: '위의 보기에 없음'
}
