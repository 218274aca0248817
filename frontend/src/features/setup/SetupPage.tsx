import { Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { sessionQuery, useRights } from '~/api/session'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { LinkButton } from '~/ui/LinkButton'
import { useText } from '~/ui/text/catalogue'
import { AccountStep } from './AccountStep'
import { ArrsStep } from './ArrsStep'
import { Over } from './Over'
import { PlayStep } from './PlayStep'
import { ProviderStep } from './ProviderStep'
import classes from './Setup.module.css'
import { following, isDone, present, steps, type Step } from './steps'
import { text } from './text'
import { progressQuery } from './useSetup'

const parts = { account: AccountStep, provider: ProviderStep, play: PlayStep, arrs: ArrsStep }

/** Leads through the first minutes: account, provider, players, *arrs. Can be opened again at any time. */
export default function SetupPage() {
  const t = useText(text)
  const may = useRights()
  const navigate = useNavigate()
  const { step: asked }: Readonly<Record<string, string | undefined>> = useSearch({ strict: false })
  const session = useQuery(sessionQuery).data
  const isNew = session?.state === 'setup'
  const progress = useQuery({ ...progressQuery, enabled: !isNew && may('manage') })
  const heading = useRef<HTMLHeadingElement>(null)
  const step = isNew ? 'account' : present(asked, progress.data)
  useEffect(() => {
    document.title = `${t.title} - NzbDav`
  }, [t])
  const before = useRef(step)
  useEffect(() => {
    // A step is a page of its own to whoever cannot see that it has changed.
    if (before.current !== step) heading.current?.focus()
    before.current = step
  }, [step])
  const go = (to: Step | 'over') => void navigate({ to: '/setup', search: { step: to } })

  if (!isNew && !may('manage')) return <Frame><Text>{t.denied}</Text><LinkButton to="/" mt="md">{t.toOverview}</LinkButton></Frame>
  if (!isNew && progress.error !== null) return <Frame><ErrorNote error={progress.error} retry={() => void progress.refetch()} /></Frame>
  if (!isNew && progress.data === undefined) return <Frame />
  const done = progress.data
  const Part = step === 'over' ? null : parts[step]
  return (
    <Frame>
      <ol className={classes.steps}>
        {steps.map((one, at) => (
          <li key={one} className={classes.step} aria-current={one === step ? 'step' : undefined} data-done={(done !== undefined && isDone(one, done)) || undefined}>
            {isNew ? <Name at={at} step={one} /> : <Link to="/setup" search={{ step: one }}><Name at={at} step={one} /></Link>}
            {done !== undefined && isDone(one, done) && <span className="visually-hidden">, {t.done}</span>}
          </li>
        ))}
      </ol>
      <Title order={2} ref={heading} tabIndex={-1} mb="xs" className={classes.heading}>{step === 'over' ? t.over.title : t.steps[step]}</Title>
      {Part === null ? <Over progress={done} /> : step !== 'over' && <Part next={() => go(following(step))} />}
    </Frame>
  )
}

/** A step's number, and on narrow screens the name of the present one only; the others keep theirs for those who listen. */
function Name({ at, step }: { at: number; step: Step }) {
  const name = useText(text).steps[step]
  return <>{at + 1} <span className={classes.name} aria-hidden>{name}</span><span className="visually-hidden">{name}</span></>
}

function Frame({ children }: { children?: React.ReactNode }) {
  const t = useText(text)
  return (
    <main className={classes.page}>
      <Title order={1} className={classes.brand}>NzbDav: {t.title}</Title>
      {children}
    </main>
  )
}
