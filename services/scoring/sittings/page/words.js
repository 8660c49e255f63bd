/** The words of the page, by language. What is asked stays in the language of the item. */

export const words = {
  en: {
    other: '한국어',
    title: 'Sitting',
    key: 'API key',
    begin: 'Begin',
    paper: 'Text of the paper',
    send: 'Answer',
    dontKnow: 'I don\'t know',
    skip: 'Skip',
    close: 'Hand in',
    keys: 'Keys: a digit or letter chooses, Enter answers (Ctrl+Enter in a text), Alt+K I don\'t know, Alt+S skip.',
    answerLabel: 'Your answer',
    yes: 'Yes',
    no: 'No',
    image: at => `Image ${at}`,
    position: (at, count) => `Question ${at} of ${count}`,
    left: time => `${time} left`,
    rules: (count, whole, own) => [`${count} questions.`, whole === null ? 'There is no time limit for the whole.' : `${whole} for the whole.`,
      own === null ? '' : `${own} for each question.`, 'The time starts with the first question and does not stop when you leave this page.'].filter(Boolean).join(' '),
    choose: 'Choose an answer first, or say that you don\'t know.',
    kept: 'Kept.',
    late: 'Kept, but it came after the time and does not count.',
    over: 'The time is over.',
    allSeen: 'That was the last question. Skipped ones, with a dashed border below, can still be answered.',
    handIn: 'Once handed in, nothing can be changed.',
    sure: 'Hand in now? Nothing can be changed afterwards.',
    closed: 'Handed in. Thank you.',
    unreached: 'The service cannot be reached. What you typed is kept in this browser: try again in a moment.',
    noId: 'The address of this page must name the sitting: /sitting?id=sit_…',
    question: (at, ending) => `Question ${at}: ${ending}`,
    endings: { answered: 'answered', declined: 'don\'t know', skipped: 'skipped', late: 'late' }
  },
  ko: {
    other: 'English',
    title: '시험 응시',
    key: 'API 키',
    begin: '시작',
    paper: '논문 본문',
    send: '답하기',
    dontKnow: '모르겠음',
    skip: '건너뛰기',
    close: '제출',
    keys: '단축키: 숫자나 글자로 선택, Enter 답하기(글 입력란에서는 Ctrl+Enter), Alt+K 모르겠음, Alt+S 건너뛰기.',
    answerLabel: '답',
    yes: '예',
    no: '아니오',
    image: at => `그림 ${at}`,
    position: (at, count) => `문항 ${at} / ${count}`,
    left: time => `남은 시간 ${time}`,
    rules: (count, whole, own) => [`문항은 모두 ${count}개입니다.`, whole === null ? '전체 시간 제한은 없습니다.' : `전체 제한 시간은 ${whole}입니다.`,
      own === null ? '' : `문항마다 제한 시간은 ${own}입니다.`, '시간은 첫 문항부터 흐르며, 이 화면을 떠나도 멈추지 않습니다.'].filter(Boolean).join(' '),
    choose: '먼저 답을 고르거나 모르겠음을 누르세요.',
    kept: '저장했습니다.',
    late: '저장했지만 시간이 지나 점수에 들어가지 않습니다.',
    over: '시간이 끝났습니다.',
    allSeen: '마지막 문항이었습니다. 아래에 점선으로 표시된, 건너뛴 문항은 아직 답할 수 있습니다.',
    handIn: '제출하면 더 고칠 수 없습니다.',
    sure: '지금 제출할까요? 제출하면 더 고칠 수 없습니다.',
    closed: '제출했습니다. 고맙습니다.',
    unreached: '서버에 연결할 수 없습니다. 입력한 내용은 이 브라우저에 남아 있으니 잠시 뒤 다시 해 보세요.',
    noId: '주소에 응시 번호가 있어야 합니다: /sitting?id=sit_…',
    question: (at, ending) => `문항 ${at}: ${ending}`,
    endings: { answered: '답함', declined: '모르겠음', skipped: '건너뜀', late: '시간 지남' }
  }
}

/** "1:05:09" or "12:30". */
export function timeOf (seconds) {
  const whole = Math.ceil(seconds)
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const [first, ...rest] = parts[0] > 0 ? parts : parts.slice(1)
  return [String(first), ...rest.map(part => String(part).padStart(2, '0'))].join(':')
}
