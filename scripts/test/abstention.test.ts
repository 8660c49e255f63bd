import t from 'tap'
import { notSaidIn } from '../../services/generation/domain/model/not-said.ts'
import { rejectsPremise, saysNotSaid } from '../../services/scoring/domain/abstention.ts'

t.test('scoring knows every wording in which generation says that the paper has no answer', async t => {
  for (const language of ['en', 'ko', 'de', 'fr', 'es', 'pt', 'it', 'zh', 'ja', 'ru']) {
    const { notSaid, wrongPremise } = notSaidIn(language)!
    t.ok(saysNotSaid(notSaid) && !rejectsPremise(notSaid), notSaid)
    t.ok(rejectsPremise(wrongPremise) && !saysNotSaid(wrongPremise), wrongPremise)
  }
})
