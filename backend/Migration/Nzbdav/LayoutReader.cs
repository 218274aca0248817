using System.Text;
using System.Text.Json;
using NzbDav.Migration.Database;
using NzbDav.Migration.Packed;
using NzbDav.Migration.Rebuilding;

namespace NzbDav.Migration.Nzbdav;

/// <summary>
/// Finds the layout of an nzbdav file: in its blob, or in a row of one of three tables. Databases whose rows were only partly moved to blobs are
/// supported.
/// </summary>
internal sealed class LayoutReader(OldDatabase database, BlobFolder blobs)
{
    /// <summary>Most bytes of a layout: 100 GB of articles have 8 MB of ids.</summary>
    private const int LongestLayout = 256 << 20;

    /// <summary>Marks text that nzbdav2 packed.</summary>
    private const string Packed = "ZSTD:";

    private readonly (string Table, string Column)[] _tables =
    [
        .. new (string Table, string Column)[] { ("DavNzbFiles", "SegmentIds"), ("DavRarFiles", "RarParts"), ("DavMultipartFiles", "Metadata") }.Where(table => database.HasColumn(table.Table, table.Column)),
    ];

    /// <summary>The layout of a file.</summary>
    /// <returns>The layout; or null and why there is none, as a sentence without a full stop.</returns>
    public (FileLayout? Layout, string? Problem) Read(NzbdavItem item)
    {
        try
        {
            if (item.FileBlobId is { } blob && blobs.Find(blob) is { } path)
                return LayoutShape.Of(Unpack(item.SubType, BoundedBytes.Read(path, LongestLayout)), item.Size);
            foreach (var (table, column) in _tables)
            {
                // Guids are in capitals in most versions; the index needs the exact text.
                var sql = $"SELECT {column} FROM {table} WHERE Id IN (@upper, @lower) AND length({column}) <= {LongestLayout}";
                var text = database.List<string?>(sql, new { upper = item.Id.ToString("D").ToUpperInvariant(), lower = item.Id.ToString("D") }).FirstOrDefault();
                if (text is not null)
                    return LayoutShape.Of(Parse(table, text), item.Size);
            }

            return (null, item.FileBlobId is null ? "the database has no layout of it" : "the file that holds its layout is not in blobs/");
        }
        catch (Exception e) when (e is InvalidDataException or JsonException or FormatException or IOException or UnauthorizedAccessException or OverflowException)
        {
            return (null, $"its layout cannot be read ({e.Message.TrimEnd('.')})");
        }
    }

    /// <summary>A blob: MemoryPack in zstd.</summary>
    internal static object? Unpack(int subType, byte[] bytes) => subType switch
    {
        NzbdavItem.Plain => LayoutPack.Plain(bytes),
        NzbdavItem.Rar => LayoutPack.Rar(bytes),
        NzbdavItem.Multipart => LayoutPack.Multipart(bytes),
        _ => null,
    };

    /// <summary>A row: JSON, which nzbdav2 may have packed.</summary>
    internal static object? Parse(string table, string text)
    {
        var json = text.StartsWith(Packed, StringComparison.Ordinal) ? BoundedBytes.Unpack(Convert.FromBase64String(text[Packed.Length..]), LongestLayout) : Encoding.UTF8.GetBytes(text);
        return table switch
        {
            "DavNzbFiles" => new PackedPlain { SegmentIds = JsonSerializer.Deserialize(json, LayoutJson.Default.StringArray) },
            "DavRarFiles" => new PackedRar { RarParts = JsonSerializer.Deserialize(json, LayoutJson.Default.PackedRarPartArray) },
            _ => JsonSerializer.Deserialize(json, LayoutJson.Default.PackedMeta),
        };
    }
}
