using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;
using NzbDav.Migration.Database;
using NzbDav.Migration.Packed;
using NzbDav.Migration.Rebuilding;

namespace NzbDav.Migration.Nzbdav;

/// <summary>
/// Finds the layout of an nzbdav file: in its blob, or in a row of one of three tables. Databases whose rows were only partly moved to
/// blobs are supported.
/// </summary>
internal sealed class LayoutReader(OldDatabase database, BlobFolder blobs)
{
    /// <summary>Most bytes of a layout: 100 GB of articles have 8 MB of ids.</summary>
    private const int LongestLayout = 256 << 20;

    /// <summary>Marks text that nzbdav2 packed.</summary>
    private const string Packed = "ZSTD:";

    private readonly (string Table, string Column)[] _tables =
    [
        .. new (string Table, string Column)[] { ("DavNzbFiles", "SegmentIds"), ("DavRarFiles", "RarParts"),
            ("DavMultipartFiles", "Metadata") }.Where(table => database.HasColumn(table.Table, table.Column)),
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
                var text = database.List<string?>(
                    sql, new { upper = item.Id.ToString("D").ToUpperInvariant(), lower = item.Id.ToString("D") }).FirstOrDefault();
                if (text is not null)
                    return LayoutShape.Of(Parse(table, text), item.Size);
            }

            return (null, item.FileBlobId is null ? "the database has no layout of it" : "the file that holds its layout is not in blobs/");
        }
        catch (Exception e) when (e is InvalidDataException or JsonException or FormatException or IOException
            or UnauthorizedAccessException or OverflowException)
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
        var json = text.StartsWith(Packed, StringComparison.Ordinal)
            ? BoundedBytes.Unpack(Convert.FromBase64String(text[Packed.Length..]), LongestLayout) : Encoding.UTF8.GetBytes(text);
        return table switch
        {
            "DavNzbFiles" => new PackedPlain { SegmentIds = JsonSerializer.Deserialize(json, LayoutJson.Default.StringArray) },
            "DavRarFiles" => new PackedRar { RarParts = JsonSerializer.Deserialize(json, LayoutJson.Default.PackedRarPartArray) },
            _ => JsonSerializer.Deserialize(json, LayoutJson.Default.PackedMeta),
        };
    }
}

/// <summary>Layouts in rows.</summary>
[JsonSerializable(typeof(string[]))]
[JsonSerializable(typeof(PackedRarPart[]))]
[JsonSerializable(typeof(PackedMeta))]
internal sealed partial class LayoutJson : JsonSerializerContext;

/// <summary>Converts the three forms in which nzbdav stores layouts to one, and rejects contradictory ones.</summary>
internal static class LayoutShape
{
    /// <summary>Longest message-id (RFC 3977, section 3.6: 250 octets), with room for those that break it.</summary>
    private const int LongestId = 500;

    /// <returns>The layout, or what is wrong with it.</returns>
    public static (FileLayout? Layout, string? Problem) Of(object? packed, long size) => packed switch
    {
        PackedPlain plain => Checked([Part(plain.SegmentIds, size, 0, size)], isPlain: true, encrypted: false),
        PackedRar rar =>
            Checked([.. (rar.RarParts ?? []).Select(part => Part(part?.SegmentIds, part?.PartSize ?? 0, part?.Offset ?? 0,
            (part?.Offset ?? 0) + (part?.ByteCount ?? 0)))], isPlain: false, encrypted: false),
        PackedMeta { ObfuscationKey: not null } => (null, "its bytes are obfuscated in a way that only nzbdav2 reads"),
        PackedMeta meta => Of(meta),
        _ => (null, "its layout is of a kind that is not known"),
    };

    private static (FileLayout? Layout, string? Problem) Of(PackedMeta meta)
    {
        var (layout, problem) = Checked(
            [.. (meta.FileParts ?? []).Select(part => Part(part?.SegmentIds, part?.SegmentIdByteRange?.EndExclusive ?? 0,
                part?.FilePartByteRange?.StartInclusive ?? 0, part?.FilePartByteRange?.EndExclusive ?? 0))],
            isPlain: false,
            meta.AesParams is not null);
        return (layout is null ? null : layout
            with
        { IsPartial = meta.IsLazy, Password = string.IsNullOrEmpty(meta.ArchivePassword) ? null : meta.ArchivePassword }, problem);
    }

    private static PostPart Part(string?[]? ids, long size, long start, long end) =>
        new([.. (ids ?? []).Select(id => (id ?? "").Trim().Trim('<', '>'))], size, start, end);

    private static (FileLayout? Layout, string? Problem) Checked(IReadOnlyList<PostPart> parts, bool isPlain, bool encrypted)
    {
        if (parts.Count == 0 || parts.Any(part => part.Articles.Count == 0))
            return (null, "its layout names no articles");
        if (parts.Any(part => part.Articles.Any(id => id.Length is 0 or > LongestId || id.AsSpan().IndexOfAnyInRange('\0', ' ') >= 0)))
            return (null, "its layout names articles with ids that cannot be");
        return parts.Any(part => part.Size < 0 || part.Start < 0 || part.End < part.Start || (part.Size > 0 && part.End > part.Size))
            ? (null, "its layout contradicts itself")
            : (new FileLayout(parts, isPlain, encrypted), null);
    }
}
