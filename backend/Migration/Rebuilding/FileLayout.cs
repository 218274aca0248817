namespace NzbDav.Migration.Rebuilding;

/// <summary>Where another program's file lies in posted files.</summary>
/// <param name="Parts">In the file's order.</param>
/// <param name="IsPlain">It is one posted file as it is.</param>
/// <param name="IsEncrypted">What the parts hold is encrypted.</param>
internal sealed record FileLayout(IReadOnlyList<PostPart> Parts, bool IsPlain, bool IsEncrypted)
{
    /// <summary>Some posted files at the end are not known: InfiniDysk looks at them when somebody plays.</summary>
    public bool IsPartial { get; init; }

    /// <summary>For the archive that it lies in; null: none was kept.</summary>
    public string? Password { get; init; }

    /// <summary>
    /// The message-id of the article that holds the file's first byte. Articles of a posted file are equally long but the last, and how long is not stored: null where that leaves two to choose from.
    /// </summary>
    public string? FirstArticle
    {
        get
        {
            if (Parts is not [{ Articles.Count: > 0 } part, ..])
                return null;
            if (part.Start == 0 || part.Articles.Count == 1)
                return part.Articles[0];

            // (n - 1) * p < size <= n * p.
            var count = part.Articles.Count;
            var shortest = (part.Size + count - 1) / count;
            var longest = Math.Max(shortest, (part.Size - 1) / (count - 1));
            var first = part.Start / longest;
            return first == part.Start / shortest && first < count ? part.Articles[(int)first] : null;
        }
    }
}
