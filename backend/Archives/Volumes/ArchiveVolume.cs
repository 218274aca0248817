using NzbDav.Content;

namespace NzbDav.Archives.Volumes;

/// <summary>One file of a post, which may be a volume of an archive.</summary>
/// <param name="Content">Its bytes.</param>
/// <param name="Name">What it is called, as far as anybody knows: used to tell apart and to order what the headers leave open, never to tell the type.</param>
public sealed record ArchiveVolume(IContent Content, string Name)
{
    /// <summary>
    /// The first bytes of the volume, when they are known already: read from here instead of from <see cref="Content"/>. May be empty.
    /// </summary>
    public ReadOnlyMemory<byte> Head { get; init; }

    /// <summary>
    /// Which file of its post it is, as the poster counted, for instance in <c>[07/21]</c>; null when nobody says. Orders volumes that neither their headers nor their names order.
    /// </summary>
    public int? Place { get; init; }

    /// <summary>When it was posted; null when nobody says. Orders volumes that nothing else orders, as they are posted one after the other.</summary>
    public DateTimeOffset? Posted { get; init; }

    /// <summary>
    /// Nothing of it was read and its length is reckoned: it is not looked at to find out what it is. If its set cannot be reckoned either, it is in no layout, or in one that
    /// is refused.
    /// </summary>
    public bool IsReckoned { get; init; }
}
