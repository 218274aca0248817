import { Button, Group, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { KeyName } from '~/api/types'
import { CopyButton } from '~/ui/CopyButton'
import { PasswordAgain } from '~/ui/PasswordAgain'
import { useText } from '~/ui/text/catalogue'
import { useShowKey } from './calls'
import { text } from './text'

const Names: readonly KeyName[] = ['full', 'client', 'add', 'read']

/** The keys of programs: shown one by one, after the password. */
export function Keys({ askName }: { askName: boolean }) {
  const t = useText(text)
  const show = useShowKey()
  const [asking, setAsking] = useState<KeyName | null>(null)
  const [values, setValues] = useState<Partial<Record<KeyName, string | null>>>({})
  const close = () => {
    show.reset()
    setAsking(null)
  }
  return (
    <section>
      <Title order={2}>{t.keys}</Title>
      <Text size="sm" c="dimmed" mb="xs">{t.keysHint}</Text>
      <div className="surface" style={{ maxWidth: 760 }}>
        {Names.map((name) => {
          const value = values[name]
          return (
            <Group key={name} justify="space-between" px="md" py="xs" data-key={name}>
              <div style={{ flex: 1, minWidth: 220 }}>
                <Text fw={600}>{t.keyNames[name]}</Text>
                <Text size="sm" c="dimmed">{t.keyHints[name]}</Text>
                {typeof value === 'string' && <Text className="mono" style={{ overflowWrap: 'anywhere' }}>{value}</Text>}
                {value === null && <Text size="sm" c="var(--nz-waiting)">{t.noKey}</Text>}
              </div>
              <Group gap="xs">
                {typeof value === 'string' && <CopyButton value={value} aria-label={t.copyOf(t.keyNames[name])} />}
                {value === undefined
                  ? <Button size="compact-sm" variant="default" aria-label={t.showOf(t.keyNames[name])} onClick={() => setAsking(name)}>{t.show}</Button>
                  : <Button size="compact-sm" variant="subtle" onClick={() => setValues((all) => ({ ...all, [name]: undefined }))}>{t.hide}</Button>}
              </Group>
            </Group>
          )
        })}
      </div>
      {asking !== null && (
        <PasswordAgain opened title={t.showTitle(t.keyNames[asking])} action={t.show} busy={show.isPending} error={show.error} askName={askName} onClose={close}
          onSubmit={(credentials) => show.mutate({ key: asking, ...credentials }, { onSuccess: (value) => { setValues((all) => ({ ...all, [asking]: value })); close() } })} />
      )}
    </section>
  )
}
