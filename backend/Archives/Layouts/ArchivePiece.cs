namespace NzbDav.Archives.Layouts;

/// <summary>Contiguous bytes in one volume.</summary>
/// <param name="Volume">Index into the list of files that was given to <see cref="ArchiveReader"/>.</param>
/// <param name="Offset">Offset in that file of the first byte.</param>
/// <param name="Length">Bytes, at least 1.</param>
public readonly record struct ArchivePiece(int Volume, long Offset, long Length);
