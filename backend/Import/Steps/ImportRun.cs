using System.Globalization;
using Microsoft.Extensions.Logging;
using NzbDav.Catalog.Jobs;
using NzbDav.Import.Names;
using NzbDav.Import.Options;
using NzbDav.Import.Probing;
using NzbDav.Import.Progress;
using NzbDav.Import.Repair;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import.Steps;

/// <summary>
/// Runs one job through the steps: parse, probe, name, lay out, validate, publish. Times each step. Used once, by one worker;
/// other threads may read its progress.
/// </summary>
internal sealed partial class ImportRun(CatalogJob job, ImportTools tools)
{
    private readonly List<StepTiming> _timings = [];
    /// <summary>Most levels of posts that contain the .nzb of another post.</summary>
    private const int MostInside = 2;

    private ArticleSurvey _survey = new(tools.Usenet);

    /// <summary>The post that is imported: the job's own, or the one whose .nzb it contains.</summary>
    private NzbDocument? _document;
    private JobProgress _progress;
    private int _hasNewProgress;

    public CatalogJob Job => job;

    /// <summary>True: reads the headers of every volume. False (default): infers those of a regular set's middle volumes.</summary>
    public bool ReadsEveryVolume { get; init; }

    /// <summary>Durations of the steps so far, including the last one, whether it succeeded or failed.</summary>
    public IReadOnlyList<StepTiming> Timings => _timings;

    /// <summary>The latest progress; null if it has not changed since the last call.</summary>
    public JobProgress? NewProgress() => Interlocked.Exchange(ref _hasNewProgress, 0) != 0 ? _progress : null;

    /// <returns>Null if the job was published, or was no longer claimed at publication.</returns>
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
        _survey.SendStats(RecoveryFiles.Needed(document.Files, tools.Options), cancellationToken);
        var validated = await ValidateAsync(document, passwords, cancellationToken);
        document = _document ?? document;
        IReadOnlySet<string>? lost = null;
        if (!validated.Succeeded && IsHole(validated.Failure) && PostRepair.IsPossible(tools, document))
        {
            var (isRepaired, why) = await RepairAsync(
                document, _survey.HasDamage || validated.Failure.Code == ImportFailure.Corrupt, cancellationToken);
            if (why is { IsTransient: true })
                return why.Code == ImportFailure.Unavailable ? why : Final(validated.Failure, why);
            if (!isRepaired)
                return why is null ? validated.Failure : validated.Failure with { Message = $"{validated.Failure.Message} {why.Message}" };
            _survey = new ArticleSurvey(tools.Usenet);
            validated = await ValidateAsync(document, Passwords.Of(job, document, tools.Options), cancellationToken);
        }
        else if (validated.Succeeded && _survey.HasHoles && PostRepair.IsPossible(tools, document))
        {
            // A post that cannot be repaired is published anyway, like a post without recovery data. If it cannot be repaired only now, it
            // is repaired when the file is opened.
            var (_, why) = await RepairAsync(document, _survey.HasDamage, cancellationToken);
            if (why is { IsTransient: true })
                lost = _survey.MissingOrDamaged;
            if (why is not null)
                LogNotRepaired(tools.Logger, job.Name, why.Message);
        }

        if (!validated.Succeeded)
            return validated.Failure;
        Report("publish", 0, validated.Value.Sum(file => file.Size), validated.Value.Count);
        await new PublishStep(tools) { MissingArticles = lost }.RunAsync(job, validated.Value, _timings, cancellationToken);
        return null;
    }

    /// <summary>
    /// A repair that failed although the providers answered, because the disk or the memory was full. Each attempt may read the whole post,
    /// and the next one would fail as well until somebody has made room. So the job fails (the *arrs show it as a fault of the server, not
    /// of the post), and a person can retry it.
    /// </summary>
    private static ImportFailure Final(ImportFailure damage, ImportFailure failure) =>
        failure with { IsTransient = false, Message = $"{damage.Message} {failure.Message} Retry it once the cause is fixed." };

    /// <summary>True for a failure that recovery data may repair.</summary>
    private static bool IsHole(ImportFailure failure) =>
        failure is
        {
            IsTransient: false, Code: ImportFailure.Missing or ImportFailure.Corrupt or ImportFailure.Incomplete
            or ImportFailure.BadArchive or ImportFailure.MissingVolumes
        };

    private async Task<StepResult<IReadOnlyList<ContentFile>>> ValidateAsync(
        NzbDocument document, IReadOnlyList<string> passwords, CancellationToken cancellationToken)
    {
        var laidOut = await LayOutAsync(document, passwords, cancellationToken);
        if (!laidOut.Succeeded)
            return laidOut;
        Report("validate", 0, laidOut.Value.Sum(file => file.Size), laidOut.Value.Count);
        return await TimedAsync("validate", () => new ValidateStep(tools, _survey).RunAsync(job, laidOut.Value, cancellationToken));
    }

    /// <returns>True if articles were reconstructed. Otherwise why not; null if nothing is missing.</returns>
    private async Task<(bool Repaired, ImportFailure? Why)> RepairAsync(
        NzbDocument document, bool isDamaged, CancellationToken cancellationToken)
    {
        Report("repair", 0, document.Bytes, document.Files.Length);
        var repair = new PostRepair(tools, done => Report("repair", done, document.Bytes, document.Files.Length));
        var repaired = await TimedAsync(
            "repair", () => repair.RunAsync(job.Id.ToString(CultureInfo.InvariantCulture), document, isDamaged, cancellationToken));
        if (!repaired.Succeeded)
            return (false, repaired.Failure);
        return (repaired.Value.Articles > 0, repaired.Value.Reason is { } why ? new ImportFailure(ImportFailure.Missing, why) : null);
    }

    /// <summary>Finds the files of the job and their layouts, without publishing anything.</summary>
    public async Task<StepResult<IReadOnlyList<ContentFile>>> ReadAsync(CancellationToken cancellationToken)
    {
        var parsed = await ParseStep.RunAsync(tools.Blobs, job, cancellationToken);
        return parsed.Succeeded
            ? await LayOutAsync(parsed.Value, Passwords.Of(job, parsed.Value, tools.Options), cancellationToken)
            : parsed.Failure;
    }

    /// <summary>Finds the files that would be published, and whether the providers still have them, without publishing anything.</summary>
    /// <param name="document">The post.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>The files, or why the import would fail; and true if recovery data may restore what is missing.</returns>
    public async Task<(StepResult<IReadOnlyList<ContentFile>> Found, bool MayBeRepaired)> PreviewAsync(
        NzbDocument document, CancellationToken cancellationToken)
    {
        _survey.SendStats(RecoveryFiles.Needed(document.Files, tools.Options), cancellationToken);
        var found = await ValidateAsync(document, Passwords.Of(job, document, tools.Options), cancellationToken);
        return (found, !found.Succeeded && IsHole(found.Failure) && PostRepair.IsPossible(tools, _document ?? document));
    }

    /// <summary>
    /// Finds the files inside the post, or inside the post whose .nzb it contains. Reads every volume if an inferred layout is wrong.
    /// </summary>
    private async Task<StepResult<IReadOnlyList<ContentFile>>> LayOutAsync(
        NzbDocument document, IReadOnlyList<string> passwords, CancellationToken cancellationToken)
    {
        for (var inside = 0; ; inside++)
        {
            var laidOut = await TryLayOutAsync(document, passwords, infers: !ReadsEveryVolume, cancellationToken);
            if (ReferenceEquals(laidOut.Failure, ImportFailure.DoubtfulLayout))
                laidOut = await TryLayOutAsync(document, passwords, infers: false, cancellationToken);
            if (!laidOut.Succeeded || inside == MostInside
                || await new InnerPosts(tools).FindAsync(laidOut.Value, cancellationToken) is not var (inner, named))
                return laidOut;
            LogInner(tools.Logger, job.Name, inner.Files.Length);
            (_document, document, _survey) = (inner, inner, new ArticleSurvey(tools.Usenet));
            passwords = [.. Passwords.Of(job, inner, tools.Options).Concat(named).Concat(passwords).Distinct(StringComparer.Ordinal)];
        }
    }

    private async Task<StepResult<IReadOnlyList<ContentFile>>> TryLayOutAsync(
        NzbDocument document, IReadOnlyList<string> passwords, bool infers, CancellationToken cancellationToken)
    {
        Report("probe", 0, document.Bytes, document.Files.Length);
        var step = new ProbeStep(tools, _survey, done => Report("probe", done, document.Bytes, document.Files.Length));
        var probed = await TimedAsync("probe", () => step.RunAsync(document, infers, cancellationToken));
        if (!probed.Succeeded)
            return probed.Failure;
        Report("name", 0, document.Bytes, probed.Value.Count);
        var named = await TimedAsync("name", () => new NameStep(tools).RunAsync(job.Name, probed.Value, cancellationToken));
        if (!named.Succeeded)
            return named.Failure;
        Report("layout", 0, document.Bytes, named.Value.Files.Count);
        var layout = new LayoutStep(tools, done => Report("layout", done, document.Bytes, named.Value.Files.Count));
        return await TimedAsync(
            "layout",
            () => layout.RunAsync(job.Name, named.Value with { Counted = Counted(document) }, passwords, cancellationToken));
    }

    private static HashSet<(int File, int FileCount)> Counted(NzbDocument document) =>
        [.. document.Files.Where(file => file.SubjectParts is { File: not null, FileCount: not null })
            .Select(file => (file.SubjectParts.File!.Value, file.SubjectParts.FileCount!.Value))];

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
        if (ValidateStep.Refuse(job, files.Value, tools.Options) is { } useless)
            return useless;
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
            // A step that ran twice is listed once, with its total duration.
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
        Volatile.Write(ref _hasNewProgress, 1);
        tools.Events.Report(new ImportProgress(job.Id, _progress));
    }

    [LoggerMessage(722, LogLevel.Information, "{Job} holds only the .nzb of another post, which is imported instead: {Files} files.")]
    private static partial void LogInner(ILogger logger, string job, int files);

    [LoggerMessage(720, LogLevel.Warning, "{Job} is published with holes: {Reason}")]
    private static partial void LogNotRepaired(ILogger logger, string job, string reason);
}
