namespace NzbDav.MockUsenet.Articles;

/// <summary>A posted file: the data for an NZB, and the source to compare with. Immutable.</summary>
public sealed class PostedFile
{
    private readonly string _shownName;
    private readonly PostedSegment[] _segments;

    internal PostedFile(string name, IArticleSource source, PostOptions options, int number, int count, ulong seed, int ordinal)
    {
        (Name, Source, Options, Number, Count) = (name, source, options, number, count);
        _shownName = options.Obfuscated ? $"{SeedHash.Of(seed, name, ordinal):x16}{SeedHash.Of(~seed, name, ordinal):x16}" : name;
        _segments = Cut(seed, ordinal);
    }

    /// <summary>The true name, whatever the subject and the yEnc header contain.</summary>
    public string Name { get; }

    /// <summary>The decoded bytes.</summary>
    public IArticleSource Source { get; }

    public PostOptions Options { get; }

    /// <summary>Number of the file in its post, from 1.</summary>
    public int Number { get; }

    /// <summary>Number of files in the post.</summary>
    public int Count { get; }

    /// <summary>Number of decoded bytes.</summary>
    public long Length => Source.Length;

    /// <summary>The articles in order.</summary>
    public IReadOnlyList<PostedSegment> Segments => _segments;

    /// <summary>The subject of the first article, as an NZB shows it.</summary>
    public string Subject => SubjectOf(0);

    internal string SubjectOf(int index) =>
        Options.Subject?.Invoke(index) ?? $"[{Number}/{Count}] - \"{_shownName}\" yEnc ({index + 1}/{_segments.Length})";

    internal string YencNameOf(int index) => Options.YencName?.Invoke(index) ?? _shownName;

    private PostedSegment[] Cut(ulong seed, int ordinal)
    {
        var segments = new List<PostedSegment>();
        long offset = 0;
        do
        {
            var index = segments.Count;
            var wanted = Options.PartSize?.Invoke(index) ?? Options.ArticleSize;
            if (wanted <= 0)
                throw new InvalidOperationException($"Part {index + 1} of {Name} would be {wanted} bytes long.");
            var size = (int)Math.Min(wanted, Length - offset);
            var id = Options.MessageId?.Invoke(index)
                ?? $"{SeedHash.Of(seed, Name, ((long)ordinal << 32) | (uint)index):x16}{SeedHash.Of(~seed, Name, ((long)ordinal << 32) | (uint)index):x16}@mock.invalid";
            segments.Add(new PostedSegment(this, index, id, offset, size));
            offset += size;
        }
        while (offset < Length);
        return [.. segments];
    }
}
