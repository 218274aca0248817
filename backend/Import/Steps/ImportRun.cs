using System.Globalization;
using NzbDav.Catalog;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import;

/// <summary>
/// One job on its way through the steps: parse, probe, name, lay out, validate, publish. Times each step. Used once, by one worker;
/// its progress may be read by others.
/// </summary>
internal sealed class ImportRun(CatalogJob job, ImportTools tools)
{
    private readonly List<StepTiming> _timings = [];
    private ArticleSurvey _survey = new(tools.Usenet);
    private JobProgress _progress;
    private int _told;

    public CatalogJob Job => job;

    /// <summary>How long the steps took until now, the one that runs or failed included.</summary>
    public IReadOnlyList<StepTiming> Timings => _timings;

    /// <summary>The latest progress; null when it has not changed since it was last asked for.</summary>
    public JobProgress? NewProgress() => Interlocked.Exchange(ref _told, 0) != 0 ? _progress : null;

    /// <returns>Null when the job is published, or was taken away before it could be.</returns>
    public async Task<ImportFailure?> RunAsync(CancellationToken cancellationToken)
    {
        if (job.Kind != JobKind.Nzb)
            return await RunTorrentAsync(cancellationToken);
        Report("parse", 0, 0, 0);
        var parsed = await TimedAsync("parse", () => ParseStep.RunAsync(tools.Blobs, job, cancellationToken));
        if (!parsed.Succeeded)
            return parsed.Failure;
        var document = parsed.Value;
        var passwords = Passwords.Of(job, document, tools.Options);
        _survey.AskAhead(Recovery.Needed(document.Files, tools.Options), cancellationToken);
        var validated = await ValidateAsync(document, passwords, cancellationToken);
        IReadOnlySet<string>? lost = null;
        if (!validated.Succeeded && IsHole(validated.Failure) && PostRepair.IsPossible(tools, document))
        {
            var (mended, why) = await RepairAsync(document, _survey.HasDamage || validated.Failure.Code == ImportFailure.Corrupt, cancellationToken);
            if (why is { Passing: true })
                return why;
            if (!mended)
                return why is null ? validated.Failure : validated.Failure with { Message = $"{validated.Failure.Message} {why.Message}" };
            _survey = new ArticleSurvey(tools.Usenet);
            validated = await ValidateAsync(document, passwords, cancellationToken);
        }
        else if (validated.Succeeded && _survey.HasHoles && PostRepair.IsPossible(tools, document))
        {
            // What cannot be mended is published all the same, as a post without recovery data would be. What only could not be now is mended when the file is opened.
            var (_, why) = await RepairAsync(document, _survey.HasDamage, cancellationToken);
            if (why is { Passing: true })
                lost = _survey.Lost;
        }

        if (!validated.Succeeded)
            return validated.Failure;
        Report("publish", 0, validated.Value.Sum(file => file.Size), validated.Value.Count);
        await new PublishStep(tools) { Lost = lost }.RunAsync(job, validated.Value, _timings, cancellationToken);
        return null;
    }

    /// <summary>True for what recovery data may mend.</summary>
    private static bool IsHole(ImportFailure failure) =>
        failure is { Passing: false, Code: ImportFailure.Missing or ImportFailure.Corrupt or ImportFailure.Incomplete or ImportFailure.BadArchive or ImportFailure.MissingVolumes };

    private async Task<StepResult<IReadOnlyList<ContentFile>>> ValidateAsync(NzbDocument document, IReadOnlyList<string> passwords, CancellationToken cancellationToken)
    {
        var laidOut = await LayOutAsync(document, passwords, reckon: true, cancellationToken);
        if (!laidOut.Succeeded)
            return laidOut;
        Report("validate", 0, laidOut.Value.Sum(file => file.Size), laidOut.Value.Count);
        return await TimedAsync("validate", () => new ValidateStep(tools, _survey).RunAsync(job, laidOut.Value, cancellationToken));
    }

    /// <returns>True when articles were made again. Else why not; null when nothing is missing.</returns>
    private async Task<(bool Mended, ImportFailure? Why)> RepairAsync(NzbDocument document, bool isDamaged, CancellationToken cancellationToken)
    {
        Report("repair", 0, document.Bytes, document.Files.Length);
        var repair = new PostRepair(tools, done => Report("repair", done, document.Bytes, document.Files.Length));
        var repaired = await TimedAsync("repair", () => repair.RunAsync(job.Id.ToString(CultureInfo.InvariantCulture), document, isDamaged, cancellationToken));
        if (!repaired.Succeeded)
            return (false, repaired.Failure);
        return (repaired.Value.Articles > 0, repaired.Value.Why is { } why ? new ImportFailure(ImportFailure.Missing, why) : null);
    }

    /// <summary>The files of the job as they are inside, every header read and nothing reckoned. Publishes nothing.</summary>
    public async Task<StepResult<IReadOnlyList<ContentFile>>> ReadAgainAsync(CancellationToken cancellationToken)
    {
        var parsed = await ParseStep.RunAsync(tools.Blobs, job, cancellationToken);
        return parsed.Succeeded
            ? await LayOutAsync(parsed.Value, Passwords.Of(job, parsed.Value, tools.Options), reckon: false, cancellationToken)
            : parsed.Failure;
    }

    /// <summary>From the .nzb to the files inside. What was reckoned and does not hold is read after all.</summary>
    private async Task<StepResult<IReadOnlyList<ContentFile>>> LayOutAsync(
        NzbDocument document, IReadOnlyList<string> passwords, bool reckon, CancellationToken cancellationToken)
    {
        var laidOut = await TryLayOutAsync(document, passwords, reckon, cancellationToken);
        return ReferenceEquals(laidOut.Failure, ImportFailure.Doubtful) ? await TryLayOutAsync(document, passwords, reckon: false, cancellationToken) : laidOut;
    }

    private async Task<StepResult<IReadOnlyList<ContentFile>>> TryLayOutAsync(
        NzbDocument document, IReadOnlyList<string> passwords, bool reckon, CancellationToken cancellationToken)
    {
        Report("probe", 0, document.Bytes, document.Files.Length);
        var step = new ProbeStep(tools, _survey, done => Report("probe", done, document.Bytes, document.Files.Length));
        var probed = await TimedAsync("probe", () => step.RunAsync(document, reckon, cancellationToken));
        if (!probed.Succeeded)
            return probed.Failure;
        Report("name", 0, document.Bytes, probed.Value.Count);
        var named = await TimedAsync("name", () => new NameStep(tools).RunAsync(job.Name, probed.Value, cancellationToken));
        if (!named.Succeeded)
            return named.Failure;
        Report("layout", 0, document.Bytes, named.Value.Files.Count);
        return await TimedAsync("layout", () => new LayoutStep(tools).RunAsync(job.Name, named.Value with { Counted = Counted(document) }, passwords, reckon, cancellationToken));
    }

    private static HashSet<(int File, int FileCount)> Counted(NzbDocument document) =>
        [.. document.Files.Where(file => file.SubjectParts is { File: not null, FileCount: not null }).Select(file => (file.SubjectParts.File!.Value, file.SubjectParts.FileCount!.Value))];

    private async Task<ImportFailure?> RunTorrentAsync(CancellationToken cancellationToken)
    {
        var step = new TorrentStep(tools);
        Report("metadata", 0, 0, 0);
        var described = await TimedAsync("metadata", () => step.DescribeAsync(job, cancellationToken));
        if (!described.Succeeded)
            return described.Failure;
        var info = described.Value.Metainfo.Info;
        Report("layout", 0, info.Length, info.Files.Count);
        var files = await TimedAsync("layout", () => step.LayOutAsync(job, described.Value, cancellationToken));
        if (!files.Succeeded)
            return files.Failure;
        Report("publish", 0, info.Length, files.Value.Count);
        await step.PublishAsync(job, described.Value, files.Value, _timings, cancellationToken);
        return null;
    }

    private async Task<StepResult<T>> TimedAsync<T>(string step, Func<Task<StepResult<T>>> run)
        where T : class
    {
        var started = tools.Time.GetTimestamp();
        try
        {
            return await run();
        }
        finally
        {
            // A step that was taken twice is told once.
            var took = tools.Time.GetElapsedTime(started);
            if (_timings.FindIndex(timing => string.Equals(timing.Step, step, StringComparison.Ordinal)) is >= 0 and var known)
                _timings[known] = _timings[known] with { Duration = _timings[known].Duration + took };
            else
                _timings.Add(new StepTiming(step, took));
        }
    }

    private void Report(string step, int perMille, long bytes, int files)
    {
        _progress = new JobProgress(step, perMille, bytes, files);
        Volatile.Write(ref _told, 1);
        tools.Events.Report(new ImportProgress(job.Id, _progress));
    }
}
