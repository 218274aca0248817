import { useIsStuck } from '~/api/chunks/chunks'
import { Loading } from '~/ui/state/Loading'
import { Notice } from '~/ui/state/Notice'
import { useText } from '~/ui/text/catalogue'
import { text } from './text'

/** Stands where a page will be: it takes its time, or waits for a server that is away. */
export function Pending() {
  const t = useText(text)
  return useIsStuck() ? <Notice kind="waiting">{t.pageComes}</Notice> : <Loading />
}
