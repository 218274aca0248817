using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Import.Tests.Corpus;
using NzbDav.MockUsenet.Faults;
using static NzbDav.Import.Tests.Mending.MendedPost;

namespace NzbDav.Import.Tests.Mending;

/// <summary>Repairs that take long, wait for another one or are cut short by a stop.</summary>
public sealed class SlowRepairTests
{
    [Fact]
    public async Task A_repair_interrupted_by_a_shutdown_continues_when_the_file_is_opened()
    {
        await using var fixture = await ImportFixture.OpenAsync(configure: options => options with { MaxConnections = 8 });
        await ImportAsync(fixture, WithRecovery([("film.mkv", Film)], 3));
        Spoil(fixture, "missing", static segment => segment.File.Name == "film.mkv" && segment.Index == 20);
        var mock = fixture.Mocks[0];
        var stall = mock.Faults.Add(Fault.Stall(), FaultTarget.Where(static segment => segment.File.Name == "set.vol0+3.par2"));
        var item = (await fixture.FindAsync(FilmPath))!;
        await using (var first = fixture.NewPosts())
        {
            first.Begin(item, await IdOfAsync(fixture, item, 20));
            await Until.TrueAsync(() => stall.Struck > 0);
        }

        mock.Faults.Remove(stall);
        mock.DropConnections();
        Assert.Equal(0, fixture.Patches.Count);
        await using var restarted = fixture.NewPosts();
        await fixture.NewMendingOpener(posts: restarted).OpenAsync(item, CancellationToken.None);
        await Until.TrueAsync(() => fixture.Patches.Count == 1);
        await Until.TrueAsync(() => restarted.DescribeState(item) is null);
        Assert.Equal(Hash(Film), Hash(await ReadAsync(fixture, FilmPath)));
    }

    [Fact]
    public async Task A_read_stops_waiting_for_a_long_repair_which_continues()
    {
        await using var fixture = await ImportFixture.OpenAsync(configure: options => options with { MaxConnections = 8 });
        await ImportAsync(fixture, WithRecovery([("film.mkv", Film)], 3));
        Spoil(fixture, "missing", static segment => segment.File.Name == "film.mkv" && segment.Index == 20);
        var mock = fixture.Mocks[0];
        var stall = mock.Faults.Add(Fault.Stall(), FaultTarget.Where(static segment => segment.File.Name == "set.par2"));
        var item = (await fixture.FindAsync(FilmPath))!;
        var reading = ReadAsync(fixture, FilmPath);
        await Until.TrueAsync(() => stall.Struck > 0);
        for (var second = 0; !reading.IsCompleted; second++)
        {
            Assert.True(second < 60, "it is waited for without end");
            await Until.TrueAsync(() => fixture.Clock.ArmedTimers > 0 || reading.IsCompleted);
            fixture.Clock.Advance(TimeSpan.FromSeconds(1));
        }

        var error = await Assert.ThrowsAsync<ContentException>(() => reading);
        Assert.Equal(ContentFault.Unavailable, error.Fault);
        Assert.EndsWith("Its repair from the recovery data of its post has begun.", error.Message, StringComparison.Ordinal);
        Assert.Equal("Its repair from the recovery data of its post has begun.", fixture.Posts.DescribeState(item));
        mock.Faults.Remove(stall);
        mock.DropConnections();
        await Until.TrueAsync(() => fixture.Patches.Count == 1);
        Assert.Equal(Hash(Film), Hash(await ReadAsync(fixture, FilmPath)));
        await Until.TrueAsync(() => fixture.Posts.DescribeState(item) is null);
    }

    [Fact]
    public async Task Readers_do_not_wait_long_while_another_post_is_repaired()
    {
        var other = PostShape.Film(58, 200_003);
        await using var fixture = await ImportFixture.OpenAsync(configure: options => options with { MaxConnections = 8 });
        await ImportAsync(fixture, WithRecovery([("film.mkv", Film)], 3, "first"));
        await ImportAsync(fixture, WithRecovery([("other.mkv", other)], 3, "second"), job: "Another (2024)");
        Spoil(fixture, "missing", static segment => segment.File.Name is "film.mkv" or "other.mkv" && segment.Index == 20);
        var mock = fixture.Mocks[0];
        var stall = mock.Faults.Add(Fault.Stall(), FaultTarget.Where(static segment => segment.File.Name == "first.par2"));
        var first = ReadAsync(fixture, FilmPath);
        await Until.TrueAsync(() => stall.Struck > 0);

        var second = ReadAsync(fixture, "content/movies/Another (2024)/other.mkv");
        var waited = 0;
        for (; !second.IsCompleted; waited++)
        {
            Assert.False(first.IsCompleted, "the first gave up before");
            await Until.TrueAsync(() => fixture.Clock.ArmedTimers > 1 || second.IsCompleted);
            fixture.Clock.Advance(TimeSpan.FromSeconds(1));
        }

        Assert.InRange(waited, 1, (int)IPostRepairer.MaxWait.TotalSeconds - 1);
        var error = await Assert.ThrowsAsync<ContentException>(() => second);
        Assert.Equal(ContentFault.Unavailable, error.Fault);
        Assert.EndsWith(
            "Its repair from the recovery data of its post waits for the repair of another post.", error.Message, StringComparison.Ordinal);
        mock.Faults.Remove(stall);
        mock.DropConnections();
        Assert.Equal(Hash(Film), Hash(await first));
        await Until.TrueAsync(() => fixture.Patches.Count == 2);
        Assert.Equal(Hash(other), Hash(await ReadAsync(fixture, "content/movies/Another (2024)/other.mkv")));
    }
}
