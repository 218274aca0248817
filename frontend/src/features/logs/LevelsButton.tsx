import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Dialog } from '~/ui/Dialog'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { Loading } from '~/ui/state/Loading'
import { useText } from '~/ui/text/catalogue'
import { levelsQuery } from './calls'
import { LevelsForm } from './LevelsForm'
import { text } from './text'

/** Opens what is logged, to change it. */
export function LevelsButton() {
  const t = useText(text)
  const [opened, { open, close }] = useDisclosure(false)
  const { data, error } = useQuery({ ...levelsQuery, enabled: opened })
  return (
    <>
      <Button variant="default" onClick={open}>{t.change}</Button>
      <Dialog opened={opened} onClose={close} title={t.changeTitle}>
        {error !== null && <ErrorNote error={error} />}
        {data === undefined && error === null && <Loading rows={3} />}
        {data !== undefined && <LevelsForm levels={data} onDone={close} />}
      </Dialog>
    </>
  )
}
