using System.Globalization;
using Microsoft.Win32.SafeHandles;
using NzbDav.FullNzbTester.Dav;
using NzbDav.FullNzbTester.Faults;
using NzbDav.FullNzbTester.Findings;
using NzbDav.FullNzbTester.Stages;
using NzbDav.MockUsenet.Providers;

namespace NzbDav.FullNzbTester.Mounts;

/// <summary>The measurements in one mounted tree. Each adds its figures to the result, under the side's name.</summary>
internal sealed class MountReads(
    MountedServer mounted, MountSide side, MountPosts posts, MountsOptions options, MockProvider mock, MountsResult result)
{
    /// <summary>How much a reader asks for at a time.</summary>
    private const int Piece = 256 << 10;

    private const int SeekBytes = (int)Units.MiB;

    /// <summary>A change that is not seen within this time is not waited for any longer.</summary>
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(2);

    private readonly TimeProvider _time = TimeProvider.System;

    /// <summary>Reads another film: connections are open and code is compiled afterwards.</summary>
    public Task WarmUpAsync(CancellationToken cancellationToken) => OnThreadAsync(() =>
    {
        using var file = Open(PathOf(MountPosts.Warm));
        var buffer = new byte[Piece];
        for (long at = 0; RandomAccess.Read(file, buffer, at) is var read and > 0; at += read)
            cancellationToken.ThrowIfCancellationRequested();
    });

    /// <summary>The film from end to end: speed, CPU, articles fetched.</summary>
    public async Task ReadAllAsync(CancellationToken cancellationToken)
    {
        var film = posts.FilmBytes!;
        mock.ResetStats();
        var (server, rclone, began) = (mounted.Server.Cpu, mounted.RcloneCpu, _time.GetTimestamp());
        var (length, wrong) = await OnThreadAsync(() => Compare(PathOf(MountPosts.Film), cancellationToken));
        var took = _time.GetElapsedTime(began).TotalSeconds;
        (server, rclone) = (mounted.Server.Cpu - server, mounted.RcloneCpu - rclone);
        var bodies = mock.Stats.Commands.GetValueOrDefault("BODY");
        Check("sequential", length, wrong);
        if (length != film.Length)
            result.Fail($"{side.Name}: the film ended after {length:N0} of {film.Length:N0} bytes.");
        var gigabytes = length / 1e9;
        Add("sequential_mb_per_s", length / Units.Mega / took);
        Add("cpu_s_per_gb", (server + rclone).TotalSeconds / gigabytes);
        Add("server_cpu_s_per_gb", server.TotalSeconds / gigabytes);
        Add("articles_over_needed_ratio", (double)bodies / posts.FilmArticles);
    }

    /// <summary>Random places in the film, each beside one over WebDAV in a place of its own.</summary>
    /// <param name="turn">Selects the places.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async Task SeekAsync(int turn, CancellationToken cancellationToken)
    {
        var film = posts.FilmBytes!;
        var target = await TargetAsync(MountPosts.Film, cancellationToken);
        var length = (int)Math.Min(SeekBytes, film.Length);
        var places = SeekPlaces.Random(film.Length, length, options.Seeks * 2, turn);
        var (seeks, ranges, buffer) = (new ReadTimes(), new ReadTimes(), new byte[length]);
        using var file = Open(mounted.PathOf(target));
        using var client = new RangeClient(target, _time);
        for (var index = 0; index < options.Seeks; index++)
        {
            var (place, other) = (places[index * 2], places[(index * 2) + 1]);
            var began = _time.GetTimestamp();
            var read = await OnThreadAsync(() => RandomAccess.Read(file, buffer, place));
            seeks.Add(_time.GetElapsedTime(began), place);
            Check("seek", read, film.Differences(place, buffer.AsSpan(0, read)));
            if (read != length)
                result.Fail($"{side.Name}: a read of {length:N0} bytes at {place:N0} got {read:N0}.");
            using var check = new FilmCheck(film, other);
            var range = await client.GetAsync(RangeRequest.Closed(other, length), check, cancellationToken);
            ranges.Add(range.All, other);
            Check("range", range.Received, check.Wrong);
            if (range.Fault is { } fault)
                result.Fail($"WebDAV at byte {other:N0}: {fault}.");
        }

        foreach (var figure in (Figure[])[.. seeks.P50AndP95("seek"), .. ranges.P50AndP95("webdav")])
            Add(figure.Name, figure.Value!.Value);
    }

    /// <summary><c>ls -l</c> of the large folder, twice.</summary>
    public async Task ListAsync(CancellationToken cancellationToken)
    {
        var folder = mounted.PathOf($"{MountPosts.Category}/{MountPosts.Large}");
        foreach (var figure in (string[])["ls_first_ms", "ls_again_ms"])
        {
            var run = await ToolRun.StartAsync("ls", ["-l", folder], cancellationToken);
            var lines = run.Output.Count(letter => letter == '\n') - 1;
            if (run.Code != 0 || lines != options.Entries)
                result.Fail($"{side.Name}: ls shows {lines:N0} of {options.Entries:N0} files. {run.Complaint.Trim()}");
            Add(figure, run.Took.TotalMilliseconds);
        }
    }

    /// <summary>ffprobe of every video, one after the other.</summary>
    public async Task ProbeAsync(CancellationToken cancellationToken)
    {
        if (posts.NoVideos is not null)
            return;
        var paths = Directory.GetFiles(mounted.PathOf($"{MountPosts.Category}/{MountPosts.Videos}"));
        mock.ResetStats();
        var began = _time.GetTimestamp();
        foreach (var path in paths)
        {
            var run = await ToolRun.StartAsync(
                "ffprobe", ["-v", "error", "-show_entries", "format=duration", "-of", "default=nw=1:nk=1", path], cancellationToken);
            if (run.Code != 0)
                result.Fail($"{side.Name}: ffprobe {Path.GetFileName(path)}: {run.Complaint.Trim()}");
        }

        if (paths.Length != options.Films)
            result.Fail($"{side.Name}: {paths.Length} of {options.Films} videos are there.");
        Add("ffprobe_ms", _time.GetElapsedTime(began).TotalMilliseconds);
        Add("ffprobe_articles_mean", (double)mock.Stats.Commands.GetValueOrDefault("BODY") / paths.Length);
    }

    /// <summary>A film that is imported and then deleted over WebDAV: how much later does the folder show that? What is not seen takes
    /// <see cref="Patience"/>.</summary>
    /// <param name="job">A name that was not used before.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async Task ChangeAsync(string job, CancellationToken cancellationToken)
    {
        var folder = mounted.PathOf(MountPosts.Category);
        var path = Path.Combine(folder, job);

        // Listed and asked for before: the kernel knows that it is not there.
        if (Seen() > 0)
            result.Fail($"{side.Name}: {job} is there before it was imported.");
        await posts.ImportAsync(mounted.Server, job, posts.PostAnother(job), cancellationToken);
        Add("published_ms", await UntilAsync(() => Seen() == 2));
        var wasSeen = Seen() == 2;
        using var deleted = await mounted.Server.Http.DeleteAsync(
            new Uri(mounted.Server.Root, $"{MountPosts.Category}/{job}/"), cancellationToken);
        if (!deleted.IsSuccessStatusCode)
            result.Fail($"{job} cannot be deleted: {(int)deleted.StatusCode}.");
        if (wasSeen)
            Add("deleted_ms", await UntilAsync(() => Seen() == 0));

        // By its name, and in a listing.
        int Seen() => (Directory.Exists(path) ? 1 : 0) + (Directory.EnumerateDirectories(folder).Contains(path) ? 1 : 0);

        async Task<double> UntilAsync(Func<bool> seen)
        {
            var began = _time.GetTimestamp();
            while (!seen() && _time.GetElapsedTime(began) < Patience)
                await Task.Delay(Look, _time, cancellationToken);
            return _time.GetElapsedTime(began).TotalMilliseconds;
        }
    }

    /// <summary>Many readers at the pace of a film, each in its own part.</summary>
    public async Task CrowdAsync(CancellationToken cancellationToken)
    {
        var all = await Task.WhenAll(Enumerable.Range(0, options.Readers)
            .Select(reader => OnThreadAsync(() => Play((long)reader * options.Seconds * MountPosts.ReaderRate, cancellationToken))));
        posts.ForgetCrowd();
        var times = ReadTimes.Of(all);
        Add("crowd_longest_wait_ms", times.Slowest);
        Add("crowd_p99_ms", times.Quantile(0.99)!.Value);
        Add("server_peak_mib", mounted.Server.PeakMiB);
    }

    private ReadTimes Play(long start, CancellationToken cancellationToken)
    {
        // Each with an open file of its own, as separate players have.
        using var file = Open(PathOf(MountPosts.Crowd));
        var (times, buffer, expected) = (new ReadTimes(), new byte[Piece], new byte[Piece]);
        var (began, end) = (_time.GetTimestamp(), start + ((long)options.Seconds * MountPosts.ReaderRate));
        for (var at = start; at < end;)
        {
            var due = TimeSpan.FromSeconds((double)(at - start) / MountPosts.ReaderRate) - _time.GetElapsedTime(began);
            if (due > TimeSpan.Zero)
                cancellationToken.WaitHandle.WaitOne(due);
            cancellationToken.ThrowIfCancellationRequested();
            var (asked, length) = (_time.GetTimestamp(), (int)Math.Min(Piece, end - at));
            var read = RandomAccess.Read(file, buffer.AsSpan(0, length), at);
            times.Add(_time.GetElapsedTime(asked), at);
            posts.CrowdSource.Fill(at, expected.AsSpan(0, read));
            Check("readers", read, buffer.AsSpan(0, read).SequenceEqual(expected.AsSpan(0, read)) ? 0 : 1);
            if (read == 0)
                throw new IOException($"the film ended at byte {at:N0}");
            at += read;
        }

        return times;
    }

    private (long Length, long Wrong) Compare(string path, CancellationToken cancellationToken)
    {
        using var file = Open(path);
        var (buffer, at, wrong) = (new byte[Piece], 0L, 0L);
        while (RandomAccess.Read(file, buffer, at) is var read and > 0)
        {
            cancellationToken.ThrowIfCancellationRequested();
            var bytes = buffer.AsSpan(0, read);
            if (posts.FilmBytes!.FirstDifference(at, bytes) >= 0)
                wrong += posts.FilmBytes.Differences(at, bytes);
            at += read;
        }

        return (at, wrong);
    }

    private string PathOf(string job) => mounted.PathOf(
        string.Create(CultureInfo.InvariantCulture, $"{MountPosts.Category}/{job}/{job}.mkv"));

    private async Task<DavTarget> TargetAsync(string job, CancellationToken cancellationToken) =>
        await mounted.Server.Import(job).FindAsync(mounted.Server.Root, cancellationToken)
            ?? throw new InvalidOperationException($"The server does not show {job}.");

    private void Add(string figure, double value) => result.Add(side.Name, figure, value);

    private void Check(string stage, long bytes, long wrong)
    {
        result.Compared(bytes, wrong);
        if (wrong > 0)
            result.Fail($"{side.Name}, {stage}: {wrong:N0} wrong bytes.");
    }

    /// <summary>Without the lock that .NET takes on files that others may not write to, which would be a request to the mount.</summary>
    private static SafeFileHandle Open(string path) =>
        File.OpenHandle(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);

    /// <summary>Reads of a mount block: they must not take the pool's threads, on which the mock provider answers.</summary>
    private static Task<T> OnThreadAsync<T>(Func<T> work) =>
        Task.Factory.StartNew(work, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    private static Task OnThreadAsync(Action work) =>
        Task.Factory.StartNew(work, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
}
