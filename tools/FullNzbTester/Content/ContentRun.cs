using System.Text.Json;
using Microsoft.Extensions.Logging.Abstractions;
using NzbDav.Content;
using NzbDav.FullNzbTester.Comparing;
using NzbDav.FullNzbTester.Findings;
using NzbDav.FullNzbTester.Options;
using NzbDav.FullNzbTester.Stages;
using NzbDav.Usenet;

namespace NzbDav.FullNzbTester.Content;

/// <summary>The content process: opens the post with the product's client, without server and catalog, and reads it.</summary>
internal sealed class ContentRun
{
    private const string Section = "content stream";

    private readonly ContentRequest _request;
    private readonly StageRunner _stages;
    private readonly UsenetClient _client;
    private readonly BufferPool _pool;

    private ContentRun(ContentRequest request, StageRunner stages, UsenetClient client, BufferPool pool)
    {
        _request = request;
        _stages = stages;
        _client = client;
        _pool = pool;
    }

    /// <summary>Carries out the request and writes <see cref="ContentMessage"/> lines.</summary>
    /// <param name="requestFile">Holds a <see cref="ContentRequest"/>.</param>
    /// <param name="settings">Accounts and memory.</param>
    /// <param name="output">Receives the lines.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>The exit code.</returns>
    public static async Task<int> RunAsync(
        FileInfo requestFile, TesterSettings settings, TextWriter output, CancellationToken cancellationToken)
    {
        var request = JsonSerializer.Deserialize(
            await File.ReadAllTextAsync(requestFile.FullName, cancellationToken), TesterJson.Default.ContentRequest)!;
        var findings = new RunFindings();
        var display = new MessageDisplay(output, TimeProvider.System);
        var stages = new StageRunner(Section, findings, display, TimeProvider.System, TimeSpan.FromSeconds(request.StageLimitS));
        var pool = new BufferPool(new BufferBudget((long)settings.MemoryBudgetMiB << 20));
        await using var client = new UsenetClient(settings.Providers, pool, TimeProvider.System, NullLogger<UsenetClient>.Instance);
        client.Start();
        await new ContentRun(request, stages, client, pool).RunAsync(cancellationToken);
        display.Report(findings.ToReport());
        return findings.Passed ? 0 : 1;
    }

    private async Task RunAsync(CancellationToken cancellationToken)
    {
        if (await new PostOpening(_request, _client, _stages).RunAsync(cancellationToken) is not { } map)
            return;
        var right = _client.Open(map);
        if (_request.Verify is { } ranges)
        {
            await new SecondRead(right, ranges, _stages).RunAsync(cancellationToken);
            return;
        }

        var content = _request.Plant == PlantedFault.None
            ? right
            : new PlantedContent(right, _request.Plant, right.Length / 3, (time, token) => Task.Delay(time, _stages.Time, token));
        var reference = _request.HasSource
            ? new SourceReference(SourceBytes.OfPost(_request.SourceFile, _request.SourceLength)) : (IReference)Unchecked.Instance;
        if (_request.MissingArticles is { } missing)
        {
            await new HoleWalk(content, map, missing, reference, _stages).RunAsync(cancellationToken);
            return;
        }

        await FfprobeStage.OfStreamAsync(_stages, content, _request.SourceFile, cancellationToken);
        await new ContentLevel(content, reference, _request, _stages, Lent).RunAsync(cancellationToken);
    }

    /// <summary>Empties the cache and counts what is still held.</summary>
    private int Lent()
    {
        _client.Cache.Reclaim(long.MaxValue);
        return Math.Max(_pool.Rented, _client.Cache.Open);
    }
}
