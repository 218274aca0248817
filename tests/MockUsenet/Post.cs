using NzbDav.MockUsenet.Articles;

namespace NzbDav.MockUsenet.Tests;

/// <summary>Short ways to posted files.</summary>
internal static class Post
{
    /// <summary>A file of seeded bytes, posted by itself in articles of 5,000 bytes.</summary>
    public static PostedFile Seeded(out ArticleStore store, int length = 42_000, PostOptions? options = null)
    {
        store = new ArticleStore();
        return store.AddFile("file.bin", new SeededSource(7, "file.bin", length), options ?? new PostOptions { ArticleSize = 5_000 });
    }

    public static byte[] PayloadOf(PostedSegment segment)
    {
        var payload = new byte[segment.Size];
        segment.ReadPayload(payload);
        return payload;
    }
}
