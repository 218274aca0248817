using System.Net;
using System.Net.Http.Headers;
using System.Security.Cryptography;
using NzbDav.Catalog.Jobs;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Fakes;
using NzbDav.Fakes.Archives;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Nzb;
using NzbDav.MockUsenet.Pacing;
using NzbDav.MockUsenet.Providers;

namespace NzbDav.EndToEnd.Tests.Reading;

/// <summary>
/// Two providers, one of which fails in some way while files are read: every byte is right, no response breaks, and no memory is held
/// afterwards. Each fault is tested with one layout, one number of streams and one kind of connection, on a small file; <c>nzbdav
/// --test-faults</c> measures all combinations.
/// </summary>
public sealed class FaultMatrixTests
{
    private const int MiB = 1 << 20;
    private const int Piece = 256 << 10;
    private const string Password = "sécret";

    private static readonly byte[] Film = MakeFilm();

    [Theory]
    [InlineData("missing 1 %", "plain", 1, false)]
    [InlineData("missing 5 %", "RAR5", 8, true)]
    [InlineData("corrupt 1 %", "AES", 1, true)]
    [InlineData("stall 1 %", "7z", 8, false)]
    [InlineData("drop 1 %", "plain", 8, true)]
    [InlineData("reset 1 %", "RAR5", 1, true)]
    [InlineData("slow provider", "AES", 8, false)]
    [InlineData("provider down", "7z", 1, false)]
    [InlineData("cap lowered", "plain", 8, false)]
    [InlineData("login refused", "RAR5", 1, false)]
    [InlineData("BODY refused", "AES", 8, true)]
    [InlineData("STAT lies", "7z", 1, true)]
    public async Task Reading_continues_whatever_one_provider_does(string fault, string layout, int streams, bool tls)
    {
        var cell = new Cell(fault, layout, streams, tls);
        using var state = new Folder();

        // A home line that either provider can fill alone, so a drop of the rate is not the missing bandwidth of a provider that is gone.
        var server = new MockProviderOptions
        {
            Latency = TimeSpan.FromMilliseconds(20),
            ConnectionRate = 6_000_000,
            Line = new MockLine(40_000_000),
            Tls = cell.Tls,
            Username = "u",
            Password = "p"
        };
        await using var news = new NewsServers(server with { Name = "news-a" }, server with { Name = "news-b" });
        PostedFile[] posted = [.. Volumes(cell.Layout)
            .Select(volume => news.Store.AddFile(volume.Name, new MemorySource(volume.Bytes), new PostOptions { ArticleSize = 100_000 }))];
        string path;
        await using (var gateway = await StartAsync(news, state, cell))
        {
            await gateway.Client.PutAsync(DavClient.Path("nzbs", "movies", cell.Layout == "AES" ? $"Set{{{{{Password}}}}}.nzb" : "Set.nzb"),
                NzbWriter.ToBytes(posted));
            var done = await gateway.WaitAsync("Set");
            Assert.True(done?.State == JobState.Completed, done?.FailureMessage);
            path = DavClient.Path("content", "movies", "Set", "film.mkv");
        }

        Spoil(news, cell.Fault);
        await using var spoilt = await StartAsync(news, state, cell);
        var reading = await Reading.OfAsync(spoilt, path, cell.Streams, () => SpoilLater(news.First, cell.Fault));
        // The first bytes of an article that a reader waits for are sent before its checksum is known, so a damaged one may break the
        // response.
        Assert.InRange(reading.Restarts, 0,
            cell.Fault.StartsWith("corrupt", StringComparison.Ordinal) ? posted.Sum(file => file.Segments.Count) / 4 : 0);
        news.Mend();
        await spoilt.AssertNothingLeaksAsync();
    }

    private static Task<Gateway> StartAsync(NewsServers news, Folder state, Cell cell) => Gateway.StartAsync(
        news, state, settings => settings with
        {
            Providers = [
            .. settings.Providers.Select(provider => provider with { Priority = 0, UseTls = cell.Tls, VerifyCertificate = false })]
        });

    /// <summary>Faults present from the beginning. Each article is intact at one provider at least.</summary>
    private static void Spoil(NewsServers news, string fault)
    {
        var (first, second) = (news.Providers[0], news.Providers[1]);

        // A small film has few articles.
        var one = FaultTarget.Rate(0.1, seed: 3);
        var others = FaultTarget.Where(segment => !one.Strikes(segment) && FaultTarget.Rate(0.05, seed: 4).Strikes(segment));
        switch (fault)
        {
            case "missing 1 %" or "missing 5 %":
                first.Faults.Add(Fault.Missing, one);
                second.Faults.Add(Fault.Missing, others);
                break;
            case "corrupt 1 %":
                first.Faults.Add(Fault.Corrupt, one);
                break;
            case "stall 1 %":
                news.First.Faults.Add(Fault.Stall(), one, timesEach: 1);
                second.Faults.Add(Fault.Stall(), others, timesEach: 1);
                break;
            case "drop 1 %" or "reset 1 %":
                first.Faults.Add(Fault.Drop(reset: fault[0] == 'r'), one, timesEach: 1);
                second.Faults.Add(Fault.Drop(reset: fault[0] == 'r'), others, timesEach: 1);
                break;
            case "slow provider":
                first.Faults.Add(Fault.Slow(50_000), FaultTarget.All);
                break;
            case "login refused":
                first.RefuseLogins = int.MaxValue;
                break;
            case "BODY refused":
                first.RefuseBodies = true;
                break;
            case "STAT lies":
                first.Faults.Add(Fault.StatLies, one);
                break;
        }
    }

    /// <summary>Faults that start when a quarter has been read.</summary>
    private static void SpoilLater(MockProvider provider, string fault)
    {
        if (fault == "provider down")
        {
            provider.RefuseConnections = true;
            provider.DropConnections();
        }
        else if (fault == "cap lowered")
        {
            provider.MaxConnections = 2;
            provider.DropConnections(keep: 2);
        }
    }

    private static IEnumerable<(string Name, byte[] Bytes)> Volumes(string layout)
    {
        var packed = new PackedFile("film.mkv", Film);
        var size = Math.Max(MiB, Film.Length / 12);
        return layout switch
        {
            "RAR5" => new Rar5Writer { VolumeSize = size }.Write(packed).Select((bytes, index) => ($"set.part{index + 1:00}.rar", bytes)),
            "AES" => new Rar5Writer { VolumeSize = size, Password = Password }.Write(packed)
                .Select((bytes, index) => ($"set.part{index + 1:00}.rar", bytes)),
            "7z" => new SevenZipWriter { VolumeSize = size }.Write(packed).Select((bytes, index) => ($"set.7z.{index + 1:000}", bytes)),
            _ => [("film.mkv", Film)],
        };
    }

    private static byte[] MakeFilm()
    {
        var film = SeededBytes.Make(31, 4_000_000);
        new byte[] { 0x1A, 0x45, 0xDF, 0xA3 }.CopyTo(film, 0);
        return film;
    }

    private sealed record Cell(string Fault, string Layout, int Streams, bool Tls);

    /// <summary>Several clients read the whole film at once; each starts again when its response breaks.</summary>
    private sealed class Reading
    {
        private int _quarters;
        private int _restarts;

        public int Restarts => _restarts;

        public static async Task<Reading> OfAsync(Gateway gateway, string path, int streams, Action atQuarter)
        {
            var reading = new Reading();
            await Task.WhenAll(Enumerable.Range(0, streams).Select(_ => Task.Run(() => reading.ReadAsync(gateway, path, atQuarter))));
            return reading;
        }

        private async Task ReadAsync(Gateway gateway, string path, Action atQuarter)
        {
            using var client = new DavClient(gateway.Root, Gateway.User, Gateway.Password);
            using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
            long at = 0;
            while (at < Film.Length)
            {
                var from = at;
                using var response = await client.SendAsync(
                    "GET", path, body: null, headers => headers.Range = new RangeHeaderValue(from, null));
                Assert.True(response.StatusCode == HttpStatusCode.PartialContent,
                    $"{response.StatusCode} at {at}: {(response.IsSuccessStatusCode ? "" : await response.Content.ReadAsStringAsync())}");
                try
                {
                    await using var body = await response.Content.ReadAsStreamAsync();
                    var piece = new byte[Piece];
                    while (true)
                    {
                        var count = await body.ReadAsync(piece, Deadline.Token);
                        if (count == 0)
                            break;
                        hash.AppendData(piece, 0, count);
                        if (at < Film.Length / 4 && at + count >= Film.Length / 4 && Interlocked.Increment(ref _quarters) == 1)
                            atQuarter();
                        at += count;
                    }

                    Assert.Equal(Film.Length, at);
                }
                catch (Exception e) when (e is HttpIOException or IOException)
                {
                    Assert.InRange(Interlocked.Increment(ref _restarts), 0, 200);
                    hash.GetHashAndReset();
                    at = 0;
                }
            }

            Assert.Equal(Convert.ToHexString(SHA256.HashData(Film)), Convert.ToHexString(hash.GetHashAndReset()));
        }
    }
}
