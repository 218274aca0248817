using System.Net;
using System.Text.Json;
using NzbDav.EndToEnd.Tests.Running;

namespace NzbDav.EndToEnd.Tests.Api;

/// <summary>Listing and ending streams, on a whole server.</summary>
public sealed class StreamTests
{
    [Fact]
    public async Task An_active_stream_is_listed_and_can_be_ended()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        var film = news.Post("film.mkv", 40_000_000);
        var path = await gateway.ImportAsync("Film", film) + "/film.mkv";
        using var api = OperatorClient.Of(gateway);
        Assert.Empty((await api.OkAsync("/api/v1/streams")).GetProperty("streams").EnumerateArray());

        using var client = new DavClient(gateway.Root, Gateway.User, Gateway.Password);
        client.Http.DefaultRequestHeaders.UserAgent.ParseAdd("VLC/3.0.20 LibVLC/3.0.20");
        using var request = new HttpRequestMessage(HttpMethod.Get, path);
        using var response = await client.Http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead);
        await using var body = await response.Content.ReadAsStreamAsync();
        await body.ReadExactlyAsync(new byte[1_000_000]);

        // What a client has may be counted a moment later.
        JsonElement stream = default;
        await Deadline.UntilAsync(
            async () =>
            {
                stream = Assert.Single((await api.OkAsync("/api/v1/streams")).GetProperty("streams").EnumerateArray().ToArray());
                return stream.GetProperty("sent").GetInt64() >= 1_000_000;
            },
            "the bytes that were read count");
        Assert.Equal(
            ("VLC", Gateway.User, "webdav", "film.mkv", "127.0.0.1"),
            (stream.GetProperty("program").GetString(), stream.GetProperty("user").GetString(), stream.GetProperty("via").GetString(),
            stream.GetProperty("name").GetString(), stream.GetProperty("address").GetString()));
        Assert.InRange(stream.GetProperty("sent").GetInt64(), 1_000_000, film.Length);
        Assert.NotEqual(JsonValueKind.Null, stream.GetProperty("firstByteSeconds").ValueKind);
        Assert.InRange(stream.GetProperty("inFlight").GetInt32(), 0, film.Segments.Count);

        Assert.Equal(
            HttpStatusCode.NoContent, (await api.AskAsync("DELETE", $"/api/v1/streams/{stream.GetProperty("id").GetString()}")).Status);
        await Assert.ThrowsAnyAsync<Exception>(() => body.CopyToAsync(Stream.Null));
        using var again = await client.Http.GetAsync(path);
        Assert.Equal(HttpStatusCode.Forbidden, again.StatusCode);
        await gateway.Client.AssertRangeAsync(path, film, 0, 100_000);
        Assert.Equal(HttpStatusCode.NotFound, (await api.AskAsync("DELETE", "/api/v1/streams/0")).Status);
        await gateway.AssertNothingLeaksAsync();
    }
}
