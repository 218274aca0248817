using System.Collections.Immutable;
using NzbDav.Archives.Layouts;

namespace NzbDav.Archives.Rar;

/// <summary>A file of the set, put together from its parts in the volumes.</summary>
/// <param name="First">The header of its first part.</param>
/// <param name="Last">The header of its last part, which has the file's checksum.</param>
/// <param name="Pieces">Its packed bytes, without empty pieces.</param>
internal sealed record RarMember(RarFile First, RarFile Last, ImmutableArray<ArchivePiece> Pieces)
{
    /// <summary>Packed bytes in total.</summary>
    public long Packed { get; } = Pieces.Sum(piece => piece.Length);
}
