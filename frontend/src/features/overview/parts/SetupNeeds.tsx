import { useQuery } from '@tanstack/react-query'
import { useRights, useSession } from '~/api/session'
import { LinkButton } from '~/ui/LinkButton'
import { useText } from '~/ui/text/catalogue'
import { progressQuery } from '../queries'
import { text } from '../text'
import { Need } from './Need'

const steps = [['user', '/users'], ['provider', '/providers'], ['webdav', '/settings'], ['arrs', '/settings']] as const

/** What the server still lacks, for whoever can see to it. A demonstration needs nothing. */
export function SetupNeeds() {
  const t = useText(text)
  const may = useRights()('manage')
  const session = useSession()
  const wanted = may && session?.demo !== true
  const progress = useQuery({ ...progressQuery, enabled: wanted }).data
  if (!wanted || progress === undefined) return null
  return steps.filter(([step]) => !progress[step]).map(([step, to]) => (
    <Need key={step} state="hint" title={t.setup[step]}><LinkButton to={to} size="compact-sm" variant="default">{t.setupGo[step]}</LinkButton></Need>
  ))
}
