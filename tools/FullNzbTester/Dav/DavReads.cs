using NzbDav.FullNzbTester.Comparing;
using NzbDav.FullNzbTester.Findings;
using NzbDav.FullNzbTester.Options;
using NzbDav.FullNzbTester.Processes;
using NzbDav.FullNzbTester.Stages;

namespace NzbDav.FullNzbTester.Dav;

/// <summary>What the WebDAV stages share. Thread-safe.</summary>
/// <param name="Target">The file.</param>
/// <param name="Reference">What its bytes must be.</param>
/// <param name="Stages">Runs the stages.</param>
/// <param name="Options">How much to do.</param>
/// <param name="Server">Measures the server; null when it is not ours.</param>
/// <param name="Stats">The mock's counters; null with a real account.</param>
internal sealed record DavReads(
    DavTarget Target, IReference Reference, StageRunner Stages, TesterOptions Options, IServerMeter? Server, MockStats? Stats)
{
    /// <summary>After this many cuts in one range the read fails.</summary>
    private const int MostAgain = 100;

    public TimeProvider Time => Stages.Time;

    /// <summary>The most that one sequential pass reads.</summary>
    public long Most => Math.Min(Target.Length, Options.SizeMiB * Units.MiB);

    /// <summary>One pass where the file fits in the server's memory: a second one would measure the memory.</summary>
    public int Passes => FitsInMemory ? 1 : Options.Passes;

    /// <summary>True when a good part of the file may still be in the server's memory after it was read.</summary>
    public bool FitsInMemory => Most < Options.MemoryBudgetMiB * 4 * Units.MiB;

    /// <summary>A client with a connection of its own.</summary>
    public RangeClient Client() => new(Target, Time);

    /// <summary>Reads a range, compares it, and fails the stage if anything is wrong.</summary>
    /// <remarks>
    /// When articles arrive damaged, a response may be cut: its last bytes were sent before their checksum was known. A player then asks
    /// again from a little earlier, and so does this.
    /// </remarks>
    public async Task<RangeRead> ReadAsync(
        Stage stage, RangeClient client, RangeRequest request, CancellationToken cancellationToken, IReference? against = null)
    {
        var (from, again) = (request.Start, 0);
        RangeRead? first = null;
        while (true)
        {
            using var check = (against ?? Reference).Open(stage, from);
            var read = await client.GetAsync(
                request with { Start = from, Read = request.Start + request.Read - from }, check, cancellationToken);
            first ??= read;
            if (read.Fault is not { } fault)
                return first with { Received = request.Read, All = again == 0 ? read.All : first.All + read.All };
            if (Options.Corrupt == 0 || !read.IsCut || ++again > MostAgain)
            {
                stage.Fail($"bytes {request.Start:N0} to {request.Start + request.Read - 1:N0}: {fault}.");
                return first;
            }

            check.Forgive();
            stage.ReadAgain();
            from = Math.Max(request.Start, from + read.Received - MockPost.ArticleSize);
        }
    }

    /// <summary>Articles requested while <paramref name="work"/> ran; null with a real account.</summary>
    public async Task<double?> ArticlesAsync(Func<Task> work, CancellationToken cancellationToken)
    {
        var before = Stats is null ? 0 : await Stats.BodiesAsync(cancellationToken);
        await work();
        return Stats is null ? null : await Stats.BodiesAsync(cancellationToken) - before;
    }
}
