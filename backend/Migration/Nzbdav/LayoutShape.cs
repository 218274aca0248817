using NzbDav.Migration.Packed;
using NzbDav.Migration.Rebuilding;

namespace NzbDav.Migration.Nzbdav;

/// <summary>Converts the three forms in which nzbdav stores layouts to one, and rejects contradictory ones.</summary>
internal static class LayoutShape
{
    /// <summary>Longest message-id (RFC 3977, section 3.6: 250 octets), with room for those that break it.</summary>
    private const int LongestId = 500;

    /// <returns>The layout, or what is wrong with it.</returns>
    public static (FileLayout? Layout, string? Problem) Of(object? packed, long size) => packed switch
    {
        PackedPlain plain => Checked([Part(plain.SegmentIds, size, 0, size)], isPlain: true, encrypted: false),
        PackedRar rar => Checked([.. (rar.RarParts ?? []).Select(part => Part(part?.SegmentIds, part?.PartSize ?? 0, part?.Offset ?? 0, (part?.Offset ?? 0) + (part?.ByteCount ?? 0)))], isPlain: false, encrypted: false),
        PackedMeta { ObfuscationKey: not null } => (null, "its bytes are obfuscated in a way that only nzbdav2 reads"),
        PackedMeta meta => Of(meta),
        _ => (null, "its layout is of a kind that is not known"),
    };

    private static (FileLayout? Layout, string? Problem) Of(PackedMeta meta)
    {
        var (layout, problem) = Checked(
            [.. (meta.FileParts ?? []).Select(part => Part(part?.SegmentIds, part?.SegmentIdByteRange?.EndExclusive ?? 0, part?.FilePartByteRange?.StartInclusive ?? 0, part?.FilePartByteRange?.EndExclusive ?? 0))],
            isPlain: false,
            meta.AesParams is not null);
        return (layout is null ? null : layout with { IsPartial = meta.IsLazy, Password = string.IsNullOrEmpty(meta.ArchivePassword) ? null : meta.ArchivePassword }, problem);
    }

    private static PostPart Part(string?[]? ids, long size, long start, long end) => new([.. (ids ?? []).Select(id => (id ?? "").Trim().Trim('<', '>'))], size, start, end);

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
