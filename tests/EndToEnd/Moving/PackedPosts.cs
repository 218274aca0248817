using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Fakes.Archives;
using NzbDav.Migration.Tests.Fixtures;
using NzbDav.MockUsenet.Archives;
using NzbDav.MockUsenet.Articles;

namespace NzbDav.EndToEnd.Tests.Moving;

/// <summary>Posts in volumes, with their contents.</summary>
internal static class PackedPosts
{
    /// <summary>Posts a file in RAR volumes, under a name other than the one in the archive.</summary>
    public static (PostedFile Content, IReadOnlyList<PostedFile> Volumes, FixtureFile File) Pack(
        NewsServers news, string inner, string shown, int length)
    {
        var source = new SeededSource(7, inner, length);
        var bytes = new byte[length];
        source.Fill(0, bytes);
        var volumes = StoredRar.Pack(inner, bytes, 1_000_000);
        var posted = news.Store.AddPost([.. volumes.Select((volume, index) =>
            ($"packed.part{index + 1:d2}.rar", (IArticleSource)new MemorySource(volume)))], new PostOptions { ArticleSize = 300_000 });

        // Posted nowhere that the server looks; it only serves to compare bytes.
        var content = new ArticleStore().AddFile(inner, source);
        return (content, posted, new FixtureFile(shown, length, FixturePart.Of(volumes, posted, bytes)) { IsPacked = true });
    }

    /// <summary>Posts a file in encrypted RAR volumes.</summary>
    public static (PostedFile Content, IReadOnlyList<PostedFile> Volumes) Locked(NewsServers news, string password, int seed)
    {
        var (content, bytes) = Content("film.mkv", 1_200_000, seed);
        return (content, Post(
            news, $"locked-{seed}", new Rar5Writer { VolumeSize = 500_000, Password = password }.Write(new PackedFile("film.mkv", bytes))));
    }

    /// <summary>Posts a file in RAR volumes that are themselves in RAR volumes.</summary>
    public static (PostedFile Content, IReadOnlyList<PostedFile> Volumes) Nested(NewsServers news, int seed)
    {
        var (content, bytes) = Content("film.mkv", 1_200_000, seed);
        var inner = new Rar5Writer { VolumeSize = 450_000 }.Write(new PackedFile("film.mkv", bytes));
        return (content, Post(news, $"outer-{seed}", new Rar5Writer { VolumeSize = 700_000 }.Write(
            [.. inner.Select((volume, index) => new PackedFile($"in.part{index + 1:d2}.rar", volume))])));
    }

    /// <summary>A file posted nowhere; it only serves to compare bytes.</summary>
    private static (PostedFile Posted, byte[] Bytes) Content(string name, int length, int seed)
    {
        var source = new SeededSource((ulong)seed, name, length);
        var bytes = new byte[length];
        source.Fill(0, bytes);
        return (new ArticleStore().AddFile(name, source), bytes);
    }

    private static IReadOnlyList<PostedFile> Post(NewsServers news, string name, IReadOnlyList<byte[]> volumes) =>
        news.Store.AddPost([.. volumes.Select((volume, index) =>
            ($"{name}.part{index + 1:d2}.rar", (IArticleSource)new MemorySource(volume)))], new PostOptions { ArticleSize = 200_000 });
}
