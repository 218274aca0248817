/** To be built. */
export default function FilesPage() {
  return null
}
