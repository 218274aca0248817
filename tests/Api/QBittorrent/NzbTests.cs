using System.Text.Json;
using NzbDav.Api.QBittorrent.Listing;

namespace NzbDav.Api.Tests.QBittorrent;

/// <summary>NZB jobs in the list of torrents: filtering, sorting and synchronisation.</summary>
public sealed class NzbTests
{
    [Fact]
    public async Task A_setting_lists_NZB_jobs_with_their_states()
    {
        await using var qbit = await QbitFixture.OpenAsync();
        var done = await qbit.Inner.CompleteAsync("Done");
        await qbit.Inner.FailAsync("Dead");
        await qbit.Inner.RunAsync("Runs");
        var waits = await qbit.Inner.QueueAsync("Waits");
        var all = (await qbit.ReadAsync("torrents/info?sort=name")).EnumerateArray().ToList();
        Assert.Equal(["Dead error", "Done stoppedUP", "Runs downloading", "Waits queuedDL"],
            all.Select(one => $"{one.GetProperty("name").GetString()} {one.GetProperty("state").GetString()}"));
        Assert.Equal("/mnt/films/completed-symlinks/tv/Done", all[1].GetProperty("content_path").GetString());
        Assert.Equal((1.0, 0.5), (all[1].GetProperty("progress").GetDouble(), all[2].GetProperty("progress").GetDouble()));
        Assert.All(all, one => Assert.Matches("^[0-9a-f]{40}$", one.GetProperty("hash").GetString()));

        // A job not yet listed in the mount is shown as moving.
        qbit.Inner.Completion.Visible = false;
        Assert.Equal(
            "moving", (await qbit.ReadAsync($"torrents/info?hashes={NzbTorrents.HashOf(done.Id)}"))[0].GetProperty("state").GetString());
        qbit.Inner.Completion.Visible = true;

        await qbit.DoAsync("torrents/pause", new() { ["hashes"] = NzbTorrents.HashOf(waits.Id) });
        Assert.True((await qbit.Inner.Jobs.GetAsync(waits.Id, CancellationToken.None))!.Paused);
        await qbit.DoAsync("torrents/resume", new() { ["hashes"] = NzbTorrents.HashOf(waits.Id).ToUpperInvariant() });
        Assert.False((await qbit.Inner.Jobs.GetAsync(waits.Id, CancellationToken.None))!.Paused);
        await qbit.DoAsync("torrents/rename", new() { ["hash"] = NzbTorrents.HashOf(waits.Id), ["name"] = "Other" });
        Assert.Equal("Other", (await qbit.Inner.Jobs.GetAsync(waits.Id, CancellationToken.None))!.Name);
        await qbit.DoAsync("torrents/delete",
            new() { ["hashes"] = $"{NzbTorrents.HashOf(waits.Id)}|{NzbTorrents.HashOf(done.Id)}", ["deleteFiles"] = "True" });
        Assert.Null(await qbit.Inner.Jobs.GetAsync(waits.Id, CancellationToken.None));
        Assert.Null(await qbit.Inner.Tree.ResolveAsync(["content", "tv", "Done"], CancellationToken.None));

        qbit.Options = qbit.Options with { ShowsNzbJobs = false };
        Assert.Equal(0, (await qbit.ReadAsync("torrents/info")).GetArrayLength());
    }

    [Fact]
    public async Task Deleting_a_job_with_files_keeps_them_if_its_link_was_read()
    {
        await using var qbit = await QbitFixture.OpenAsync();
        var job = await qbit.Inner.CompleteAsync("Done");
        var file = await qbit.Inner.Tree.ResolveAsync(["content", "tv", "Done", "film.mkv"], CancellationToken.None);
        await qbit.Inner.Links.MarkLinkReadAsync(file!.Id, CancellationToken.None);
        await qbit.DoAsync("torrents/delete", new() { ["hashes"] = NzbTorrents.HashOf(job.Id), ["deleteFiles"] = "true" });
        Assert.NotNull(await qbit.Inner.Tree.ResolveAsync(["content", "tv", "Done", "film.mkv"], CancellationToken.None));
        Assert.Equal(0, (await qbit.ReadAsync("torrents/info")).GetArrayLength());
    }

    [Fact]
    public async Task The_list_can_be_filtered_sorted_and_limited()
    {
        await using var qbit = await QbitFixture.OpenAsync();
        await qbit.Inner.CompleteAsync("b");
        await qbit.Inner.CompleteAsync("A", category: "movies");
        await qbit.Inner.FailAsync("d");
        await qbit.Inner.QueueAsync("C");
        Assert.Equal("A b C d", await NamesAsync("sort=name"));
        Assert.Equal("d C b A", await NamesAsync("sort=name&reverse=true"));
        Assert.Equal("d C b A", await NamesAsync("sort=name&reverse=True"));
        Assert.Equal("b C", await NamesAsync("sort=name&offset=1&limit=2"));
        Assert.Equal("d", await NamesAsync("sort=name&offset=-1"));
        Assert.Equal("A b C d", await NamesAsync("sort=name&limit=-1&filter=whatever"));
        Assert.Equal("A", await NamesAsync("category=movies"));
        Assert.Equal("A", await NamesAsync("category=Movies"));
        Assert.Equal("", await NamesAsync("category=nonsense"));
        Assert.Equal("", await NamesAsync("category="));
        Assert.Equal("", await NamesAsync("tag=x"));
        Assert.Equal("A b", await NamesAsync("sort=name&filter=completed"));
        Assert.Equal("A b", await NamesAsync("sort=name&filter=stopped"));
        Assert.Equal("A b", await NamesAsync("sort=name&filter=paused"));
        Assert.Equal("C d", await NamesAsync("sort=name&filter=running"));
        Assert.Equal("d", await NamesAsync("filter=errored"));
        Assert.Equal("C", await NamesAsync("filter=downloading"));
        Assert.Equal("4", await TextAsync("torrents/count"));

        async Task<string> NamesAsync(string query) => string.Join(
            ' ', (await qbit.ReadAsync("torrents/info?" + query)).EnumerateArray().Select(one => one.GetProperty("name").GetString()));
        async Task<string> TextAsync(string call)
        {
            using var response = await qbit.SendAsync(HttpMethod.Get, call);
            return await response.Content.ReadAsStringAsync();
        }
    }

    [Fact]
    public async Task Sync_returns_the_changes_since_the_last_answer()
    {
        await using var qbit = await QbitFixture.OpenAsync();
        var first = await qbit.Inner.QueueAsync("First");
        var full = await qbit.ReadAsync("sync/maindata");
        Assert.True(full.GetProperty("full_update").GetBoolean());
        var torrent = full.GetProperty("torrents").GetProperty(NzbTorrents.HashOf(first.Id));
        Assert.Equal("First", torrent.GetProperty("name").GetString());
        Assert.False(torrent.TryGetProperty("hash", out _));
        Assert.Equal("tv", full.GetProperty("categories").GetProperty("tv").GetProperty("name").GetString());
        Assert.Equal(0, full.GetProperty("tags").GetArrayLength());
        Assert.Equal("{}", full.GetProperty("trackers").ToString());
        Assert.Equal(1_500, full.GetProperty("server_state").GetProperty("refresh_interval").GetInt32());
        var rid = full.GetProperty("rid").GetInt32();

        // Nothing has changed, except perhaps the free disk space.
        var same = await qbit.ReadAsync($"sync/maindata?rid={rid}");
        Assert.Equal("rid", string.Join(' ', same.EnumerateObject().Select(member => member.Name).Where(name => name != "server_state")));

        var second = await qbit.Inner.QueueAsync("Second");
        await qbit.Inner.Jobs.PauseAsync(first.Id, CancellationToken.None);
        await qbit.DoAsync("torrents/createCategory", new() { ["category"] = "anime" });
        await qbit.DoAsync("torrents/createTags", new() { ["tags"] = "new" });
        var news = await qbit.ReadAsync($"sync/maindata?rid={same.GetProperty("rid").GetInt32()}");
        Assert.False(news.TryGetProperty("full_update", out _));
        Assert.Equal("""{"state":"stoppedDL"}""", news.GetProperty("torrents").GetProperty(NzbTorrents.HashOf(first.Id)).ToString());
        Assert.Equal("Second", news.GetProperty("torrents").GetProperty(NzbTorrents.HashOf(second.Id)).GetProperty("name").GetString());
        Assert.Equal("""{"anime":{"name":"anime","savePath":""}}""", news.GetProperty("categories").ToString());
        Assert.Equal("""["new"]""", news.GetProperty("tags").ToString());

        // That answer was lost: the client sends the previous number and gets the same changes again.
        var again = await qbit.ReadAsync($"sync/maindata?rid={same.GetProperty("rid").GetInt32()}");
        Assert.Equal(news.GetProperty("torrents").ToString(), again.GetProperty("torrents").ToString());
        await qbit.DoAsync("torrents/delete", new() { ["hashes"] = NzbTorrents.HashOf(second.Id) });
        await qbit.DoAsync("torrents/removeCategories", new() { ["categories"] = "anime" });
        await qbit.DoAsync("torrents/deleteTags", new() { ["tags"] = "new" });
        var gone = await qbit.ReadAsync($"sync/maindata?rid={again.GetProperty("rid").GetInt32()}");
        Assert.Equal($"""["{NzbTorrents.HashOf(second.Id)}"]""", gone.GetProperty("torrents_removed").ToString());
        Assert.Equal("""["anime"]""", gone.GetProperty("categories_removed").ToString());
        Assert.Equal("""["new"]""", gone.GetProperty("tags_removed").ToString());

        // An unknown number, or another client, gets a full update.
        Assert.True((await qbit.ReadAsync("sync/maindata?rid=77777")).GetProperty("full_update").GetBoolean());
        var cookie = await qbit.LogInAsync();
        using var other = await qbit.SendAsync(
            HttpMethod.Get, $"sync/maindata?rid={gone.GetProperty("rid").GetInt32()}", body: null, ("Cookie", cookie));
        Assert.True(JsonDocument.Parse(await other.Content.ReadAsByteArrayAsync()).RootElement.GetProperty("full_update").GetBoolean());
    }

    [Fact]
    public async Task Transfer_figures_are_integers()
    {
        await using var qbit = await QbitFixture.OpenAsync();
        Assert.Equal(
            "{connection_status:s,dht_nodes:i,dl_info_data:i,dl_info_speed:i,dl_rate_limit:i,last_external_address_v4:s,last_external_address_v6:s,up_info_data:i,up_info_speed:i,up_rate_limit:i}",
            Shape.Of(await qbit.ReadAsync("transfer/info")));
    }
}
