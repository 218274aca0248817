using System.Net;
using System.Net.Http.Headers;
using System.Text.Json;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Serving;

namespace NzbDav.EndToEnd.Tests.Backup;

/// <summary>Backups restored over HTTP, at the next start.</summary>
public sealed class PendingRestoreTests
{
    [Fact]
    public async Task A_stored_backup_is_restored_at_the_next_start_and_the_log_says_so()
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        var (early, late) = (news.Post("early.mkv", 900_000), news.Post("late.mkv", 700_000));
        string name;
        await using (var gateway = await Gateway.StartAsync(news, folder))
        {
            await gateway.ImportAsync("early", early);
            using var client = OperatorClient.Of(gateway);
            name = (await client.AskAsync("POST", "/api/v1/backups")).Body.GetProperty("name").GetString()!;
            await gateway.ImportAsync("late", late);
            var (status, state) = await client.AskAsync("POST", $"/api/v1/backups/{name}/restore");
            Assert.Equal((HttpStatusCode.Accepted, name, 0), (status, state.GetProperty("pending").GetProperty("name").GetString(),
                state.GetProperty("pending").GetProperty("missingBlobs").GetInt32()));
            Assert.Equal(JsonValueKind.Null, state.GetProperty("last").ValueKind);
            Assert.Equal(HttpStatusCode.Conflict, (await client.AskAsync("POST", $"/api/v1/backups/{name}/restore")).Status);

            // Until then nothing changes, and the backup itself is not needed any more.
            await gateway.Client.AssertFileAsync("/dav/content/movies/late/late.mkv", late);
            Assert.Equal(HttpStatusCode.NoContent, (await client.AskAsync("DELETE", $"/api/v1/backups/{name}")).Status);
            Assert.Equal(HttpStatusCode.NotFound, (await client.AskAsync("DELETE", $"/api/v1/backups/{name}")).Status);
        }

        await using var again = await Gateway.StartAsync(news, folder);
        await again.Client.AssertFileAsync("/dav/content/movies/early/early.mkv", early);
        Assert.Equal(["early"], await again.Client.ListAsync("/dav/content/movies/"));
        using var after = OperatorClient.Of(again);
        var (_, told) = await after.AskAsync("GET", "/api/v1/restore");
        Assert.Equal(JsonValueKind.Null, told.GetProperty("pending").ValueKind);
        var last = told.GetProperty("last");
        Assert.Equal((name, JsonValueKind.Null), (last.GetProperty("name").GetString(), last.GetProperty("error").ValueKind));
        Assert.True(Directory.Exists(last.GetProperty("former").GetString()));
        var (_, lines) = await after.AskAsync("GET", "/api/v1/log/lines?level=warning&search=was+restored");
        Assert.Contains(
            name, Assert.Single(lines.GetProperty("lines").EnumerateArray()).GetProperty("message").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_uploaded_backup_is_checked_at_once_and_can_be_cancelled()
    {
        await using var news = new NewsServers();
        var file = news.Post("film.mkv", 900_000);
        await using var gateway = await Gateway.StartAsync(news);
        await gateway.ImportAsync("film", file);
        using var client = OperatorClient.Of(gateway);
        var name = (await client.AskAsync("POST", "/api/v1/backups")).Body.GetProperty("name").GetString()!;
        var whole = await client.DownloadAsync($"/api/v1/backups/{name}?complete=true");
        Assert.Equal(HttpStatusCode.UnprocessableEntity, await SendAsync(gateway, whole[..^100]));
        Assert.Equal(HttpStatusCode.UnprocessableEntity, await SendAsync(gateway, [1, 2, 3]));
        Assert.Equal(JsonValueKind.Null, (await client.AskAsync("GET", "/api/v1/restore")).Body.GetProperty("pending").ValueKind);

        Assert.Equal(HttpStatusCode.Accepted, await SendAsync(gateway, whole));
        Assert.Equal(
            "mine.zip", (await client.AskAsync("GET", "/api/v1/restore")).Body.GetProperty("pending").GetProperty("name").GetString());
        Assert.Equal(HttpStatusCode.NoContent, (await client.AskAsync("DELETE", "/api/v1/restore")).Status);
        Assert.Equal(JsonValueKind.Null, (await client.AskAsync("GET", "/api/v1/restore")).Body.GetProperty("pending").ValueKind);
        Assert.Empty(Directory.GetFileSystemEntries(gateway.ConfigFolder, "restore*"));
        Assert.Empty(Directory.GetFiles(Path.Combine(gateway.ConfigFolder, "cache"), "restore-*"));
    }

    [Fact]
    public async Task An_upload_larger_than_the_free_disk_space_is_refused_and_leaves_nothing()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        var free = 256L << 20;
        gateway.Services.GetRequiredService<UploadFolder>().Free = () => free;
        Assert.Equal(HttpStatusCode.InsufficientStorage, await SendAsync(gateway, new byte[1_000]));

        // The disk fills up during the upload.
        var asked = 0;
        gateway.Services.GetRequiredService<UploadFolder>().Free = () => ++asked > 2 ? free - 1 : free * 2;
        Assert.Equal(HttpStatusCode.InsufficientStorage, await SendAsync(gateway, new byte[5 << 20]));
        Assert.Empty(Directory.GetFiles(Path.Combine(gateway.ConfigFolder, "cache"), "restore-*"));
    }

    private static async Task<HttpStatusCode> SendAsync(Gateway gateway, byte[] bytes)
    {
        using var http = new HttpClient { BaseAddress = new Uri(gateway.Root) };
        using var request = new HttpRequestMessage(HttpMethod.Post, "/api/v1/restore?name=mine.zip")
        { Content = new ByteArrayContent(bytes) };
        request.Content.Headers.ContentType = new MediaTypeHeaderValue("application/zip");
        request.Headers.Add("X-Api-Key", await File.ReadAllTextAsync(Path.Combine(gateway.ConfigFolder, "keys", "api")));
        using var response = await http.SendAsync(request);
        return response.StatusCode;
    }
}
