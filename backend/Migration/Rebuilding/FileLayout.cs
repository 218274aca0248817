namespace NzbDav.Migration.Rebuilding;

/// <summary>Location of another program's file in posted files.</summary>
/// <param name="Parts">In the file's order.</param>
/// <param name="IsPlain">True when it is one posted file, unchanged.</param>
/// <param name="IsEncrypted">True when the contents of the parts are encrypted.</param>
internal sealed record FileLayout(IReadOnlyList<PostPart> Parts, bool IsPlain, bool IsEncrypted)
{
    /// <summary>True when the last posted files are unknown: InfiniDysk examines them during playback.</summary>
    public bool IsPartial { get; init; }

    /// <summary>Password of the archive that it lies in; null: none was stored.</summary>
    public string? Password { get; init; }

    /// <summary>
    /// The message-id of the article that holds the file's first byte. All articles of a posted file but the last have the same length,
    /// which is not stored. Null if two articles are possible, or if the length of the posted file is unknown too. </summary>
    public string? FirstArticle
    {
        get
        {
            if (Parts is not [{ Articles.Count: > 0 } part, ..])
                return null;
            if (part.Start == 0 || part.Articles.Count == 1)
                return part.Articles[0];
            if (part.Size <= 0)
                return null;

            // (n - 1) * p < size <= n * p.
            var count = part.Articles.Count;
            var shortest = ((part.Size - 1) / count) + 1;
            var longest = Math.Max(shortest, (part.Size - 1) / (count - 1));
            var first = part.Start / longest;
            return first == part.Start / shortest && first < count ? part.Articles[(int)first] : null;
        }
    }
}

/// <summary>A posted file, by its articles, and the bytes of it that belong to a file of the library.</summary>
/// <param name="Articles">All message-ids of the posted file, in order.</param>
/// <param name="Size">Bytes of the posted file, decoded; 0 where the other program did not store it.</param>
/// <param name="Start">First byte of the posted file that belongs to the file.</param>
/// <param name="End">One past the last such byte.</param>
internal sealed record PostPart(IReadOnlyList<string> Articles, long Size, long Start, long End);
