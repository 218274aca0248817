using NzbDav.Catalog.Maps;

namespace NzbDav.Catalog.Tree;

/// <summary>Where a file lies that is stored in archives of a torrent. Immutable.</summary>
/// <remarks>
/// As bytes, all numbers LEB128 varints: <c>version (1)  number of spans</c>, then for each <c>offset  length  length of its header  header</c>.
/// </remarks>
/// <param name="Spans">In the file's order; what is encrypted, as it is stored.</param>
public sealed record TorrentLayout(IReadOnlyList<TorrentSpan> Spans)
{
    private const int Version = 1;

    /// <summary>The password that came with the torrent's job, to read its archives once more; null: none came. Not part of the bytes.</summary>
    public string? Password { get; init; }

    /// <summary>Bytes of all spans.</summary>
    public long Length => Spans.Sum(static span => span.Length);

    /// <summary>Without the password: this is for logs.</summary>
    public override string ToString() => string.Create(System.Globalization.CultureInfo.InvariantCulture, $"{Spans.Count} spans, {Length} bytes");

    /// <summary>To be stored.</summary>
    internal byte[] ToBytes()
    {
        var output = new VarintWriter();
        output.Number(Version);
        output.Number(Spans.Count);
        foreach (var span in Spans)
        {
            output.Number(span.Offset);
            output.Number(span.Length);
            output.Number(span.Header.Length);
            output.Bytes(span.Header.Span);
        }

        return output.Written.ToArray();
    }

    /// <summary>The layout of these bytes.</summary>
    /// <exception cref="InvalidDataException">They are damaged, or a newer version wrote them.</exception>
    internal static TorrentLayout Parse(ReadOnlySpan<byte> bytes)
    {
        var input = new VarintReader(bytes);
        if (input.Number() is not Version and var other)
            throw new InvalidDataException($"The layout has version {other}; this version of NzbDav knows {Version}.");

        // Each span has at least three bytes.
        var spans = new TorrentSpan[input.Number(0, input.Remaining / 3, "the number of spans")];
        for (var i = 0; i < spans.Length; i++)
        {
            spans[i] = new TorrentSpan(input.Number(), input.Number())
            {
                Header = input.Bytes(input.Number(0, input.Remaining, "the length of a header")).ToArray(),
            };
        }

        return new TorrentLayout(spans);
    }
}
