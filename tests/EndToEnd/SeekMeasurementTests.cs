using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Fakes;
using NzbDav.Fakes.Archives;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Providers;

namespace NzbDav.EndToEnd.Tests;

/// <summary>
/// Compares a seek into a RAR set with the same seek into the plain file on a home line: 30 ± 6 ms to the provider, 6 MB/s a connection, 20
/// connections. The import did not look at most volumes of the set, and each seek goes into a volume that has not been read yet. Both are
/// measured in one run, in turns. Prints its figures; asserts only what does not depend on the machine's speed. <c>NZBDAV_MEASURE_SEEKS</c>
/// sets the number of seeks; the default only shows that the measurement works.
/// </summary>
public sealed class SeekMeasurementTests(ITestOutputHelper output)
{
    private const int VolumeSize = 4_200_000;
    private const int Article = 716_800;
    private const int MiB = 1 << 20;
    private const int Few = 3;

    private static readonly int Seeks = int.TryParse(Environment.GetEnvironmentVariables()["NZBDAV_MEASURE_SEEKS"] as string,
        NumberStyles.None, CultureInfo.InvariantCulture, out var asked) ? asked : Few;

    [Fact(Explicit = true)]
    public async Task Seeks_into_a_RAR_set_compared_with_the_plain_file()
    {
        await using var news = new NewsServers(new MockProviderOptions
        { Name = "one", Latency = TimeSpan.FromMilliseconds(30), Jitter = TimeSpan.FromMilliseconds(6), ConnectionRate = 6_000_000 });
        await using var gateway = await Gateway.StartAsync(news, change: settings => settings
            with
        { Providers = [.. settings.Providers.Select(provider => provider with { MaxConnections = 20 })] });
        var film = SeededBytes.Make(20, (Seeks + 6) * VolumeSize);
        new byte[] { 0x1A, 0x45, 0xDF, 0xA3 }.CopyTo(film, 0);
        var plain = news.Store.AddFile("film.mkv", new MemorySource(film), null);
        var set = new Rar5Writer { VolumeSize = VolumeSize }.Write(new PackedFile("film.mkv", film))
            .Select((bytes, index) => news.Store.AddFile($"set.part{index + 1:000}.rar", new MemorySource(bytes), null)).ToArray();
        foreach (var segment in set.Append(plain).SelectMany(file => file.Segments))
            _ = segment.Body;
        var path = await gateway.ImportAsync("Plain", plain) + "/film.mkv";

        // A set for each measurement, because what has been proven about a set stays proven.
        var sets = new List<string>();
        for (var i = 0; i < 3; i++)
            sets.Add(await gateway.ImportAsync($"Set{i}", set) + "/film.mkv");
        var (first, start, articles) = (new Pair(), new Pair(), new Pair());
        var (plainParts, setParts) = (new List<double>(), new List<double>());
        for (var seek = 0; seek < Seeks; seek++)
        {
            // The same offset within an article in both, because the bytes before it arrive first. In the set, it lies behind the volume's
            // first article.
            var into = (long)seek * 197_777 % Article;
            var inSet = Place(seek) + Article + into;
            var inPlain = (inSet / Article * Article) + into;
            foreach (var (target, list, place) in Turns(seek, (path, first.Plain, inPlain), (sets[0], first.Set, inSet)))
            {
                gateway.ForgetArticles();
                using var client = new Reading(gateway.Root, target, place, film);
                list.Add((await client.ReadAsync(1)).FirstByte);
                await client.ReadAsync(2 * MiB);
                client.Dispose();
                await QuietAsync(gateway);
            }

            foreach (var (target, list, place) in Turns(seek, (path, articles.Plain, inPlain), (sets[1], articles.Set, inSet)))
            {
                gateway.ForgetArticles();
                var before = news.First.Stats.Commands["BODY"];
                using (var client = new Reading(gateway.Root, target, place, film))
                    await client.ReadAsync(MiB);
                await QuietAsync(gateway);
                list.Add(news.First.Stats.Commands["BODY"] - before);
            }
        }

        // The middle of the film is in a volume that the earlier starts have not reached.
        for (var round = 0; round < Seeks / 3; round++)
        {
            foreach (var (target, list, parts) in Turns(round, (path, start.Plain, plainParts), (sets[2], start.Set, setParts)))
            {
                gateway.ForgetArticles();
                var watch = Stopwatch.StartNew();
                foreach (var (from, count) in ((long, int)[])[(0, MiB / 2), (film.Length - MiB, MiB),
                    (Place(round * 3) + Article, 8 * MiB)])
                {
                    using var client = new Reading(gateway.Root, target, from, film, from + count);
                    var part = Stopwatch.GetTimestamp();
                    await client.ReadAsync(count);
                    parts.Add(Stopwatch.GetElapsedTime(part).TotalMilliseconds);
                }

                list.Add(watch.Elapsed.TotalMilliseconds);
                await QuietAsync(gateway);
            }
        }

        output.WriteLine($"{Seeks} seeks, {(IsOptimised ? "release" : "DEBUG")} build; plain file / RAR set:");
        output.WriteLine("first byte, ms: " + first);
        output.WriteLine($"player start, ms: {start}; of these head, tail and 8 MiB of the middle {Parts(plainParts)} / {Parts(setParts)}");
        output.WriteLine("articles for a seek that is left after its first MiB: " + articles);
        await gateway.AssertNothingLeaksAsync();
    }

#if DEBUG
    private static bool IsOptimised => false;
#else
    private static bool IsOptimised => true;
#endif

    /// <summary>
    /// Approximate offset in the film where a volume begins that the import did not look at; exact but for the length of headers.
    /// </summary>
    private static long Place(int index) => (index + 3) * (VolumeSize - 100L);

    private static IEnumerable<(string Target, List<double> List, T More)> Turns<T>(
        int turn, (string, List<double>, T) one, (string, List<double>, T) other) => turn % 2 == 0 ? [one, other] : [other, one];

    /// <summary>Medians of values that come in threes.</summary>
    private static string Parts(List<double> all) =>
        string.Join(" + ", Enumerable.Range(0, 3).Select(part => all.Where((_, index) => index % 3 == part).Order().ToArray())
            .Select(one => one.Length == 0 ? "-" : one[one.Length / 2].ToString("F0", CultureInfo.InvariantCulture)));

    private static Task QuietAsync(Gateway gateway) =>
        Deadline.UntilAsync(() => gateway.Usenet.Cache.Open == 0 && gateway.Usenet.RequestsOnWire == 0
            && gateway.Usenet.QueuedRequests == 0, "no article is requested any more");

    /// <summary>Figures of the plain file and of the set, one per seek.</summary>
    private sealed class Pair
    {
        public List<double> Plain { get; } = [];

        public List<double> Set { get; } = [];

        public override string ToString()
        {
            if (Plain.Count == 0)
                return "-";
            var ratios = Plain.Zip(Set, (plain, set) => set / plain).Order().ToArray();
            return string.Create(
                CultureInfo.InvariantCulture,
                $"{Spread(Plain)} / {Spread(Set)}; of medians {At(Set, 0.5) / At(Plain, 0.5):F2}, ratio of neighbours p50 " +
                $"{ratios[ratios.Length / 2]:F2}");
        }

        private static string Spread(List<double> all) => string.Create(
            CultureInfo.InvariantCulture, $"min {all.Min():F0} p50 {At(all, 0.5):F0} p95 {At(all, 0.95):F0} max {all.Max():F0}");

        private static double At(List<double> all, double quantile) =>
            all.Order().ElementAt(Math.Min(all.Count - 1, (int)(all.Count * quantile)));
    }

    /// <summary>A player's connection: reads from an offset as long as it likes, then disconnects.</summary>
    private sealed class Reading : IDisposable
    {
        private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        private readonly byte[] _buffer = new byte[64 << 10];
        private readonly byte[] _film;
        private readonly Uri _root;
        private readonly string _request;
        private long _place;
        private bool _begun;

        public Reading(string root, string path, long place, byte[] film, long? end = null)
        {
            (_root, _place, _film) = (new Uri(root), place, film);
            var password = Convert.ToBase64String(Encoding.UTF8.GetBytes($"{Gateway.User}:{Gateway.Password}"));
            _request =
                $"GET {path} HTTP/1.1\r\nHost: {_root.Authority}\r\nAuthorization: Basic {password}\r\nRange: " +
                $"bytes={place}-{(end is { } e ? e - 1 : "")}\r\n\r\n";
        }

        /// <summary>Reads at least <paramref name="count"/> bytes and compares them with the film.</summary>
        /// <returns>Milliseconds to the first byte, and the number of bytes read.</returns>
        public async Task<(double FirstByte, int Read)> ReadAsync(int count)
        {
            var began = Stopwatch.GetTimestamp();
            double first = 0;
            var kept = 0;
            var done = 0;
            if (!_begun)
            {
                await _socket.ConnectAsync(IPAddress.Loopback, _root.Port);
                await _socket.SendAsync(Encoding.ASCII.GetBytes(_request));
            }

            while (done < count)
            {
                var read = await _socket.ReceiveAsync(_buffer.AsMemory(kept));
                Assert.NotEqual(0, read);
                var bytes = _buffer.AsMemory(0, kept + read);
                if (!_begun)
                {
                    var head = bytes.Span.IndexOf("\r\n\r\n"u8);
                    if (head < 0 || head + 4 == bytes.Length)
                    {
                        kept = bytes.Length;
                        continue;
                    }

                    Assert.StartsWith("HTTP/1.1 206", Encoding.ASCII.GetString(bytes.Span[..head]), StringComparison.Ordinal);
                    (_begun, kept) = (true, 0);
                    bytes = bytes[(head + 4)..];
                }

                if (done == 0)
                    first = Stopwatch.GetElapsedTime(began).TotalMilliseconds;
                Assert.True(bytes.Span.SequenceEqual(_film.AsSpan((int)_place, bytes.Length)));
                _place += bytes.Length;
                done += bytes.Length;
            }

            return (first, done);
        }

        public void Dispose() => _socket.Dispose();
    }
}
