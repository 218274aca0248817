using System.IO.Compression;
using System.Net;
using System.Text.Json;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Api.Sab;
using NzbDav.Catalog;
using NzbDav.Fakes;
using NzbDav.Import;

namespace NzbDav.Api.Tests;

/// <summary>How jobs are brought.</summary>
public sealed class AddingTests
{
    [Fact]
    public async Task SAB_03_the_answer_has_its_two_members_and_no_other()
    {
        await using var sab = await SabFixture.OpenAsync();
        var answer = await UploadAsync(sab, "name", "Show.S01E01.nzb", SabFixture.Nzb("x"), "cat=tv&priority=1");
        Assert.Equal(["nzo_ids", "status"], answer.EnumerateObject().Select(member => member.Name).Order(StringComparer.Ordinal));
        var job = await JobAsync(sab, answer);
        Assert.Equal(("Show.S01E01", "tv", 1, JobState.Queued, JobSource.Api), (job.Name, job.Category, job.Priority, job.State, job.Source));
        Assert.Equal((1_400_000, 1), (job.TotalBytes, job.FileCount));
    }

    [Theory]
    [InlineData("name", "raw")]
    [InlineData("nzbfile", "raw")]
    [InlineData("file", "raw")]
    [InlineData("name", "gz")]
    [InlineData("name", "bz2")]
    [InlineData("name", "zip")]
    public async Task SAB_06_uploads_come_in_every_field_and_packing(string field, string packing)
    {
        await using var sab = await SabFixture.OpenAsync();
        var nzb = SabFixture.Nzb("x");
        var answer = await UploadAsync(sab, field, "Show.nzb" + (packing == "raw" ? "" : "." + packing), Pack(nzb, packing), "cat=*");
        var job = await JobAsync(sab, answer);
        Assert.Equal(("Show", "other"), (job.Name, job.Category));
        Assert.Equal(nzb, (await sab.Get<BlobStore>().ReadAsync(job.Nzb!.Value, CancellationToken.None)).ToArray());
    }

    [Theory]
    [InlineData("")]
    [InlineData("*")]
    [InlineData("None")]
    [InlineData("Default")]
    public async Task SAB_06_words_for_no_category_make_none(string category)
    {
        await using var sab = await SabFixture.OpenAsync();
        Assert.Equal("other", (await JobAsync(sab, await UploadAsync(sab, "name", "Show.nzb", SabFixture.Nzb("x"), "cat=" + category))).Category);
    }

    [Fact]
    public async Task SAB_06_a_name_and_a_password_may_go_along()
    {
        await using var sab = await SabFixture.OpenAsync();
        var job = await JobAsync(sab, await UploadAsync(sab, "name", "abc.nzb", SabFixture.Nzb("x"), "nzbname=Show.S01E01.1080p&password=s%20ecret&priority=-2&cat=New%20one"));
        Assert.Equal(("Show.S01E01.1080p", "s ecret", true, "New one"), (job.Name, job.Password, job.Paused, job.Category));
        job = await JobAsync(sab, await UploadAsync(sab, "name", "Film{{hidden}}.nzb", SabFixture.Nzb("y"), ""));
        Assert.Equal(("Film", "hidden"), (job.Name, job.Password));
    }

    [Theory]
    [InlineData("mode=addfile")]
    [InlineData("mode=addurl&name=http%3A%2F%2Findexer.invalid%2Fx.nzb")]
    public async Task A_category_that_cannot_be_is_refused_and_told_in_the_log(string mode)
    {
        await using var sab = await SabFixture.OpenAsync();
        var answer = mode.Contains("addfile", StringComparison.Ordinal)
            ? await UploadAsync(sab, "name", "Show.nzb", SabFixture.Nzb("x"), "cat=..%2Fup")
            : await sab.AskAsync(mode + "&cat=..%2Fup");
        Assert.DoesNotContain("SABnzbd_nzo_", answer.GetRawText(), StringComparison.Ordinal);
        Assert.Contains(sab.Log.Entries, entry => entry.Text.Contains("'../up' cannot be the name of a category", StringComparison.Ordinal));
    }

    [Fact]
    public async Task SAB_06_twice_the_same_are_two_jobs()
    {
        await using var sab = await SabFixture.OpenAsync();
        var first = await JobAsync(sab, await UploadAsync(sab, "name", "a.nzb", SabFixture.Nzb("x"), ""));
        var second = await JobAsync(sab, await UploadAsync(sab, "name", "a.nzb", SabFixture.Nzb("x"), ""));
        Assert.NotEqual(first.Id, second.Id);
        Assert.Equal(first.ContentHash, second.ContentHash);
    }

    [Fact]
    public async Task SAB_06_what_is_no_nzb_is_received_and_not_taken()
    {
        await using var sab = await SabFixture.OpenAsync();
        foreach (var bytes in (byte[][])["not xml"u8.ToArray(), "<nzb></nzb>"u8.ToArray(), "<html><body>login</body></html>"u8.ToArray(), Pack("nothing"u8.ToArray(), "gz")])
        {
            var answer = await UploadAsync(sab, "name", "bad.nzb", bytes, "");
            Assert.Equal("""{"nzo_ids":[],"status":true}""", answer.GetRawText());
        }

        Assert.Equal(4, (await sab.AskAsync("mode=warnings")).GetProperty("warnings").GetArrayLength());
        Assert.Equal("no file given", (await UploadAsync(sab, "name", "empty.nzb", [], "")).GetProperty("error").GetString());
        Assert.Equal("no file given", (await sab.AskAsync("mode=addfile")).GetProperty("error").GetString());
        var refused = await UploadAsync(sab, "name", "a.nzb", SabFixture.Nzb("x"), "cat=..%2F..");
        Assert.Equal(0, refused.GetProperty("nzo_ids").GetArrayLength());
        Assert.Equal(0, await sab.Jobs.CountAsync(new JobFilter(), CancellationToken.None));
    }

    [Fact]
    public async Task SAB_06_large_uploads_are_taken_up_to_the_bound()
    {
        await using var sab = await SabFixture.OpenAsync(change: options => options with { MaxUploadBytes = 201 << 20 });
        var nzb = new byte[200 << 20];
        nzb.AsSpan().Fill((byte)' ');
        SabFixture.Nzb("x").CopyTo(nzb, 0);
        Assert.Single((await UploadAsync(sab, "name", "large.nzb", nzb, "")).GetProperty("nzo_ids").EnumerateArray());
        var larger = await UploadAsync(sab, "name", "larger.nzb", new byte[202 << 20], "");
        Assert.False(larger.GetProperty("status").GetBoolean());
        Assert.NotEmpty(larger.GetProperty("error").GetString()!);
    }

    [Fact]
    public async Task A_file_of_this_machine_is_taken()
    {
        await using var sab = await SabFixture.OpenAsync();
        var path = Path.Combine(sab.Folder, "Local show.nzb");
        await File.WriteAllBytesAsync(path, SabFixture.Nzb("x"));
        Assert.Equal("Local show", (await JobAsync(sab, await sab.AskAsync($"mode=addlocalfile&name={Uri.EscapeDataString(path)}"))).Name);
        Assert.Contains("nowhere", (await sab.AskAsync("mode=addlocalfile&name=/nowhere/x.nzb")).GetProperty("error").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_address_is_fetched_under_the_id_that_was_told()
    {
        await using var indexer = await Indexer.StartAsync();
        await using var sab = await SabFixture.OpenAsync(change: options => options with { PrivateHosts = ["127.0.0.1"] });
        var id = Id(await sab.AskAsync($"mode=addurl&name={Uri.EscapeDataString(indexer.Url + "redirect")}&cat=tv&priority=1"));
        await indexer.Asked.Task;
        var grabbing = Assert.Single(ArrReader.Queue(await sab.AskAsync("mode=queue")));
        Assert.Equal((id, "Grabbing", "tv"), (grabbing.Id, grabbing.Status, grabbing.Category));
        indexer.Go.SetResult();
        await Until.TrueAsync(async () => ArrReader.Queue(await sab.AskAsync("mode=queue")) is [{ Status: "Queued" }]);
        var job = (await sab.Jobs.GetAsync(NzoId.Parse(id)!.Value, CancellationToken.None))!;
        Assert.Equal(("Real Show.S01", "tv", 1, indexer.Url + "redirect"), (job.Name, job.Category, job.Priority, job.Url));
    }

    [Fact]
    public async Task A_name_in_UTF_7_gives_way_to_the_plain_one()
    {
        await using var indexer = await Indexer.StartAsync();
        indexer.Disposition = "attachment; filename=\"Plain.nzb\"; filename*=utf-7''a%2BIKw-b.nzb";
        indexer.Go.SetResult();
        await using var sab = await SabFixture.OpenAsync(change: options => options with { PrivateHosts = ["127.0.0.1"] });
        var id = Id(await sab.AskAsync($"mode=addurl&name={Uri.EscapeDataString(indexer.Url + "get")}"));
        await Until.TrueAsync(async () => ArrReader.Queue(await sab.AskAsync("mode=queue")) is [{ Status: "Queued" }]);
        Assert.Equal("Plain", (await sab.Jobs.GetAsync(NzoId.Parse(id)!.Value, CancellationToken.None))!.Name);
    }

    [Fact]
    public async Task An_address_in_a_private_network_is_refused_unless_it_is_allowed()
    {
        await using var indexer = await Indexer.StartAsync();
        indexer.Go.SetResult();
        await using var sab = await SabFixture.OpenAsync();
        foreach (var host in (string[])["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]"])
        {
            var id = Id(await sab.AskAsync($"mode=addurl&name={Uri.EscapeDataString(indexer.Url.Replace("127.0.0.1", host, StringComparison.Ordinal))}"));
            await Until.TrueAsync(async () => ArrReader.History(await sab.AskAsync("mode=history")).Exists(item => item.Id == id));
            var failed = ArrReader.History(await sab.AskAsync("mode=history")).Single(item => item.Id == id);
            Assert.Equal("Failed", failed.Status);
            Assert.Contains("NzbDav__Api__PrivateHosts=", failed.FailMessage, StringComparison.Ordinal);
        }

        Assert.False(indexer.Asked.Task.IsCompleted);
        Assert.Contains("no address", (await sab.AskAsync("mode=addurl&name=file%3A%2F%2F%2Fetc%2Fpasswd")).GetProperty("error").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Addresses_that_lead_to_magnet_links_fail_and_those_behind_them_are_fetched()
    {
        await using var indexer = await Indexer.StartAsync();
        indexer.Go.SetResult();
        await using var sab = await SabFixture.OpenAsync(change: options => options with { PrivateHosts = ["*"] });
        for (var i = 0; i < 4; i++)
            await sab.AskAsync($"mode=addurl&name={Uri.EscapeDataString(indexer.Url + "magnet")}");
        await sab.AskAsync($"mode=addurl&name={Uri.EscapeDataString(indexer.Url + "redirect")}");
        await Until.TrueAsync(async () => ArrReader.Queue(await sab.AskAsync("mode=queue")) is [{ Status: "Queued" }]);
        await Until.TrueAsync(async () => ArrReader.History(await sab.AskAsync("mode=history")).Count == 4);
        Assert.All(ArrReader.History(await sab.AskAsync("mode=history")), item => Assert.Equal("URL Fetching failed; it leads to a magnet link", item.FailMessage));
    }

    [Fact]
    public async Task A_redirect_does_not_lead_into_a_private_network()
    {
        // The name is allowed, the address that it sends to is not.
        await using var indexer = await Indexer.StartAsync();
        indexer.Go.SetResult();
        await using var sab = await SabFixture.OpenAsync(change: options => options with { PrivateHosts = ["localhost"] });
        await sab.AskAsync($"mode=addurl&name={Uri.EscapeDataString(indexer.Url.Replace("127.0.0.1", "localhost", StringComparison.Ordinal) + "redirect")}");
        await Until.TrueAsync(async () => ArrReader.History(await sab.AskAsync("mode=history")) is [{ Status: "Failed" }]);
        Assert.Contains("PrivateHosts=127.0.0.1", ArrReader.History(await sab.AskAsync("mode=history"))[0].FailMessage, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_address_that_gives_nothing_fails_with_the_reason_and_can_be_tried_again()
    {
        await using var indexer = await Indexer.StartAsync();
        indexer.Go.SetResult();
        await using var sab = await SabFixture.OpenAsync(change: options => options with { PrivateHosts = ["*"] });
        var id = Id(await sab.AskAsync($"mode=addurl&nzbname=My%20show&name={Uri.EscapeDataString(indexer.Url + "missing")}"));
        await Until.TrueAsync(async () => ArrReader.History(await sab.AskAsync("mode=history")).Count == 1);
        var failed = ArrReader.History(await sab.AskAsync("mode=history"))[0];
        Assert.Equal((id, "My show", "URL Fetching failed; the server answered 404 Not Found"), (failed.Id, failed.Title, failed.FailMessage));
        indexer.IsMissing = false;
        var again = (await sab.AskAsync($"mode=retry&value={id}")).GetProperty("nzo_id").GetString()!;
        await Until.TrueAsync(async () => ArrReader.Queue(await sab.AskAsync("mode=queue")) is [{ Status: "Queued" }]);
        Assert.Equal(again, ArrReader.Queue(await sab.AskAsync("mode=queue"))[0].Id);
    }

    [Fact]
    public async Task What_an_address_gives_goes_to_the_disk_as_it_comes_and_only_up_to_the_bound()
    {
        await using var indexer = await Indexer.StartAsync();
        indexer.Go.SetResult();
        await using var sab = await SabFixture.OpenAsync(change: options => options with { PrivateHosts = ["*"] });
        var import = sab.Get<Live<ImportOptions>>();
        import.Value = import.Value with { MaxNzbBytes = 4 << 20 };
        await sab.AskAsync($"mode=addurl&name={Uri.EscapeDataString(indexer.Url + "endless")}");
        await Until.TrueAsync(async () => ArrReader.History(await sab.AskAsync("mode=history")) is [{ Status: "Failed" }]);
        Assert.Equal("URL Fetching failed; The .nzb is larger than 4 MiB.", ArrReader.History(await sab.AskAsync("mode=history"))[0].FailMessage);
        await indexer.Ended.Task;
        Assert.True(indexer.Written >= 4 << 20);
        await Until.TrueAsync(() => Directory.GetFiles(Path.Combine(sab.Folder, "cache")).Length == 0);
    }

    [Fact]
    public async Task A_busy_server_is_asked_again_later_and_a_restart_forgets_nothing()
    {
        await using var indexer = await Indexer.StartAsync();
        indexer.Go.SetResult();
        var folder = Directory.CreateTempSubdirectory("nzbdav-api-").FullName;
        try
        {
            string id;
            await using (var sab = await SabFixture.OpenAsync(folder, options => options with { PrivateHosts = ["*"] }))
            {
                id = Id(await sab.AskAsync($"mode=addurl&name={Uri.EscapeDataString(indexer.Url + "busy")}"));
                await indexer.Asked.Task;
                Assert.Equal("Grabbing", Assert.Single(ArrReader.Queue(await sab.AskAsync("mode=queue"))).Status);
            }

            indexer.IsBusy = false;
            await using var again = await SabFixture.OpenAsync(folder, options => options with { PrivateHosts = ["*"] });
            await Until.TrueAsync(async () => ArrReader.Queue(await again.AskAsync("mode=queue")) is [{ Status: "Queued" } job] && job.Id == id);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static string Id(JsonElement answer) => Assert.Single(answer.GetProperty("nzo_ids").EnumerateArray()).GetString()!;

    private static async Task<CatalogJob> JobAsync(SabFixture sab, JsonElement answer)
    {
        Assert.True(answer.GetProperty("status").GetBoolean());
        return (await sab.Jobs.GetAsync(NzoId.Parse(Id(answer))!.Value, CancellationToken.None))!;
    }

    private static async Task<JsonElement> UploadAsync(SabFixture sab, string field, string name, byte[] bytes, string query)
    {
        using var form = new MultipartFormDataContent();
        var part = new ByteArrayContent(bytes);
        part.Headers.ContentType = new("application/x-nzb");
        form.Add(part, field, name);
        return (await sab.AskAsync($"mode=addfile&{query}", form)).Clone();
    }

    private static byte[] Pack(byte[] bytes, string packing)
    {
        using var packed = new MemoryStream();
        if (packing == "zip")
        {
            using (var zip = new ZipArchive(packed, ZipArchiveMode.Create, leaveOpen: true))
            using (var entry = zip.CreateEntry("Show.nzb").Open())
                entry.Write(bytes);
            return packed.ToArray();
        }

        if (packing == "bz2")
        {
            // Made by bzip2 of SabFixture.Nzb("x"): the runtime has none that packs.
            return Convert.FromBase64String(
                "QlpoOTFBWSZTWVWrRzsAADdfgCQQUWP438cABgo////wMADtLYaImk9J6QaaegmjCNAaGgwgaqepgDUxMTIYAAmAEzQSiQT0gPSaaAaHogADQBhNKer4HgKzsrlceyhkwKBsT0qgLoQpwVZPOGENChw9b0eoPnR6iUo5mY30"
                + "sqaxRkUBceQyFcpCqkwoVBg7oqUXi1aE5uiUA2ZHaVKCVJibBZrxRN4WHYbfxTg/1YjFDU491tRhGCdUCkDvQyZJGh8EhJnDcF6n0MGAO+CYk0iYHjY/boocMAk5LfKyPVdKQxMGqeiyjgVMbUiEKC9iKosrJhc4OsHhw6UN"
                + "eEBwh3BgoAYuQ8scGFqInDCX/F3JFOFCQVatHOw=");
        }

        if (packing != "gz")
            return bytes;
        using (var gzip = new GZipStream(packed, CompressionLevel.Fastest, leaveOpen: true))
            gzip.Write(bytes);
        return packed.ToArray();
    }

    /// <summary>A server with one .nzb, given when the test says so.</summary>
    private sealed class Indexer(WebApplication app) : IAsyncDisposable
    {
        public TaskCompletionSource Asked { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public TaskCompletionSource Go { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        /// <summary>Bytes that were taken of the endless answer.</summary>
        public long Written { get; private set; }

        /// <summary>Nobody takes more of it.</summary>
        public TaskCompletionSource Ended { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public bool IsMissing { get; set; } = true;

        public bool IsBusy { get; set; } = true;

        /// <summary>What the answer says its file is called.</summary>
        public string Disposition { get; set; } = "attachment; filename=\"Real Show.S01.nzb\"";

        public string Url => app.Urls.First() + "/";

        public static async Task<Indexer> StartAsync()
        {
            var builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
            builder.WebHost.UseKestrelCore().ConfigureKestrel(server =>
            {
                server.Listen(IPAddress.Loopback, 0);
            });
            builder.Services.AddRoutingCore().AddLogging();
            var app = builder.Build();
            var indexer = new Indexer(app);
            app.Run(indexer.AnswerAsync);
            await app.StartAsync();
            return indexer;
        }

        public ValueTask DisposeAsync() => app.DisposeAsync();

        private async Task AnswerAsync(HttpContext http)
        {
            if (http.Request.Path == "/magnet")
            {
                http.Response.Redirect("magnet:?xt=urn:btih:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa&dn=a b");
                return;
            }

            if (http.Request.Path == "/redirect")
            {
                http.Response.Redirect(Url + "get?id=1&key=secret");
                return;
            }

            Asked.TrySetResult();
            await Go.Task.WaitAsync(http.RequestAborted);
            if (http.Request.Path == "/missing" && IsMissing)
            {
                http.Response.StatusCode = 404;
                return;
            }

            if (http.Request.Path == "/busy" && IsBusy)
            {
                http.Response.StatusCode = 503;
                return;
            }

            if (http.Request.Path == "/endless")
            {
                await WriteAsync(http);
                return;
            }

            http.Response.Headers.ContentDisposition = Disposition;
            await http.Response.Body.WriteAsync(SabFixture.Nzb("from the indexer"));
        }

        private async Task WriteAsync(HttpContext http)
        {
            try
            {
                for (; Written < 1L << 30; Written += 64 << 10)
                    await http.Response.Body.WriteAsync(new byte[64 << 10], http.RequestAborted);
            }
            catch (Exception e) when (e is OperationCanceledException or IOException)
            {
                // It has hung up.
            }
            finally
            {
                Ended.TrySetResult();
            }
        }
    }
}
