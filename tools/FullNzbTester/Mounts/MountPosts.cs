using System.ComponentModel;
using System.Globalization;
using NzbDav.FullNzbTester.Comparing;
using NzbDav.FullNzbTester.Dav;
using NzbDav.FullNzbTester.Findings;
using NzbDav.FullNzbTester.Processes;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Nzb;
using NzbDav.MockUsenet.Providers;

namespace NzbDav.FullNzbTester.Mounts;

/// <summary>What is posted for a comparison, and how it comes into the server's tree: one job each, by the names below.</summary>
/// <param name="options">Sizes and numbers.</param>
/// <param name="store">Receives the posts.</param>
/// <param name="folder">For temporary files.</param>
internal sealed class MountPosts(MountsOptions options, ArticleStore store, string folder)
{
    public const string Film = "film";
    public const string Warm = "warm";
    public const string Crowd = "crowd";
    public const string Large = "large";
    public const string Videos = "videos";

    /// <summary>Where the server puts the jobs.</summary>
    public const string Category = "content/movies";

    /// <summary>Bytes per second of each reader of a crowd.</summary>
    public const int ReaderRate = 2_000_000;

    /// <summary>Bytes of each file of the large folder: it is there to be listed.</summary>
    private const int EntryBytes = 1_000;

    /// <summary>Bytes read before anything is measured: connections are open then, and code is compiled.</summary>
    private const long WarmBytes = 64 * Units.MiB;

    /// <summary>A film of a minute at the rate of a good one; two, as Matroska and as MP4 with its index at the end.</summary>
    private static readonly string[] VideoArguments =
        ["-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=1280x720:rate=25:duration=60", "-f", "lavfi", "-i", "sine=duration=60",
            "-c:v", "mpeg4", "-b:v", "6M", "-minrate", "6M", "-maxrate", "6M", "-bufsize", "6M", "-c:a", "aac"];

    /// <summary>Without an article for this long, the server fetches nothing by itself.</summary>
    private static readonly TimeSpan Quiet = TimeSpan.FromSeconds(3);
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(5);
    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(200);

    private readonly List<FileSource> _videos = [];
    private PostedFile? _crowd;

    /// <summary>The film's bytes; null until it is posted.</summary>
    public SourceBytes? FilmBytes { get; private set; }

    /// <summary>The film that a crowd reads, which no other stage reads: each reader has a part of its own.</summary>
    public IArticleSource CrowdSource { get; } =
        new FilmSource(new SeededSource(MockPost.Seed, Crowd, (long)options.Readers * options.Seconds * ReaderRate));

    /// <summary>Articles that hold the film.</summary>
    public long FilmArticles => (FilmBytes!.Length + MockPost.ArticleSize - 1) / MockPost.ArticleSize;

    /// <summary>Why there are no videos; null: there are, or none were wanted.</summary>
    public string? NoVideos { get; private set; }

    /// <summary>Posts and imports what the stages need, and waits until the server has kept the starts of the films.</summary>
    public async Task PlantAsync(ServerProcess server, MockProvider mock, CancellationToken cancellationToken)
    {
        var film = new FilmSource(new SeededSource(MockPost.Seed, Film, options.SizeMiB * Units.MiB));
        var warm = new FilmSource(new SeededSource(MockPost.Seed, Warm, Math.Min(WarmBytes, options.SizeMiB * Units.MiB)));
        FilmBytes = SourceBytes.Of(film);
        byte[][] nzbs = [Post([($"{Film}.mkv", film)]), Post([($"{Warm}.mkv", warm)])];

        // The film is encoded beforehand: a measurement includes only sending. All else is encoded when it is asked for.
        await store.EncodeAllAsync(cancellationToken: cancellationToken);
        await ImportAsync(server, Film, nzbs[0], cancellationToken);
        await ImportAsync(server, Warm, nzbs[1], cancellationToken);
        if (options.Stages.Contains(MountsOptions.Crowd))
        {
            var nzb = Post([($"{Crowd}.mkv", CrowdSource)]);
            _crowd = store.Files[^1];
            await ImportAsync(server, Crowd, nzb, cancellationToken);
        }

        if (options.Stages.Contains(MountsOptions.List))
        {
            var entries = Enumerable.Range(1, options.Entries).Select(static number => Entry(number));
            await ImportAsync(server, Large, Post([.. entries]), cancellationToken);
        }

        if (options.Stages.Contains(MountsOptions.Probe) && await MakeVideosAsync(cancellationToken))
        {
            var films = Enumerable.Range(1, options.Films).Select(number =>
                (string.Create(CultureInfo.InvariantCulture, $"video-{number:000}{(number % 2 == 0 ? ".mp4" : ".mkv")}"),
                    (IArticleSource)_videos[number % 2]));
            await ImportAsync(server, Videos, Post([.. films]), cancellationToken);
        }

        await SettleAsync(mock, cancellationToken);

        // No films: the server would keep the start of each.
        static (string Name, IArticleSource Source) Entry(int number)
        {
            var name = string.Create(CultureInfo.InvariantCulture, $"entry-{number:00000}.bin");
            return (name, new SeededSource(MockPost.Seed, name, EntryBytes));
        }
    }

    /// <summary>Waits until nothing more is fetched: what the server fetches by itself is no part of a measurement.</summary>
    public static async Task SettleAsync(MockProvider mock, CancellationToken cancellationToken)
    {
        var (began, since, before) = (TimeProvider.System.GetTimestamp(), TimeProvider.System.GetTimestamp(), -1L);
        while (TimeProvider.System.GetElapsedTime(since) < Quiet && TimeProvider.System.GetElapsedTime(began) < Patience)
        {
            if (mock.Stats.ArticlesServed is var now && now != before)
                (before, since) = (now, TimeProvider.System.GetTimestamp());
            await Task.Delay(Look, TimeProvider.System, cancellationToken);
        }
    }

    /// <summary>Posts one more small film.</summary>
    /// <returns>Its .nzb.</returns>
    public byte[] PostAnother(string name) => Post([($"{name}.mkv", new FilmSource(new SeededSource(MockPost.Seed, name, Units.MiB)))]);

    /// <summary>Imports a job.</summary>
    /// <exception cref="InvalidOperationException">It is refused.</exception>
    public async Task<DavTarget> ImportAsync(ServerProcess server, string job, byte[] nzb, CancellationToken cancellationToken)
    {
        var path = Path.Combine(folder, $"{job}.nzb");
        await File.WriteAllBytesAsync(path, nzb, cancellationToken);
        var (file, refusal) = await server.Import(job).RunAsync(path, cancellationToken);
        return file ?? throw new InvalidOperationException($"The server refused {job}: {refusal}");
    }

    /// <summary>Drops what was encoded for a crowd: as much as all its readers read.</summary>
    public void ForgetCrowd()
    {
        foreach (var segment in _crowd?.Segments ?? [])
            segment.Forget();
    }

    /// <summary>Closes the videos, after the provider has ended.</summary>
    public void Close() => _videos.ForEach(static video => video.Dispose());

    private byte[] Post(IReadOnlyList<(string Name, IArticleSource Source)> files) =>
        NzbWriter.ToBytes(store.AddPost(files, new PostOptions { ArticleSize = (int)MockPost.ArticleSize }));

    private async Task<bool> MakeVideosAsync(CancellationToken cancellationToken)
    {
        try
        {
            await ToolRun.StartAsync("ffprobe", ["-version"], cancellationToken);
            string[] paths = [Path.Combine(folder, "video.mp4"), Path.Combine(folder, "video.mkv")];
            var run = await ToolRun.StartAsync("ffmpeg", [.. VideoArguments, paths[0]], cancellationToken);
            if (run.Code == 0)
                run = await ToolRun.StartAsync("ffmpeg", ["-v", "error", "-y", "-i", paths[0], "-c", "copy", paths[1]], cancellationToken);
            NoVideos = run.Code == 0 ? null : $"ffmpeg makes no video: {run.Complaint.Trim()}";
            if (run.Code == 0)
                _videos.AddRange(paths.Select(path => new FileSource(path)));
        }
        catch (Win32Exception e)
        {
            NoVideos = e.Message;
        }

        return NoVideos is null;
    }
}
