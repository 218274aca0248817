/** To be built. */
export default function JobsPage() {
  return null
}
