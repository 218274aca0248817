using NzbDav.MockSwarm.Contents;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Tests.Metadata;

/// <summary>Files that a magnet link selects (<c>so</c>, BEP 53).</summary>
public sealed class FileSelectionTests
{
    private const string Link = "magnet:?xt=urn:btih:0123456789abcdef0123456789abcdef01234567&dn=a";

    [Theory]
    [InlineData("&so=0,2,4-6", "0,2,4-6")]
    [InlineData("&so=6,4-5,2,0,2", "0,2,4-6")]
    [InlineData("&amp;so=0%2C2%2C4-6", "0,2,4-6")]
    [InlineData("&so=4-9,0-5,7", "0-9")]
    [InlineData("&so=1,%202,", "1-2")]
    [InlineData("&so=0&so=3", "0,3")]
    [InlineData("&so.1=007", "7")]
    [InlineData("&so=0-1000000000", "0-1000000000")]
    [InlineData("&so=99999999999,1", "1,2147483647")]
    public void A_readable_list_is_kept_in_order_and_without_overlaps(string rest, string list)
    {
        var link = MagnetLink.Read(Link + rest).Value!;
        Assert.Equal((list, false), (link.Selection?.ToString(), link.IsSelectionUnreadable));
        Assert.Equal(list, FileSelection.Read(list)!.ToString());
    }

    [Theory]
    [InlineData("&so=5-2")]
    [InlineData("&so=x")]
    [InlineData("&so=0,x,2")]
    [InlineData("&so=")]
    [InlineData("&so=,,")]
    [InlineData("&so=-3")]
    [InlineData("&so=3-")]
    [InlineData("&so=1-2-3")]
    [InlineData("&so=+1")]
    [InlineData("&so=٣")]
    [InlineData("&so=0&so=x")]
    public void An_unreadable_list_counts_as_if_it_were_not_there(string rest)
    {
        var link = MagnetLink.Read(Link + rest).Value!;
        Assert.Equal((null, true), (link.Selection, link.IsSelectionUnreadable));
        Assert.False(MagnetLink.Read(Link).Value!.IsSelectionUnreadable);
    }

    [Fact]
    public void Ranges_of_a_billion_take_no_more_memory_than_their_text()
    {
        var list = string.Join(',', Enumerable.Range(0, 4_000).Select(static number => $"{number * 2}-1000000000"));
        var before = GC.GetAllocatedBytesForCurrentThread();
        Assert.Equal("0-1000000000", MagnetLink.Read($"{Link}&so={list}").Value!.Selection!.ToString());
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 8 << 20);
    }

    [Fact]
    public void Numbers_count_padding_and_links_that_the_list_of_files_leaves_out()
    {
        SwarmFile[] files =
        [
            new("a.bin", 10_000), new(".pad/6384", 6_384, IsPadding: true), new("link", 0, IsLink: true), new("b.bin", 5),
            new("also", 0, IsLink: true), new("kept", 7, IsLink: true), new("c.bin", 9), new("empty.txt", 0),
        ];
        var info = Metainfo.Read(new MockTorrent("set", SwarmContent.Make(1, 16_384, files)).TorrentFile()).Value!.Info;
        Assert.Equal(["a.bin", ".pad/1", "b.bin", "kept", "c.bin", "empty.txt"], info.Files.Select(static file => file.Path));
        Assert.Equal([0, 1, 3, 5, 6, 7], info.Files.Select(static (file, index) => index + file.LinksBefore));
        Assert.Equal(["a.bin", "c.bin"], Selected("0,6"));
        Assert.Equal(["b.bin", "kept"], Selected("2-5"));
        Assert.Equal(["a.bin", ".pad/1", "b.bin", "kept", "c.bin", "empty.txt"], Selected("0-1000000000"));
        Assert.Equal(["b.bin"], Selected("3,8,900,99999999999"));

        // Only padding, a link that is left out, or numbers past the end: nothing remains.
        Assert.Null(FileSelection.Read("1,2,4")!.Select(info.Files));
        Assert.Null(FileSelection.Read("8-99999999999")!.Select(info.Files));

        IEnumerable<string> Selected(string list) =>
            info.Files.Zip(FileSelection.Read(list)!.Select(info.Files)!).Where(static pair => pair.Second)
                .Select(static pair => pair.First.Path);
    }

    [Fact]
    public void A_single_file_has_the_number_zero()
    {
        var info = Metainfo.Read(
            new MockTorrent("a.bin", SwarmContent.Make(1, 16_384, [new SwarmFile("a.bin", 40_000)])).TorrentFile()).Value!.Info;
        Assert.Equal([true], FileSelection.Read("0")!.Select(info.Files));
        Assert.Null(FileSelection.Read("1")!.Select(info.Files));
    }
}
