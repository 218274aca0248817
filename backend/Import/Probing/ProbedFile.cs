using NzbDav.Content;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import.Probing;

/// <summary>A posted file whose layout is known.</summary>
/// <param name="Posted">The file as the .nzb lists it.</param>
/// <param name="Header">The header of its first article, or of another one if the first is gone.</param>
/// <param name="Map">Where its bytes are: all its articles, one after the other.</param>
internal sealed record ProbedFile(NzbFile Posted, ArticleHeader Header, ExtentMap Map)
{
    /// <summary>Its first bytes, up to 16 KiB; fewer when the first article is smaller, none when it is gone.</summary>
    public ReadOnlyMemory<byte> Head { get; init; }

    /// <summary>False if its size and the places of its articles were computed from its first article.</summary>
    public bool Verified { get; init; } = true;

    /// <summary>What readers have to verify; null unless its layout was inferred from other volumes of <see cref="Set"/>.</summary>
    public InferredVolume? Inferred { get; init; }

    /// <summary>The regular set to which this volume belongs; null if it is in none, or if all volumes of the set were read.</summary>
    public RegularSet? Set { get; init; }

    /// <summary>Index in <see cref="Set"/>, from 0.</summary>
    public int SetPlace { get; init; }

    /// <summary>Bytes.</summary>
    public long Length => Map.Length;

    /// <summary>What readers have to verify if its layout, or only its archive headers, were inferred.</summary>
    public InferredVolume ToInferred() => new(Map.Segments.Key(0) with { Begin = 0 }, Header.Name, Header.FileSize);
}
