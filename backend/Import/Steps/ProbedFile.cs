using NzbDav.Content;
using NzbDav.Usenet.Articles;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import;

/// <summary>A posted file whose layout is known.</summary>
/// <param name="Posted">As the .nzb has it.</param>
/// <param name="Header">What its first article says; of another one, if the first is gone.</param>
/// <param name="Map">Where its bytes are: all its articles, one after the other.</param>
internal sealed record ProbedFile(NzbFile Posted, ArticleHeader Header, ExtentMap Map)
{
    /// <summary>Its first bytes, up to 16 KiB; fewer when the first article is smaller, none when it is gone.</summary>
    public ReadOnlyMemory<byte> Head { get; init; }

    /// <summary>False when its size and the places of its articles were computed from its first one.</summary>
    public bool Verified { get; init; } = true;

    /// <summary>True when nothing of it was asked for: header and map are reckoned from other volumes of <see cref="Series"/>.</summary>
    public bool IsReckoned { get; init; }

    /// <summary>The set in which some volumes were reckoned, and of which it is one; else null.</summary>
    public RegularSeries? Series { get; init; }

    /// <summary>Its place in <see cref="Series"/>, from 0.</summary>
    public int SeriesPlace { get; init; }

    /// <summary>Bytes.</summary>
    public long Length => Map.Length;
}
