using Microsoft.Extensions.Logging.Abstractions;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Providers;
using NzbDav.Usenet.Accounts;
using NzbDav.Usenet.Articles;
using NzbDav.Usenet.Nntp;
using static NzbDav.Fakes.ContentReads;

namespace NzbDav.Usenet.Tests.Articles;

/// <summary>Articles that no provider has and that a repair restored.</summary>
public sealed class PatchFolderTests : IDisposable
{
    private static readonly ArticleHeader Header = new("film.mkv", 300_000, 2, 3, 100_000, 100_000);
    private static readonly byte[] Bytes = SeededBytes.Make(5, 100_000);

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("nzbdav-patches-");

    private string Root => Path.Combine(_folder.FullName, "patches");

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public void Stored_articles_survive_a_restart()
    {
        var patches = Open();
        Assert.False(patches.Has("a@b"));
        patches.Add("7", new ArticlePatch("a@b", Header, Bytes));
        foreach (var folder in new[] { patches, Open() })
        {
            Assert.Equal((true, false, 1), (folder.Has("a@b"), folder.Has("other@b"), folder.Count));
            var patch = folder.TryRead("a@b")!;
            Assert.Equal(Header, patch.Header);
            Assert.True(patch.Bytes.Span.SequenceEqual(Bytes));
        }
    }

    [Fact]
    public void Unfinished_files_of_a_crash_are_removed()
    {
        Open().Add("7", new ArticlePatch("a@b", Header, Bytes));
        var file = Directory.GetFiles(Root, "*", SearchOption.AllDirectories).Single();
        File.Move(file, file + ".new");
        Assert.Equal(0, Open().Count);
        Assert.Empty(Directory.GetFiles(Root, "*", SearchOption.AllDirectories));
    }

    [Fact]
    public void A_scratch_file_disappears_when_it_is_closed_and_needs_room()
    {
        var patches = Open();
        using (var file = patches.OpenScratch(1_000))
        {
            RandomAccess.Write(file, Bytes, 0);
            var read = new byte[Bytes.Length];
            Assert.Equal(Bytes.Length, RandomAccess.Read(file, read, 0));
            Assert.Equal(Bytes, read);
            Assert.Single(Directory.GetFiles(Root));
            Assert.Equal(0, patches.Count);
        }

        Assert.Empty(Directory.GetFiles(Root));
        patches.Free = static _ => 999;
        Assert.Contains("Free some space.", Assert.Throws<IOException>(() => patches.OpenScratch(1_000)).Message, StringComparison.Ordinal);
        Assert.Empty(Directory.GetFiles(Root));
    }

    [Fact]
    public void Removing_the_patches_of_a_post_keeps_those_of_others()
    {
        var patches = Open();
        patches.Add("7", new ArticlePatch("a@b", Header, Bytes));
        patches.Add("7", new ArticlePatch("c@d", Header, Bytes));
        patches.Add("8", new ArticlePatch("e@f", Header, Bytes));

        // Made again for two posts.
        patches.Add("8", new ArticlePatch("c@d", Header, Bytes));
        Assert.Equal(("7", "8", null), (patches.PostOf("a@b"), patches.PostOf("c@d"), patches.PostOf("other@b")));
        Assert.Equal(["7", "8"], patches.ListPosts().Order());
        patches.Remove("8");
        Assert.Equal((null, "7", 2), (patches.PostOf("e@f"), patches.PostOf("c@d"), patches.Count));
        Assert.True(patches.TryRead("c@d")!.Bytes.Span.SequenceEqual(Bytes));
        foreach (var folder in new[] { patches, Open() })
            Assert.Equal(["7"], folder.ListPosts());
        patches.Remove("7");
        Assert.Equal((0, 0), (patches.Count, Directory.GetDirectories(Root).Length));
        patches.Remove("7");
    }

    [Theory]
    [InlineData("flipped")]
    [InlineData("short")]
    [InlineData("empty")]
    [InlineData("another")]
    public void A_damaged_file_counts_as_absent(string how)
    {
        var patches = Open();
        patches.Add("7", new ArticlePatch("a@b", Header, Bytes));
        var file = Directory.GetFiles(Root, "*", SearchOption.AllDirectories).Single();
        var content = File.ReadAllBytes(file);
        switch (how)
        {
            case "flipped": content[^1] ^= 1; break;
            case "short": content = content[..^1]; break;
            case "empty": content = []; break;
            default: content[5] ^= 1; break;
        }

        File.WriteAllBytes(file, content);
        Assert.Null(patches.TryRead("a@b"));
        Assert.False(patches.Has("a@b"));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_reader_gets_restored_articles_from_disk_and_the_rest_from_the_provider(bool isDamaged)
    {
        var store = new ArticleStore();
        await using var mock = MockProvider.Start(store, new MockProviderOptions());
        var file = store.AddFile("film.mkv", new MemorySource(SeededBytes.Make(9, 300_000)), new PostOptions { ArticleSize = 100_000 });
        var asked = mock.Faults.Add(Fault.Missing, FaultTarget.Where(segment => segment.Index == 1));
        var patches = Open();
        var pool = new DiagnosticBufferPool();
        SegmentCache cache;
        var account = new ProviderOptions { Host = "127.0.0.1", Port = mock.Port, UseTls = false, MaxConnections = 2 };
        await using (var usenet = new UsenetClient(
            [account], pool, TimeProvider.System, NullLogger<UsenetClient>.Instance, patches: patches))
        {
            usenet.Start();
            var id = file.Segments[1].MessageId;
            Assert.Equal(ContentFault.Missing, (await usenet.ProbeAsync(id, FetchPriority.Next, default)).Fault);
            Assert.Equal(1, usenet.Gone.Count);
            usenet.StorePatch("7", new ArticlePatch(id, Header, SeededBytes.Make(9, 300_000).AsMemory(100_000, 100_000)));
            Assert.Equal(
                (0, null), (usenet.Gone.Count, (await usenet.StatAsync(id, FetchPriority.Import, default)).Fault));
            if (isDamaged)
                Directory.GetFiles(Root, "*", SearchOption.AllDirectories).ToList()
                    .ForEach(static path => File.WriteAllBytes(path, [1, 2, 3]));
            var content = usenet.Open(UsenetFixture.TrueMap(file));
            if (isDamaged)
            {
                // As if it had never been made: the provider is asked, which does not have it.
                Assert.Equal(
                    ContentFault.Missing, (await Assert.ThrowsAsync<ContentException>(() => ReadAsync(content, 0, content.Length))).Fault);
                Assert.Equal(ContentFault.Missing, (await usenet.StatAsync(id, FetchPriority.Import, default)).Fault);
            }
            else
            {
                var before = asked.Struck;
                Assert.True((await ReadAsync(content, 0, content.Length)).AsSpan().SequenceEqual(SeededBytes.Make(9, 300_000)));
                Assert.Equal(before, asked.Struck);
            }

            cache = usenet.Cache;
        }

        // Only now: an article read ahead may have come until here.
        cache.Reclaim(long.MaxValue);
        pool.AssertAllReturned();
    }

    private PatchFolder Open() => new(Root, NullLogger<PatchFolder>.Instance);
}
