using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using Microsoft.Extensions.Logging.Abstractions;
using NzbDav.Content;
using NzbDav.Content.Dialling;
using NzbDav.FullNzbTester.Findings;
using NzbDav.FullNzbTester.Processes;
using NzbDav.FullNzbTester.Report;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Providers;
using NzbDav.Usenet;
using NzbDav.Usenet.Accounts;
using NzbDav.Usenet.Nntp;

namespace NzbDav.FullNzbTester.Faults;

/// <summary>
/// What a viewer notices when the provider of the first priority fails and one of the second works: a reader at the rate of a film, with
/// the client and its dialler in this process, so that names and addresses can fail too. Each fault strikes while the film is read, and in
/// two more runs while a file is laid out as an import does: before the client starts, and when its connections are open.
/// </summary>
internal sealed class PrimaryLoss(TextWriter output)
{
    /// <summary>Longest wait of the reader and longest import that pass.</summary>
    public static readonly TimeSpan Most = TimeSpan.FromSeconds(2);

    private const string Primary = "primary.test";
    private const string Backup = "backup.test";
    private const int ArticleSize = 716_800;

    /// <summary>64 Mbit/s: a film in UHD.</summary>
    private const double Rate = 8_000_000;

    /// <summary>
    /// The fault strikes after <see cref="Before"/>, and is watched for <see cref="After"/>: a little longer than it takes to give up
    /// silent connections and attempts to connect.
    /// </summary>
    private static readonly TimeSpan Before = TimeSpan.FromSeconds(3);
    private static readonly TimeSpan After = TimeSpan.FromSeconds(27);

    private static readonly IPAddress Hole = IPAddress.Parse("2001:db8::1");

    /// <summary>The ways to fail: name for the table, and what happens.</summary>
    private static readonly (string Title, Action<Network> Strike)[] Faults =
    [
        ("freezes", static network => network.Primary.IsFrozen = true),
        ("is refused", static network =>
        {
            network.Primary.RefuseConnections = true;
            network.Primary.DropConnections();
        }),
        ("loses DNS", static network =>
        {
            network.Addresses = null;
            network.Primary.DropConnections();
        }),
        ("has a black-holed address", static network =>
        {
            network.Addresses = [Hole];
            network.Primary.DropConnections();
        }),
        ("has a black-holed address beside a good one", static network =>
        {
            network.Addresses = [Hole, IPAddress.Loopback];
            network.Primary.DropConnections();
        }),
    ];

    /// <summary>Runs all faults and prints a line for each; returns the verdicts.</summary>
    public async Task<IReadOnlyList<Verdict>> RunAsync(CancellationToken cancellationToken)
    {
        var verdicts = new List<Verdict>();
        var length = (long)(Rate * (Before + After).TotalSeconds);
        var store = new ArticleStore();
        var source = new SeededSource(MockPost.Seed, "film", length);
        var file = store.AddFile("film.mkv", source, new PostOptions { ArticleSize = ArticleSize });
        foreach (var (title, strike) in Faults)
        {
            var (longest, wrong, moved) = await ReadAsync(store, file, strike, cancellationToken);
            var import = await ImportAsync(store, file, strike, isConnected: false, cancellationToken);
            var connected = await ImportAsync(store, file, strike, isConnected: true, cancellationToken);
            verdicts.Add(new Verdict(
                $"primary {title}: longest gap and imports ≤ {Most.TotalMilliseconds:0} ms, 0 wrong bytes",
                string.Create(CultureInfo.InvariantCulture, $"gap {longest.TotalMilliseconds:#,0} ms")
                + string.Create(CultureInfo.InvariantCulture, $", import at the start {import.TotalMilliseconds:#,0} ms")
                + string.Create(CultureInfo.InvariantCulture, $", with connections open {connected.TotalMilliseconds:#,0} ms")
                + string.Create(CultureInfo.InvariantCulture, $", {wrong:#,0} wrong bytes, {moved:#,0} articles from the backup"),
                longest <= Most && import <= Most && connected <= Most && wrong == 0));
            await output.WriteLineAsync(verdicts[^1].ToString());
        }

        return verdicts;
    }

    /// <summary>Reads at the rate of a film.</summary>
    private static async Task<(TimeSpan Longest, long Wrong, long Moved)> ReadAsync(
        ArticleStore store, PostedFile file, Action<Network> strike, CancellationToken cancellationToken)
    {
        await using var network = new Network(store);
        await using var client = network.Start();
        var content = client.Open(await LayOutAsync(client, file, cancellationToken));
        var (began, struck, longest, wrong) = (Stopwatch.GetTimestamp(), false, TimeSpan.Zero, 0L);
        var expected = new byte[1 << 20];
        await using var reader = content.OpenReader(0, file.Length, ReadIntent.Playback);
        while (true)
        {
            var due = TimeSpan.FromSeconds(reader.Position / Rate);
            if (due - Stopwatch.GetElapsedTime(began) is { Ticks: > 0 } ahead)
                await Task.Delay(ahead, cancellationToken);
            if (!struck && due >= Before)
            {
                struck = true;
                strike(network);
            }

            var asked = Stopwatch.GetTimestamp();
            var at = reader.Position;
            using var lease = await reader.NextAsync(cancellationToken);
            var took = Stopwatch.GetElapsedTime(asked);
            longest = took > longest ? took : longest;
            if (lease.IsEmpty)
                return (longest, wrong, network.Backup.Stats.ArticlesServed);

            // A player that waited continues from there; it does not catch up.
            began += took > TimeSpan.FromMilliseconds(100) ? (long)(took.TotalSeconds * Stopwatch.Frequency) : 0;
            var bytes = lease.Memory.Span;
            file.Source.Fill(at, expected.AsSpan(0, bytes.Length));
            for (var i = 0; i < bytes.Length; i++)
                wrong += bytes[i] == expected[i] ? 0 : 1;
        }
    }

    /// <summary>Lays a file out on a client that starts while the fault lasts, or whose connections are open when it strikes.</summary>
    private static async Task<TimeSpan> ImportAsync(
        ArticleStore store, PostedFile file, Action<Network> strike, bool isConnected, CancellationToken cancellationToken)
    {
        await using var network = new Network(store);
        if (!isConnected)
            strike(network);
        var began = Stopwatch.GetTimestamp();
        await using var client = network.Start();
        if (isConnected)
        {
            while (client.Providers.Any(static provider => provider.Status.OpenConnections < provider.Options.MaxConnections))
                await Task.Delay(TimeSpan.FromMilliseconds(10), cancellationToken);
            strike(network);
            began = Stopwatch.GetTimestamp();
        }

        await LayOutAsync(client, file, cancellationToken);
        return Stopwatch.GetElapsedTime(began);
    }

    private static async Task<ExtentMap> LayOutAsync(UsenetClient client, PostedFile file, CancellationToken cancellationToken)
    {
        string[] ids = [.. file.Segments.Select(static segment => segment.MessageId)];
        var layout = await client.LayOutAsync(ids, FetchPriority.Import, new Dictionary<int, ArticleHeader>(), cancellationToken);
        var segments = layout.Segments ?? throw new InvalidOperationException($"The film cannot be laid out: {layout.Reason}");
        return ExtentMap.OfWholeSegments(segments);
    }

    /// <summary>Two mock providers with the same articles, and the client's way to them.</summary>
    private sealed class Network : IAsyncDisposable
    {
        public Network(ArticleStore store)
        {
            var options = new MockProviderOptions
            {
                Latency = TimeSpan.FromMilliseconds(20),
                ConnectionRate = 6_000_000,
                KeepsArticles = false,
            };
            Primary = MockProvider.Start(store, options with { Name = "primary" });
            Backup = MockProvider.Start(store, options with { Name = "backup" });
        }

        public MockProvider Primary { get; }

        public MockProvider Backup { get; }

        /// <summary>The addresses of the primary's name; null: the name server does not answer.</summary>
        public IPAddress[]? Addresses { get; set; } = [IPAddress.Loopback];

        public UsenetClient Start()
        {
            var account = new ProviderOptions { UseTls = false, MaxConnections = 8 };
            var client = new UsenetClient(
                [
                    account with { Name = "primary", Host = PrimaryLoss.Primary, Port = Primary.Port },
                    account with { Name = "backup", Host = PrimaryLoss.Backup, Port = Backup.Port, Priority = 1 },
                ],
                new BufferPool(new BufferBudget(128 * Units.MiB)), TimeProvider.System, NullLogger<UsenetClient>.Instance,
                dialler: new Dialler(TimeProvider.System) { Resolve = ResolveAsync, Connect = ConnectAsync });
            client.Start();
            return client;
        }

        public async ValueTask DisposeAsync()
        {
            await Primary.DisposeAsync();
            await Backup.DisposeAsync();
        }

        private Task<IPAddress[]> ResolveAsync(string host, CancellationToken cancellationToken) =>
            host == PrimaryLoss.Backup ? Task.FromResult<IPAddress[]>([IPAddress.Loopback])
            : Addresses is { } addresses ? Task.FromResult(addresses)
            : Task.FromException<IPAddress[]>(new SocketException((int)SocketError.TryAgain));

        private static async ValueTask<Socket> ConnectAsync(IPEndPoint address, CancellationToken cancellationToken)
        {
            if (address.Address.Equals(Hole))
                await Task.Delay(Timeout.InfiniteTimeSpan, cancellationToken);
            var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
            try
            {
                await socket.ConnectAsync(address, cancellationToken);
                return socket;
            }
            catch
            {
                socket.Dispose();
                throw;
            }
        }
    }
}
