import classes from './ReleaseName.module.css'

/** A long name on two lines at most, whole in its tooltip. One text: the browser's search finds it, and a copy of it has no line break. */
export function ReleaseName({ name }: { name: string }) {
  return <span className={classes.name} title={name}>{name}</span>
}
