using NzbDav.MockUsenet.Articles;

namespace NzbDav.Migration.Tests.Fixtures;

/// <summary>A posted file, and the part of it that belongs to a file of the library.</summary>
/// <param name="Ids">Its articles.</param>
/// <param name="Size">The posted file's size in bytes.</param>
/// <param name="Start">Offset of the first byte that belongs to the library's file.</param>
/// <param name="End">One past the last.</param>
internal sealed record FixturePart(IReadOnlyList<string> Ids, long Size, long Start, long End)
{
    /// <summary>A file posted as it is.</summary>
    public static FixturePart Whole(PostedFile file) =>
        new([.. file.Segments.Select(segment => segment.MessageId)], file.Length, 0, file.Length);

    /// <summary>The volumes of an archive in which a file is stored, with the offset of its bytes in each.</summary>
    public static IReadOnlyList<FixturePart> Of(IReadOnlyList<byte[]> volumes, IReadOnlyList<PostedFile> posted, byte[] bytes)
    {
        var parts = new List<FixturePart>();
        var done = 0;
        for (var i = 0; i < volumes.Count; i++)
        {
            var start = volumes[i].AsSpan().IndexOf(bytes.AsSpan(done, Math.Min(48, bytes.Length - done)));
            var length = volumes[i].AsSpan(start).CommonPrefixLength(bytes.AsSpan(done));
            parts.Add(Whole(posted[i]) with { Start = start, End = start + length });
            done += length;
        }

        return done == bytes.Length ? parts : throw new InvalidOperationException("The volumes do not hold the file.");
    }
}
