using System.Diagnostics;
using System.Net;
using System.Security.Cryptography;
using System.Text.Json;
using NzbDav.Arr.Tests;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.EndToEnd.Tests.Playing;

/// <summary>A post that dies while it plays: the player reads on from the next copy of its release, and hears of nothing.</summary>
public sealed class NextCopyTests
{
    private const int Length = 6_000_000;

    private static readonly DateTimeOffset Posted = new(2026, 3, 14, 17, 10, 42, TimeSpan.Zero);

    [Fact]
    public async Task Of_three_copies_two_are_dead_and_the_player_gets_every_byte()
    {
        await using var news = new NewsServers();
        await using var indexer = await FakeIndexer.StartAsync();
        var copies = Enumerable.Range(0, 3).Select(_ => news.Post("film.mkv", Length)).ToArray();
        await using var gateway = await StartAsync(news, indexer, copies);
        using var client = new PlayClient(gateway);
        var answer = await PlayAsync(client);

        // The first dies behind its beginning, the second as a whole.
        Kill(news, copies[0], from: Length / 3);
        news.Fault(Fault.Missing, FaultTarget.File(copies[1]));
        await client.AssertPlaysAsync(answer, copies[0]);
        Assert.Equal(3, indexer.Fetched.Count);

        // Again, and from a place in the middle: nothing is fetched a second time.
        await client.AssertPlaysAsync(answer, copies[0]);
        Assert.Equal(SHA256.HashData(Bytes(copies[0])[4_000_000..]), SHA256.HashData(await client.ReadAsync(answer, 4_000_000)));
        Assert.Equal(3, indexer.Fetched.Count);
    }

    [Fact]
    public async Task A_copy_that_dies_in_its_turn_is_left_too()
    {
        await using var news = new NewsServers();
        await using var indexer = await FakeIndexer.StartAsync();
        var copies = Enumerable.Range(0, 3).Select(_ => news.Post("film.mkv", Length)).ToArray();
        await using var gateway = await StartAsync(news, indexer, copies);
        using var client = new PlayClient(gateway);
        var answer = await PlayAsync(client);

        Kill(news, copies[0], from: Length / 3);
        Kill(news, copies[1], from: Length / 2);
        await client.AssertPlaysAsync(answer, copies[0]);
        Assert.Equal(3, indexer.Fetched.Count);
    }

    [Fact]
    public async Task Two_copies_that_were_both_played_and_both_die_do_not_wait_for_each_other()
    {
        await using var news = new NewsServers();
        await using var indexer = await FakeIndexer.StartAsync();
        var copies = Enumerable.Range(0, 2).Select(_ => news.Post("film.mkv", Length)).ToArray();
        await using var gateway = await StartAsync(news, indexer, copies);
        using var client = new PlayClient(gateway);
        var (first, second) = (await PlayAsync(client), await PlayAsync(client, row: 1));
        Kill(news, copies[0], from: Length / 3);
        Kill(news, copies[1], from: Length / 2);
        await Assert.ThrowsAnyAsync<HttpRequestException>(() => client.ReadAsync(first, 0));
        await Assert.ThrowsAnyAsync<HttpRequestException>(() => client.ReadAsync(second, 0));

        // What each of them still has plays.
        var bytes = Bytes(copies[0]);
        Assert.Equal(bytes[..1_900_000], await client.ReadAsync(first, 0, 1_900_000));
        Assert.Equal(bytes[..2_900_000], await client.ReadAsync(second, 0, 2_900_000));
    }

    [Fact]
    public async Task Another_film_of_the_same_length_is_no_copy()
    {
        await using var news = new NewsServers();
        await using var indexer = await FakeIndexer.StartAsync();
        var (film, other) = (news.Post("film.mkv", Length), news.Post("other.mkv", Length));
        await using var gateway = await StartAsync(news, indexer, film, other);
        using var client = new PlayClient(gateway);
        var answer = await PlayAsync(client);

        Kill(news, film, from: Length / 3);
        await Assert.ThrowsAnyAsync<HttpRequestException>(() => client.ReadAsync(answer, 0));
    }

    [Fact]
    public async Task Without_another_copy_the_player_gets_an_error_and_never_short_data_that_looks_complete()
    {
        await using var news = new NewsServers();
        await using var indexer = await FakeIndexer.StartAsync();
        var film = news.Post("film.mkv", Length);

        // Of the same name, but another film.
        var other = news.Post("other.mkv", Length - 1);
        await using var gateway = await StartAsync(news, indexer, film, other);
        using var client = new PlayClient(gateway);
        var answer = await PlayAsync(client);

        Kill(news, film, from: Length / 3);
        await Assert.ThrowsAnyAsync<HttpRequestException>(() => client.ReadAsync(answer, 0));
        Assert.Equal(2, indexer.Fetched.Count);
    }

    private static void Kill(NewsServers news, PostedFile file, int from) => news.Fault(
        Fault.Missing, FaultTarget.Where(segment => ReferenceEquals(segment.File, file) && segment.Offset >= from));

    private static async Task<JsonElement> PlayAsync(PlayClient client, int row = 0)
    {
        var found = await client.SearchAsync("query=some%20film");
        var first = found.GetProperty("releases").EnumerateArray().ElementAt(row);
        var (status, answer) = await client.SendLinkAsync(new { release = first.GetProperty("id").GetString() });
        Assert.True(status == HttpStatusCode.OK, answer.ToString());
        Assert.Empty(answer.GetProperty("tried").EnumerateArray());
        return answer;
    }

    /// <summary>The first of the copies is the youngest, which is tried first.</summary>
    private static Task<Gateway> StartAsync(NewsServers news, FakeIndexer indexer, params PostedFile[] copies)
    {
        for (var i = 0; i < copies.Length; i++)
            indexer.Add("Some.Film.2026.1080p", NzbWriter.ToBytes([copies[i]]), Posted.AddDays(-i));
        return Gateway.StartAsync(news, change: settings => settings with { Indexers = [indexer.Options()] });
    }

    private static byte[] Bytes(PostedFile file)
    {
        var bytes = new byte[file.Length];
        file.Source.Fill(0, bytes);
        return bytes;
    }
}
