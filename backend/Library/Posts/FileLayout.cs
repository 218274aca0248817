namespace NzbDav.Library.Posts;

/// <summary>Where a file's bytes were posted. Immutable.</summary>
/// <param name="Parts">The posted files, in the order of their first use.</param>
/// <param name="Articles">Articles that hold the file's bytes.</param>
/// <param name="Holes">What is known to be missing, by place; bytes of the file, or where it is encrypted those of what was posted.</param>
public sealed record FileLayout(IReadOnlyList<PostedPart> Parts, int Articles, IReadOnlyList<FileHole> Holes)
{
    /// <summary>Of a file that was not posted.</summary>
    public static FileLayout None { get; } = new([], 0, []);

    /// <summary>An article for people: its number in its posted file, and that file's name.</summary>
    /// <param name="segment">A segment of the file's map.</param>
    public string Describe(int segment)
    {
        var low = Parts.Count - 1;
        while (low > 0 && Parts[low].FirstSegment > segment)
            low--;
        return low < 0 ? FormattableString.Invariant($"article {segment + 1}")
            : Parts[low].Name is { } name ? FormattableString.Invariant($"article {segment - Parts[low].FirstSegment + 1} of {name}")
            : FormattableString.Invariant($"article {segment + 1} of {Articles}");
    }
}

/// <summary>A posted file as far as it holds bytes of another.</summary>
/// <param name="Name">What it was posted as; null: not known.</param>
/// <param name="Offset">Where its first byte is in the file.</param>
/// <param name="Length">Bytes of the file that it holds.</param>
/// <param name="FirstSegment">The segment of the file's map that holds the first of them.</param>
/// <param name="Articles">Articles that hold them.</param>
/// <param name="Missing">How many of these are known to be missing.</param>
public sealed record PostedPart(string? Name, long Offset, long Length, int FirstSegment, int Articles, int Missing);

/// <summary>Bytes of a file that are known to be missing.</summary>
/// <param name="Offset">First of them.</param>
/// <param name="Length">How many.</param>
/// <param name="Reason">Why, for people.</param>
/// <param name="Kind">Why.</param>
/// <param name="Since">When a reader first met it; null for what the .nzb does not list.</param>
public sealed record FileHole(long Offset, long Length, string Reason, FileHoleKind Kind = FileHoleKind.Unlisted, DateTimeOffset? Since = null);

/// <summary>Why bytes of a file are known to be missing.</summary>
public enum FileHoleKind
{
    /// <summary>The .nzb does not list their article.</summary>
    Unlisted,

    /// <summary>A reader asked for their article, and no provider has it.</summary>
    Gone,
}
