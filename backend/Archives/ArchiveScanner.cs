using NzbDav.Archives.Volumes;

namespace NzbDav.Archives;

/// <summary>Scans files for archives: <see cref="ArchiveReader.ReadAsync"/>, as it is handed to what looks inside of an archive.</summary>
internal delegate ValueTask<ArchiveScan> ArchiveScanner(IReadOnlyList<ArchiveVolume> files, ArchiveOptions options, CancellationToken cancellationToken);
