using NzbDav.Catalog.Database;
using NzbDav.Catalog.Maps;
using NzbDav.Content;

namespace NzbDav.Catalog.Tree;

/// <summary>The places of a file that is stored in archives of a torrent. Immutable.</summary>
/// <remarks>
/// Binary form, all numbers LEB128 varints: <c>version (1)  number of spans</c>, then for each <c>offset  length  length of its header
/// header</c>.
/// </remarks>
/// <param name="Spans">In the file's order; encrypted bytes as they are stored.</param>
public sealed record TorrentLayout(IReadOnlyList<TorrentSpan> Spans)
{
    private const int Version = 1;

    /// <summary>
    /// The password of the torrent's job, for reading its archives again; null if it had none. Not part of the binary form.
    /// </summary>
    public string? Password { get; init; }

    /// <summary>Bytes of all spans.</summary>
    public long Length => Spans.Sum(static span => span.Bytes.Length);

    /// <summary>Omits the password, for logs.</summary>
    public override string ToString() =>
        string.Create(System.Globalization.CultureInfo.InvariantCulture, $"{Spans.Count} spans, {Length} bytes");

    /// <summary>The binary form.</summary>
    internal byte[] ToBytes()
    {
        var output = new VarintWriter();
        output.Number(Version);
        output.Number(Spans.Count);
        foreach (var span in Spans)
        {
            output.Number(span.Bytes.Start);
            output.Number(span.Bytes.Length);
            output.Number(span.Header.Length);
            output.Bytes(span.Header.Span);
        }

        return output.Written.ToArray();
    }

    /// <summary>Parses the binary form.</summary>
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
            spans[i] = new TorrentSpan(ByteSpan.OfLength(input.Number(), input.Number()))
            {
                Header = input.Bytes(input.Number(0, input.Remaining, "the length of a header")).ToArray(),
            };
        }

        return new TorrentLayout(spans);
    }
}

/// <summary>A run of a file's bytes in its torrent.</summary>
/// <param name="Bytes">Their place in the concatenated files of the torrent, counting padding; at least one.</param>
public readonly record struct TorrentSpan(ByteSpan Bytes)
{
    /// <summary>The archive headers that must stand right before the run, if its place was inferred; empty if it was read.</summary>
    public ReadOnlyMemory<byte> Header { get; init; }
}

/// <summary>Stores where files lie inside archives of torrents. Thread-safe.</summary>
public sealed class TorrentLayouts
{
    private readonly CatalogDatabase _database;

    public TorrentLayouts(CatalogDatabase database)
    {
        ArgumentNullException.ThrowIfNull(database);
        _database = database;
    }

    /// <summary>The layout of a file; null if it is itself a file of the torrent.</summary>
    /// <param name="item">The file's id.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="CatalogException">It cannot be read.</exception>
    public async ValueTask<TorrentLayout?> FindAsync(long item, CancellationToken cancellationToken)
    {
        var (spans, password) = await _database.ReadAsync(
            reader => reader.FirstAsync<(byte[]? Spans, string? Password)>(
                "SELECT spans, password FROM torrent_layouts WHERE item_id = @item", new { item }), cancellationToken);
        try
        {
            return spans is null ? null : TorrentLayout.Parse(spans) with { Password = password };
        }
        catch (InvalidDataException e)
        {
            throw new CatalogException(CatalogFault.Corrupt, $"Where the file lies in its torrent cannot be read: {e.Message}", e);
        }
    }

    /// <summary>Stores a better layout; does nothing if the file is gone. The stored password stays.</summary>
    /// <param name="item">The file's id.</param>
    /// <param name="layout">Of the same length.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="CatalogException">It cannot be stored.</exception>
    public async Task ReplaceAsync(long item, TorrentLayout layout, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(layout);
        var spans = layout.ToBytes();
        await _database.WriteAsync(
            transaction => transaction.Execute("UPDATE torrent_layouts SET spans = @spans WHERE item_id = @item", new { item, spans }),
            cancellationToken);
    }

    /// <summary>Stores the layouts of files that are being published.</summary>
    internal static void Add(CatalogTransaction transaction, IEnumerable<(long Item, TorrentLayout Layout)> layouts) =>
        transaction.ExecuteAll(
            "INSERT INTO torrent_layouts (item_id, spans, password) VALUES (@Item, @Spans, @Password)",
            layouts.Select(static one => new { one.Item, Spans = one.Layout.ToBytes(), one.Layout.Password }));
}
