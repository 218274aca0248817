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
