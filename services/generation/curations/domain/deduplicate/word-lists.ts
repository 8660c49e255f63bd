/** Words of examination questions that turn what is asked round, or that a question has whatever it asks. */
import { comparatives, contrasts, directions, evenContrasts } from '../../../../../shared/text/opposites.ts'

/** English words that stand for each other's opposite; what papers use is in shared/text/opposites.ts. */
const englishPairs: ReadonlyArray<readonly [string, string]> = [
  ['saturated', 'unsaturated'], ['warm', 'cold'], ['hot', 'cold'], ['warming', 'cooling'], ['heating', 'cooling'], ['dry', 'wet'], ['dry', 'moist'],
  ['humid', 'arid'], ['day', 'night'], ['daytime', 'nighttime'], ['diurnal', 'nocturnal'], ['land', 'sea'], ['cyclone', 'anticyclone'],
  ['convergence', 'divergence'], ['convergent', 'divergent'], ['clockwise', 'counterclockwise'], ['clockwise', 'anticlockwise'],
  ['rising', 'sinking'], ['ascending', 'descending'], ['ascent', 'descent'], ['updraft', 'downdraft'], ['absorb', 'emit'], ['absorbs', 'emits'],
  ['absorption', 'emission'], ['incoming', 'outgoing'], ['inflow', 'outflow'], ['input', 'output'], ['internal', 'external'], ['interior', 'exterior'],
  ['horizontal', 'vertical'], ['parallel', 'perpendicular'], ['shortwave', 'longwave'], ['tropical', 'polar'], ['maritime', 'continental'],
  ['troposphere', 'stratosphere'], ['solid', 'liquid'], ['liquid', 'gas'], ['melting', 'freezing'], ['open', 'closed'], ['add', 'subtract'],
  ['multiply', 'divide'], ['minimum', 'maximum'], ['minima', 'maxima'], ['nearest', 'farthest'], ['shallowest', 'deepest'], ['coldest', 'warmest'],
  ['coldest', 'hottest'], ['driest', 'wettest'], ['fewest', 'most'], ['rarest', 'commonest'], ['true', 'false'], ['correct', 'incorrect'],
  ['right', 'wrong'], ['always', 'never'], ['possible', 'impossible'], ['likely', 'unlikely'], ['include', 'exclude'], ['included', 'excluded'],
  ['direct', 'indirect'], ['static', 'dynamic'], ['active', 'passive'], ['natural', 'artificial'], ['local', 'global'], ['real', 'virtual'],
  ['wet-bulb', 'dry-bulb'], ['cause', 'effect'], ['cause', 'prevent'], ['gains', 'loses'], ['cathode', 'anode'], ['proton', 'electron'], ['acid', 'base'],
  ['acidic', 'basic'], ['acidic', 'alkaline'], ['artery', 'vein'], ['oxidation', 'reduction'], ['concave', 'convex'], ['peak', 'trough'], ['crest', 'trough'],
  ['ridge', 'trough'], ['numerator', 'denominator'], ['supply', 'demand'], ['old', 'new'], ['buy', 'sell'], ['spring', 'autumn'], ['dawn', 'dusk'],
  ['morning', 'evening'], ['sunrise', 'sunset'], ['forward', 'backward'], ['over', 'under'], ['above', 'below'], ['into', 'out'], ['up', 'down']
]

/** Korean: longer parts stand anywhere in a word; single syllables where the rest of the word is the same. */
const koreanPairs: ReadonlyArray<readonly [string, string]> = [
  ['증가', '감소'], ['상승', '하강'], ['상승', '하락'], ['높', '낮'], ['크', '작'], ['큰', '작은'], ['많', '적'], ['강한', '약한'], ['강하', '약하'], ['빠르', '느리'],
  ['빠른', '느린'], ['두꺼', '얇'], ['길', '짧'], ['긴', '짧은'], ['넓', '좁'], ['깊', '얕'], ['가깝', '멀'], ['따뜻', '차가'], ['뜨거', '차가'], ['온난', '한랭'], ['난기', '한기'],
  ['습윤', '건조'], ['포화', '불포화'], ['수렴', '발산'], ['고기압', '저기압'], ['최대', '최소'], ['최고', '최저'], ['상층', '하층'], ['상류', '하류'], ['상부', '하부'], ['여름', '겨울'],
  ['봄', '가을'], ['낮', '밤'], ['주간', '야간'], ['북반구', '남반구'], ['북쪽', '남쪽'], ['동쪽', '서쪽'], ['왼쪽', '오른쪽'], ['육지', '바다'], ['육풍', '해풍'], ['흡수', '방출'], ['융해', '응고'],
  ['가열', '냉각'], ['시계방향', '반시계방향'], ['시계', '반시계'], ['수평', '수직'], ['연직', '수평'], ['단파', '장파'], ['해양성', '대륙성'], ['대류권', '성층권'], ['안정', '불안정'],
  ['정적', '동적'], ['직접', '간접'], ['가능', '불가능'], ['필요', '불필요'], ['규칙', '불규칙'], ['이전', '이후'], ['전', '후'], ['앞', '뒤'], ['위', '아래'], ['안', '밖'], ['내부', '외부'], ['유입', '유출'],
  ['입사', '반사'], ['양', '음'], ['상', '하'], ['고', '저'], ['대', '소'], ['동', '서'], ['남', '북'], ['내', '외'], ['난', '한'], ['건', '습'], ['장', '단'], ['강', '약'], ['맞', '틀리'], ['옳', '틀리'],
  ['참', '거짓'], ['정답', '오답'], ['찬성', '반대'], ['원인', '결과'], ['맑은', '흐린'], ['밝', '어두'], ['무거', '가벼'], ['짙', '옅'], ['시작', '끝'], ['이상', '이하'], ['초과', '미만'], ['이상', '미만'], ['초과', '이하']
]

function oppositesIn (pairs: ReadonlyArray<readonly [string, string]>): Map<string, Set<string>> {
  const opposites = new Map<string, Set<string>>()
  for (const [one, other] of pairs) {
    opposites.set(one, (opposites.get(one) ?? new Set()).add(other))
    opposites.set(other, (opposites.get(other) ?? new Set()).add(one))
  }
  return opposites
}

const english = oppositesIn(englishPairs)
/** What denies or turns the word that follows it, as part of that word. */
const turningStart = /^(?:un|in|im|il|ir|non-?|dis|anti-?|counter-?|a|de|mis|sub|super|hyper|hypo|under|over|불|비|무|미|반|역|부|저|고)$/u

/** Whether two words, in lower case, are opposites by a table or by how one is made of the other. */
export function areOpposite (one: string, other: string): boolean {
  if (one === other) return false
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  if (short.length > 1 && long.endsWith(short) && turningStart.test(long.slice(0, -short.length))) return true
  if (hangul.test(one)) return hangul.test(other) && swapsPart(one, other)
  if (english.get(one)?.has(other) === true) return true
  return [directions, comparatives, contrasts, evenContrasts]
    .some(table => table.get(one)?.word === other || table.get(other)?.word === one)
}

const hangul = /^[가-힣]/u
/** Each part with its opposites. */
const koreanParts = oppositesIn(koreanPairs)
const partMax = Math.max(...[...koreanParts.keys()].map(part => part.length))

function swapsPart (one: string, other: string): boolean {
  for (let start = 0; start < one.length; start++) {
    for (let length = 1; length <= Math.min(partMax, one.length - start); length++) {
      const part = one.slice(start, start + length)
      for (const opposite of koreanParts.get(part) ?? []) {
        if (!other.includes(opposite)) continue
        if (length > 1 && opposite.length > 1) return true
        if (one.slice(0, start) + opposite + one.slice(start + length) === other) return true
      }
    }
  }
  return false
}

const englishNegation = /^(?:not|no|never|none|nor|neither|without|cannot|except|excluding|excludes?|incorrect(?:ly)?|false|wrong(?:ly)?|untrue|inappropriate|unsuitable|invalid|fails?|lacks?|absent|absence|unable|hardly|barely|.+n['’]t)$/u
const koreanNegation = /않|못|없|아니|아닌|아닙|틀린|틀리|잘못|부적|거짓|제외|옳지|맞지|거리가|^안$/u

/** How often a run of words denies: "옳지 않은" once, as "틀린". */
export function denials (words: readonly string[]): number {
  let count = 0
  for (const [at, word] of words.entries()) {
    if (englishNegation.test(word)) count++
    // "옳지 않은" and "거리가 먼" are one denial in two words.
    else if (koreanNegation.test(word) && !/^(?:옳지|맞지|적절하지|거리가)$/u.test(word)) count++
    else if (/^거리가$/u.test(word) && /^먼/u.test(words[at + 1] ?? '')) count++
  }
  return count
}

/** A question has them whatever it asks. No word that tells a direction, a side, a number or a denial. */
export const frameWords: ReadonlySet<string> = new Set(`a an the is are was were be been being am of which what who whom when where how that this these
those it its as following follow choose select pick identify indicate mark option options alternative statement statements sentence answer answers one ones correct correctly true right
regarding concerning about describe describes described define defines defined do does did can could will would may might should shall there here given give please find determine state
question item items according called termed known named refer refers referred by for at on among listed list below and or say said best appropriate suitable valid accurate we you your one's
tell consider case think have has had them they
claim claims assertion assertions proposition propositions remark remarks account accounts comment comments view views hold holds apply applies acceptable accepted accept justified
다음 중 아래 보기 가운데 것 것은 것을 고르시오 고르면 고른 골라라 고르세요 옳은 옳게 맞는 맞게 올바른 올바르게 적절한 적합한 알맞은 바른 바르게 타당한 가장 무엇인가 무엇 무엇이 무엇인지 무엇입니까 어느 어느것 어떤 어느것인가
어느것입니까 설명 설명한 대한 대하여 대해 관한 관하여 관련된 관련한 해당하는 해당되는 진술 문장 내용 서술 기술 문항 답 답을 쓰시오 다음의 다음에서 다음은 것인가 것입니까 하나 하나를 선택하시오 선택하라 인 및
말하 말한 말하는 말할 언급 언급한 진술한 서술한 기술한 표현 표현한 설명하 바르게 여기서 여기에서 이때 그때 이로부터 이것 이것으로 때 경우 경우에 한`.split(/\s+/u))

/** Of each group one word may stand for another without changing what is asked. */
const synonymGroups = `cause causes produce produces generate generates|use uses employ employs utilize utilizes utilise|show shows display displays indicate indicates
occur occurs happen happens arise arises|begin begins start starts|end ends finish finishes|main primary principal chief|large big great|method technique procedure|kind type sort category
primarily mainly chiefly|frequently often commonly|need needs require requires|obtain obtains get gets|important significant key|quantity amount|region area zone|help helps aid aids assist assists
since because|distinguish distinguishes distinguished differentiate differentiates differentiated discriminate told|record records log logs register registers|look looks examine examines inspect inspects|inference conclusion deduction|approximately about roughly|usually generally normally typically|near close|form forms|make makes|reason explanation motive motivation motivate motivates|function role purpose|name term|instrument device apparatus
주로 대체로|원인 까닭 이유|방법 방식|종류 유형|역할 기능|이용 사용 활용|발생 나타나 생기|약 대략|의미 뜻|특징 특성|계산 산출|구하 계산하`.split(/[|\n]/u)
const groupOf = new Map(synonymGroups.flatMap((group, at) => group.split(/\s+/u).map((word): [string, number] => [word, at])))

export function areSynonyms (one: string, other: string): boolean {
  const group = groupOf.get(one)
  return group !== undefined && group === groupOf.get(other)
}

/** Symbols of units: another one is another question. */
export const unitWords: ReadonlySet<string> = new Set(`m cm mm km nm µm um μm g kg mg t s ms h hr min hour hours minute minutes second seconds day days k c f pa hpa kpa mb mbar bar atm j kj cal kcal w kw mw v a hz khz mhz
n mol l ml kt kts knot knots mph ft feet inch inches mile miles °c °f kelvin celsius fahrenheit degree degrees radian radians percent ppm ppb gpm dbz meters metres kilometers kilometres`.split(/\s+/u))
