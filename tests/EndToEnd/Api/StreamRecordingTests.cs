using System.IO.Compression;
using System.Net;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Content.Recording;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Library.Pins;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Providers;

namespace NzbDav.EndToEnd.Tests.Api;

/// <summary>The last minutes of streams: as a time line, as an anonymous recording, and replayed.</summary>
public sealed class StreamRecordingTests
{
    private const int Articles = 40;
    private const int ArticleSize = 100_000;
    private const string AccountPassword = "acc0unt-722-pass";

    [Fact]
    public async Task A_recording_replays_with_the_same_waits_and_the_right_bytes()
    {
        await using var news = new NewsServers(
            new MockProviderOptions
            { Name = "Shy News", Username = "acme-user", Password = AccountPassword, Latency = TimeSpan.FromMilliseconds(30) },
            new MockProviderOptions { Name = "Bold News", Latency = TimeSpan.FromMilliseconds(60) });
        var source = new FilmSource(new SeededSource(11, "Hidden.Film.mkv", Articles * ArticleSize));
        var file = news.Store.AddFile("Hidden.Film.mkv", source, new PostOptions { ArticleSize = ArticleSize });
        byte[] packed;
        await using (var gateway = await Gateway.StartAsync(news))
        {
            var path = await gateway.ImportAsync("Secret Job", file) + "/Hidden.Film.mkv";
            var pins = gateway.Services.GetRequiredService<PinStore>();
            await Deadline.UntilAsync(() => pins.Items.Count == 1, "the start of the film is pinned");
            gateway.ForgetArticles();

            // The first provider lacks every fourth article; some of those are late at the second. The first 2 MiB are on the disk, here
            // and in the replay.
            news.First.Faults.Add(Fault.Missing, FaultTarget.Where(segment => segment.Index % 4 == 1));
            news.Providers[1].Faults.Add(Fault.Stall(after: 0, TimeSpan.FromMilliseconds(400)), FaultTarget.Indexes(file, 9, 21, 33));
            await ReadAsync(gateway, path, file, 0, file.Length);
            await ReadAsync(gateway, path, file, 2_500_000, 2_600_000);
            using var client = OperatorClient.Of(gateway);
            await AssertTimelineAsync(client);
            packed = await client.DownloadAsync("/api/v1/streams/recording");
            var (missing, _) = await client.AskAsync("GET", "/api/v1/streams/99/recording");
            Assert.Equal(HttpStatusCode.NotFound, missing);
        }

        var text = Unpack(packed);
        foreach (var name in new[] { "Shy", "Bold", "acme", AccountPassword, "Hidden", "Secret", "127.0.0.1", "mock.invalid", "Bob",
            Gateway.User })
            Assert.DoesNotContain(name, text, StringComparison.OrdinalIgnoreCase);
        Assert.All(file.Segments, segment => Assert.DoesNotContain(segment.MessageId[..16], text, StringComparison.OrdinalIgnoreCase));
        var recorded = await RecordingReader.ReadAsync(new MemoryStream(packed), Deadline.Token);
        Assert.Null(recorded.Cut);
        Assert.Equal([0, 1], recorded.Providers.Keys.Order());
        Assert.Equal(
            (file.Length, Articles), (recorded.Files[1].Size, recorded.Files[1].Volumes.Sum(volume => volume.Count * volume.Articles)));
        Assert.Equal(["VLC", "VLC"], recorded.Requests.Select(request => request.Line.Program));
        Assert.Equal([file.Length, 100_000], recorded.Requests.Select(request => request.Bytes));
        Assert.Equal(5, recorded.Articles.Where(line => line is { Kind: "article", Provider: 0, Outcome: "missing" })
            .Select(line => line.Article).Distinct().Count());

        using var folder = new Folder();
        var (recording, json) = (Path.Combine(folder.Path, "evening.jsonl.gz"), Path.Combine(folder.Path, "figures.json"));
        await File.WriteAllBytesAsync(recording, packed);
        var (exit, said, errors) = await ServerProcess.RunAsync(new Dictionary<string, string>(), "--replay", recording, "--json", json);
        Assert.True(exit == 0, string.Join('\n', [.. said, .. errors]));
        using var figures = JsonDocument.Parse(await File.ReadAllTextAsync(json));
        var root = figures.RootElement;
        Assert.Equal((file.Length + 100_000, 0, 0, 0), (root.GetProperty("bytes_compared").GetInt64(), root.GetProperty("wrong_bytes")
            .GetInt64(), root.GetProperty("reads_hung").GetInt32(), root.GetProperty("reads_failed").GetInt32()));
        var (before, again) = (root.GetProperty("recorded"), root.GetProperty("replayed"));
        Assert.Equal((2, 0, file.Length + 100_000),
            (again.GetProperty("requests").GetInt32(), again.GetProperty("broken").GetInt32(), again.GetProperty("bytes").GetInt64()));

        // In the replay the first provider lacks the same articles, and the late ones cause waits again.
        Assert.Equal(Missing(before), Missing(again));
        Assert.InRange(again.GetProperty("waits").GetInt32(), 1, (before.GetProperty("waits").GetInt32() * 3) + 5);
        Assert.Contains(said, line => line.Contains("P0: articles asked / missing / faults", StringComparison.Ordinal));

        static int Missing(JsonElement figures) => figures.GetProperty("providers").EnumerateArray()
            .Single(provider => provider.GetProperty("provider").GetInt32() == 0).GetProperty("missing").GetInt32();
    }

    [Fact]
    public async Task Streams_are_recorded_to_a_folder_as_they_happen()
    {
        await using var news = new NewsServers();
        using var state = new Folder();
        var file = news.Post("film.mkv", 3_000_000);
        var folder = Path.Combine(state.Path, "evenings");
        await using (var gateway = await Gateway.StartAsync(news, change: settings => settings with { RecordTo = folder, RecordMiB = 4 }))
        {
            var path = await gateway.ImportAsync("film", file) + "/film.mkv";
            gateway.ForgetArticles();
            await gateway.Client.AssertFileAsync(path, file);
        }

        // The recording ends when the server stops.
        await using var stream = File.OpenRead(Assert.Single(Directory.GetFiles(folder)));
        var recorded = await RecordingReader.ReadAsync(stream, Deadline.Token);
        Assert.Null(recorded.Cut);
        Assert.Equal((file.Length, ResponseEnd.Complete), (recorded.Requests.Sum(request => request.Bytes), recorded.Requests[^1].Outcome));
        Assert.Equal(file.Segments.Count,
            recorded.Articles.Where(line => line is { File: 1, Outcome: "found" }).Select(line => line.Article).Distinct().Count());
    }

    [Theory]
    [InlineData("", "line 1: the file is empty")]
    [InlineData("{\"kind\":\"recording\",\"version\":1,\"begun\":\"2026-11-20T20:15:00+00:00\"}\n{\"kind\":\"cap\",\"at\":1}\n",
        "line 2: \"provider\" is missing")]
    [InlineData("{\"kind\":\"recording\",\"version\":1,\"begun\":\"2026-11-20T20:15:00+00:00\"}\n", "contains no requests")]
    public async Task An_invalid_recording_is_refused_with_the_reason(string text, string reason)
    {
        using var folder = new Folder();
        var path = Path.Combine(folder.Path, "bad.jsonl");
        await File.WriteAllTextAsync(path, text);
        var (exit, _, errors) = await ServerHere.RunAsync(new Dictionary<string, string>(), "--replay", path);
        Assert.Equal(2, exit);
        Assert.Contains(reason, string.Join('\n', errors), StringComparison.Ordinal);
    }

    private static async Task AssertTimelineAsync(OperatorClient client)
    {
        var streams = (await client.AskAsync("GET", "/api/v1/streams")).Body.GetProperty("streams");
        var (status, told) = await client.AskAsync("GET", $"/api/v1/streams/{streams[0].GetProperty("id").GetString()}/timeline");
        Assert.Equal(HttpStatusCode.OK, status);
        var events = told.GetProperty("events").EnumerateArray().ToArray();
        Assert.Equal(2, events.Count(one => one.GetProperty("kind").GetString() == "request"));
        var waits = events.Where(one => one.GetProperty("kind").GetString() == "wait").ToArray();
        Assert.Contains(waits, wait => wait.GetProperty("attempts").EnumerateArray().Any(attempt => attempt.GetProperty("provider")
            .GetString() == "Shy News" && attempt.GetProperty("result").GetString() == "missing"));
        Assert.Equal(["Shy News", "Bold News"],
            told.GetProperty("providers").EnumerateArray().Select(provider => provider.GetProperty("provider").GetString()));
    }

    private static async Task ReadAsync(Gateway gateway, string path, PostedFile file, long start, long end)
    {
        using var response = await gateway.Client.SendAsync("GET", path, headers: headers =>
        {
            headers.Range = new RangeHeaderValue(start, end - 1);
            headers.TryAddWithoutValidation("User-Agent", "VLC/3.0.21 (Bob's phone)");
        });
        var expected = new byte[end - start];
        file.Source.Fill(start, expected);
        var got = await response.Content.ReadAsByteArrayAsync();
        Assert.True(expected.AsSpan().SequenceEqual(got), "other bytes than were posted");
    }

    private static string Unpack(byte[] packed)
    {
        using var gzip = new GZipStream(new MemoryStream(packed), CompressionMode.Decompress);
        using var reader = new StreamReader(gzip, Encoding.UTF8);
        return reader.ReadToEnd();
    }
}
