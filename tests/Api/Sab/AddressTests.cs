using NzbDav.Api.Sab.Calls;
using NzbDav.Catalog.Settings;
using NzbDav.Content.Proxies;
using NzbDav.Fakes;
using NzbDav.Import.Options;

namespace NzbDav.Api.Tests.Sab;

/// <summary>Jobs added as an address, which is then fetched.</summary>
public sealed class AddressTests
{
    [Fact]
    public async Task An_address_keeps_its_returned_id_once_fetched()
    {
        await using var indexer = await Indexer.StartAsync();
        await using var sab = await SabFixture.OpenAsync(change: options => options with { PrivateHosts = ["127.0.0.1"] });
        var id = SabFixture.Id(await sab.AskAsync($"mode=addurl&name={Uri.EscapeDataString(indexer.Url + "redirect")}&cat=tv&priority=1"));
        await indexer.Asked.Task;
        var grabbing = Assert.Single(ArrReader.Queue(await sab.AskAsync("mode=queue")));
        Assert.Equal((id, "Grabbing", "tv"), (grabbing.Id, grabbing.Status, grabbing.Category));
        indexer.Go.SetResult();
        await Until.TrueAsync(async () => ArrReader.Queue(await sab.AskAsync("mode=queue")) is [{ Status: "Queued" }]);
        var job = (await sab.Jobs.GetAsync(NzoId.Parse(id)!.Value, CancellationToken.None))!;
        Assert.Equal(("Real Show.S01", "tv", 1, indexer.Url + "redirect"), (job.Name, job.Category, job.Priority, job.Url));
    }

    [Theory]
    [InlineData("filename*=utf-7''a%2BIKw-b.nzb")]
    [InlineData("filename*")]
    public async Task An_extended_name_that_cannot_be_read_gives_way_to_the_plain_one(string extended)
    {
        await using var indexer = await Indexer.StartAsync();
        indexer.Disposition = "attachment; filename=\"Plain.nzb\"; " + extended;
        indexer.Go.SetResult();
        await using var sab = await SabFixture.OpenAsync(change: options => options with { PrivateHosts = ["127.0.0.1"] });
        var id = SabFixture.Id(await sab.AskAsync($"mode=addurl&name={Uri.EscapeDataString(indexer.Url + "get")}"));
        await Until.TrueAsync(async () => ArrReader.Queue(await sab.AskAsync("mode=queue")) is [{ Status: "Queued" }]);
        Assert.Equal("Plain", (await sab.Jobs.GetAsync(NzoId.Parse(id)!.Value, CancellationToken.None))!.Name);
    }

    [Fact]
    public async Task The_user_agent_is_a_setting_and_public_addresses_are_fetched_through_the_proxy()
    {
        await using var indexer = await Indexer.StartAsync();
        indexer.Go.SetResult();
        await using var proxy = new MockProxy();
        proxy.Names["1.2.3.4"] = indexer.EndPoint;
        await using var sab = await SabFixture.OpenAsync(change: options => options with
        {
            PrivateHosts = ["127.0.0.1"],
            UserAgent = "SABnzbd/4.5.1",
            Proxy = new ProxyAddress(ProxyKind.Socks5, "127.0.0.1", proxy.Port, "", ""),
        });
        await FetchAsync("http://1.2.3.4/get");
        Assert.Equal("1.2.3.4:80", Assert.Single(proxy.Asked));

        // The programs in one's own network are reached without it, and the others there not at all.
        await FetchAsync(indexer.Url + "get");
        Assert.Single(proxy.Asked);
        var refused = SabFixture.Id(await sab.AskAsync($"mode=addurl&name={Uri.EscapeDataString("http://10.1.2.3/get")}"));
        await Until.TrueAsync(async () => ArrReader.History(await sab.AskAsync("mode=history")).Exists(item => item.Id == refused));
        Assert.Single(proxy.Asked);
        Assert.Equal(["SABnzbd/4.5.1", "SABnzbd/4.5.1"], indexer.Agents);

        async Task FetchAsync(string url)
        {
            var id = SabFixture.Id(await sab.AskAsync($"mode=addurl&name={Uri.EscapeDataString(url)}"));
            await Until.TrueAsync(
                async () => ArrReader.Queue(await sab.AskAsync("mode=queue")).Exists(item => item.Id == id && item.Status == "Queued"));
        }
    }

    [Fact]
    public async Task An_indexer_is_allowed_by_its_network()
    {
        await using var indexer = await Indexer.StartAsync();
        indexer.Go.SetResult();
        await using var sab = await SabFixture.OpenAsync(change: options => options with { PrivateHosts = ["127.0.0.0/8"] });
        foreach (var host in (string[])["127.0.0.1", "localhost"])
        {
            var url = indexer.Url.Replace("127.0.0.1", host, StringComparison.Ordinal) + "get";
            var id = SabFixture.Id(await sab.AskAsync($"mode=addurl&name={Uri.EscapeDataString(url)}"));
            await Until.TrueAsync(async () =>
                ArrReader.Queue(await sab.AskAsync("mode=queue")).Exists(item => item.Id == id && item.Status == "Queued"));
        }
    }

    [Fact]
    public async Task An_address_in_a_private_network_is_refused_unless_it_is_allowed()
    {
        await using var indexer = await Indexer.StartAsync();
        indexer.Go.SetResult();
        await using var sab = await SabFixture.OpenAsync();
        foreach (var host in (string[])["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]"])
        {
            var id = SabFixture.Id(await sab.AskAsync(
                $"mode=addurl&name={Uri.EscapeDataString(indexer.Url.Replace("127.0.0.1", host, StringComparison.Ordinal))}"));
            await Until.TrueAsync(async () => ArrReader.History(await sab.AskAsync("mode=history")).Exists(item => item.Id == id));
            var failed = ArrReader.History(await sab.AskAsync("mode=history")).Single(item => item.Id == id);
            Assert.Equal("Failed", failed.Status);
            Assert.Contains("NzbDav__Api__PrivateHosts=", failed.FailMessage, StringComparison.Ordinal);
        }

        Assert.False(indexer.Asked.Task.IsCompleted);
        Assert.Contains("not an address", (await sab.AskAsync("mode=addurl&name=file%3A%2F%2F%2Fetc%2Fpasswd")).GetProperty("error")
            .GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Addresses_that_redirect_to_magnet_links_fail_and_the_next_ones_are_fetched()
    {
        await using var indexer = await Indexer.StartAsync();
        indexer.Go.SetResult();
        await using var sab = await SabFixture.OpenAsync(change: options => options with { PrivateHosts = ["*"] });
        for (var i = 0; i < 4; i++)
            await sab.AskAsync($"mode=addurl&name={Uri.EscapeDataString(indexer.Url + "magnet")}");
        await sab.AskAsync($"mode=addurl&name={Uri.EscapeDataString(indexer.Url + "redirect")}");
        await Until.TrueAsync(async () => ArrReader.Queue(await sab.AskAsync("mode=queue")) is [{ Status: "Queued" }]);
        await Until.TrueAsync(async () => ArrReader.History(await sab.AskAsync("mode=history")).Count == 4);
        Assert.All(ArrReader.History(await sab.AskAsync("mode=history")),
            item => Assert.Equal("URL Fetching failed; it leads to a magnet link", item.FailMessage));
    }

    [Fact]
    public async Task A_redirect_does_not_lead_into_a_private_network()
    {
        // The host is allowed, but the address it redirects to is not.
        await using var indexer = await Indexer.StartAsync();
        indexer.Go.SetResult();
        await using var sab = await SabFixture.OpenAsync(change: options => options with { PrivateHosts = ["localhost"] });
        await sab.AskAsync($"mode=addurl&name={Uri.EscapeDataString(indexer.Url.Replace("127.0.0.1", "localhost", StringComparison.Ordinal) + "redirect")}");
        await Until.TrueAsync(async () => ArrReader.History(await sab.AskAsync("mode=history")) is [{ Status: "Failed" }]);
        Assert.Contains(
            "PrivateHosts=127.0.0.1", ArrReader.History(await sab.AskAsync("mode=history"))[0].FailMessage, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_address_without_an_nzb_fails_with_the_reason_and_can_be_retried()
    {
        await using var indexer = await Indexer.StartAsync();
        indexer.Go.SetResult();
        await using var sab = await SabFixture.OpenAsync(change: options => options with { PrivateHosts = ["*"] });
        var id = SabFixture.Id(await sab.AskAsync($"mode=addurl&nzbname=My%20show&name={Uri.EscapeDataString(indexer.Url + "missing")}"));
        await Until.TrueAsync(async () => ArrReader.History(await sab.AskAsync("mode=history")).Count == 1);
        var failed = ArrReader.History(await sab.AskAsync("mode=history"))[0];
        Assert.Equal(
            (id, "My show", "URL Fetching failed; the server answered 404 Not Found"), (failed.Id, failed.Title, failed.FailMessage));
        indexer.IsMissing = false;
        var again = (await sab.AskAsync($"mode=retry&value={id}")).GetProperty("nzo_id").GetString()!;
        await Until.TrueAsync(async () => ArrReader.Queue(await sab.AskAsync("mode=queue")) is [{ Status: "Queued" }]);
        Assert.Equal(again, ArrReader.Queue(await sab.AskAsync("mode=queue"))[0].Id);
    }

    [Fact]
    public async Task A_download_is_streamed_to_the_disk_up_to_the_size_limit()
    {
        await using var indexer = await Indexer.StartAsync();
        indexer.Go.SetResult();
        await using var sab = await SabFixture.OpenAsync(change: options => options with { PrivateHosts = ["*"] });
        var import = sab.Get<Live<ImportOptions>>();
        import.Value = import.Value with { MaxNzbBytes = 4 << 20 };
        await sab.AskAsync($"mode=addurl&name={Uri.EscapeDataString(indexer.Url + "endless")}");
        await Until.TrueAsync(async () => ArrReader.History(await sab.AskAsync("mode=history")) is [{ Status: "Failed" }]);
        Assert.Equal(
            "URL Fetching failed; The .nzb is larger than 4 MiB.", ArrReader.History(await sab.AskAsync("mode=history"))[0].FailMessage);
        await indexer.Ended.Task;
        Assert.True(indexer.Written >= 4 << 20);
        await Until.TrueAsync(() => Directory.GetFiles(Path.Combine(sab.Folder, "cache")).Length == 0);
    }

    [Fact]
    public async Task A_busy_server_is_retried_later_also_after_a_restart()
    {
        await using var indexer = await Indexer.StartAsync();
        indexer.Go.SetResult();
        using var folder = new TemporaryFolder();
        string id;
        await using (var sab = await SabFixture.OpenAsync(folder.Path, options => options with { PrivateHosts = ["*"] }))
        {
            id = SabFixture.Id(await sab.AskAsync($"mode=addurl&name={Uri.EscapeDataString(indexer.Url + "busy")}"));
            await indexer.Asked.Task;
            Assert.Equal("Grabbing", Assert.Single(ArrReader.Queue(await sab.AskAsync("mode=queue"))).Status);
        }

        indexer.IsBusy = false;
        await using var again = await SabFixture.OpenAsync(folder.Path, options => options with { PrivateHosts = ["*"] });
        await Until.TrueAsync(
            async () => ArrReader.Queue(await again.AskAsync("mode=queue")) is [{ Status: "Queued" } job] && job.Id == id);
    }
}
