using System.Security.Cryptography;
using NzbDav.Catalog.Torrents;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.MockSwarm.Contents;
using NzbDav.MockSwarm.Seeders;
using NzbDav.MockSwarm.Swarms;

namespace NzbDav.Seeding.Tests;

/// <summary>What is fetched of a torrent whose magnet link selected files (<c>so</c>, BEP 53).</summary>
public sealed class ShelfSelectionTests : IDisposable
{
    private const int Length = 4 * SeedingFixture.PieceLength;

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Only_the_selected_files_are_fetched_all_can_be_read_and_the_users_priorities_take_its_place()
    {
        await using var swarm = new Swarm(Set(), [new SeederOptions()]);
        string hash;
        await using (var fixture = await SeedingFixture.OpenAsync(_folder.Path, SeedingFixture.Keeping))
        {
            hash = await fixture.AddAsync(swarm, new NewTorrent { Selection = "0,4-900" });
            await fixture.UntilAsync(hash, static torrent => torrent.Entry.Completed is not null);
            Assert.Equal(2L * Length, (await fixture.FindAsync(hash)).Wanted);
            Assert.Equal(
                [("a.mkv", FilePriority.Normal, (long)Length), ("b.mkv", FilePriority.Skip, 0L),
                    ("c.mkv", FilePriority.Normal, (long)Length)],
                await FilesAsync(fixture, hash));
            var metainfo = (await fixture.Shelf.ReadMetainfoAsync(hash, default))!;
            var skipped = metainfo.Info.Files.Single(static file => file.Path == "b.mkv");
            await using (var reader = fixture.Sessions.Open(metainfo, skipped).OpenReader(0, Length, ReadIntent.Playback))
            {
                using var lease = await reader.NextAsync(default);
                var expected = new byte[lease.Length];
                swarm.Torrent.Content.Fill(skipped.Offset, expected);
                Assert.Equal(Convert.ToHexString(SHA256.HashData(expected)), Convert.ToHexString(SHA256.HashData(lease.Memory.Span)));
            }
        }

        // After a restart it holds, until the user decides otherwise; what the user has not touched stays as the link wanted it.
        await using (var fixture = await SeedingFixture.OpenAsync(_folder.Path, SeedingFixture.Keeping))
        {
            Assert.Equal([FilePriority.Normal, FilePriority.Skip, FilePriority.Normal],
                (await FilesAsync(fixture, hash)).Select(static file => file.Priority));
            Assert.True(await fixture.Shelf.SetFilePriorityAsync(hash, [3], FilePriority.High, default));
            Assert.True(await fixture.Shelf.SetFilePriorityAsync(hash, [0], FilePriority.Skip, default));
            Assert.Null((await fixture.Store.FindAsync(hash, default))!.Selection);
            await fixture.AddAsync(swarm, new NewTorrent { Selection = "0" });
            Assert.Equal([FilePriority.Skip, FilePriority.Skip, FilePriority.High],
                (await FilesAsync(fixture, hash)).Select(static file => file.Priority));
            Assert.True(await fixture.Shelf.SetFilePriorityAsync(hash, [0, 2, 3], FilePriority.Normal, default));
        }

        // "All of it" is a choice too.
        await using (var fixture = await SeedingFixture.OpenAsync(_folder.Path, SeedingFixture.Keeping))
        {
            await fixture.UntilAsync(hash, static torrent => torrent.Wanted == 3L * Length && torrent.Held == torrent.Wanted);
            Assert.All(await FilesAsync(fixture, hash),
                static file => Assert.Equal((FilePriority.Normal, (long)Length), (file.Priority, file.Held)));
        }
    }

    [Theory]
    [InlineData("1")]
    [InlineData("5-99999999999")]
    public async Task A_selection_of_nothing_selects_everything(string selection)
    {
        await using var swarm = new Swarm(Set(), [new SeederOptions()]);
        await using var fixture = await SeedingFixture.OpenAsync(_folder.Path, SeedingFixture.Keeping);
        var hash = await fixture.AddAsync(swarm, new NewTorrent { Selection = selection });
        await fixture.UntilAsync(hash, static torrent => torrent.Entry.Completed is not null);
        Assert.All(
            await FilesAsync(fixture, hash), static file => Assert.Equal((FilePriority.Normal, (long)Length), (file.Priority, file.Held)));
    }

    [Fact]
    public async Task A_torrent_that_is_there_keeps_its_choice_and_one_that_was_removed_takes_the_new_one()
    {
        await using var swarm = new Swarm(Set(), []);
        await using var fixture = await SeedingFixture.OpenAsync(_folder.Path, SeedingFixture.Keeping);
        var hash = await fixture.AddAsync(swarm);
        await fixture.AddAsync(swarm, new NewTorrent { Selection = "0" });
        Assert.All(await FilesAsync(fixture, hash), static file => Assert.Equal(FilePriority.Normal, file.Priority));
        await fixture.Shelf.RemoveAsync([hash], withData: false, default);
        await fixture.AddAsync(swarm, new NewTorrent { Selection = "0" });
        Assert.Equal([FilePriority.Normal, FilePriority.Skip, FilePriority.Skip],
            (await FilesAsync(fixture, hash)).Select(static file => file.Priority));
    }

    /// <summary>The numbers in the metainfo: a.mkv 0, padding 1, a link 2, b.mkv 3, c.mkv 4.</summary>
    private static MockTorrent Set() => new("Set", SwarmContent.Make(5, SeedingFixture.PieceLength,
    [
        new("a.mkv", Length), new(".pad/0", SeedingFixture.PieceLength, IsPadding: true), new("link.mkv", 0, IsLink: true),
        new("b.mkv", Length), new("c.mkv", Length),
    ]));

    private static async Task<(string Path, FilePriority Priority, long Held)[]> FilesAsync(SeedingFixture fixture, string hash) =>
        [.. (await fixture.Shelf.ListFilesAsync(hash, default))!.Select(static file => (file.Path, file.Priority, file.Held))];
}
