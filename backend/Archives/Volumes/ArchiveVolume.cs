using NzbDav.Content;

namespace NzbDav.Archives.Volumes;

/// <summary>One file of a post, which may be a volume of an archive.</summary>
/// <param name="Content">Its bytes.</param>
/// <param name="Name">Its name, as far as known. Used to distinguish and order volumes where the headers do not, never to determine the
/// type.</param>
public sealed record ArchiveVolume(IContent Content, string Name)
{
    /// <summary>
    /// The first bytes of the volume, if they are already known; may be empty. They are not read from <see cref="Content"/> again.
    /// </summary>
    public ReadOnlyMemory<byte> Head { get; init; }

    /// <summary>
    /// Its number in the poster's count, as in <c>[07/21]</c>; null if unknown. Orders volumes that neither their headers nor their names
    /// order.
    /// </summary>
    public int? Place { get; init; }

    /// <summary>
    /// When it was posted; null if unknown. Orders volumes that nothing else orders, because they are posted one after the other.
    /// </summary>
    public DateTimeOffset? Posted { get; init; }

    /// <summary>
    /// True if nothing of it was read and its length is inferred. It is then not read to detect its kind. If the headers of its set cannot
    /// be inferred either, it is in no layout, or in a refused one.
    /// </summary>
    public bool IsInferred { get; init; }
}
