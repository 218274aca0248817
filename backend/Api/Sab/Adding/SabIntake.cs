using Microsoft.Extensions.Logging;
using NzbDav.Api.Sab.Calls;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Import.Intake;

namespace NzbDav.Api.Sab.Adding;

/// <summary>Adds .nzb files with the parameters shared by <c>addfile</c>, <c>addurl</c> and <c>retry</c>.</summary>
internal sealed partial class SabIntake(NzbIntake intake, SabCategories categories, ILogger<SabIntake> logger)
{
    /// <summary>The category of a job, from the call; null, with the reason in the log, if it cannot be a folder.</summary>
    public async ValueTask<string?> CategoryAsync(SabCall call, CancellationToken cancellationToken)
    {
        var category = await categories.ChooseAsync(call.Text("cat"), cancellationToken);
        if (category is null)
            LogNoCategory(logger, call.Text("cat"));
        return category;
    }

    /// <inheritdoc cref="NzbIntake.ReceiveAsync"/>
    public Task<IntakeFile> ReceiveAsync(Stream nzb, CancellationToken cancellationToken) => intake.ReceiveAsync(nzb, cancellationToken);

    /// <exception cref="CatalogException">The disk is full or cannot be written.</exception>
    public async Task<IntakeResult> AddAsync(string fileName, IntakeFile nzb, SabCall call, CancellationToken cancellationToken)
    {
        if (await CategoryAsync(call, cancellationToken) is not { } category)
            return new IntakeResult(null, $"'{call.Text("cat")}' is not a valid name for a category");
        var (priority, paused) = SabPriority.Of(call.Number("priority", -100));
        return await AddAsync(
            new IntakeRequest
            {
                FileName = Path.GetFileName(fileName.Replace('\\', '/')),
                Title = call.Text("nzbname"),
                Source = JobSource.Api,
                Category = category,
                Priority = priority,
                Paused = paused,
                Password = call.Text("password"),
            },
            nzb,
            cancellationToken);
    }

    /// <inheritdoc cref="AddAsync(string, IntakeFile, SabCall, CancellationToken)"/>
    public async Task<IntakeResult> AddAsync(IntakeRequest request, IntakeFile nzb, CancellationToken cancellationToken)
    {
        var taken = await intake.AddAsync(request, nzb, cancellationToken);
        if (taken.Job is null)
            LogRefused(logger, request.FileName, taken.Error!);
        if (taken.Refused.Count > 0)
            LogPartlyRefused(logger, request.FileName, string.Join("; ", taken.Refused));
        return taken;
    }

    [LoggerMessage(406, LogLevel.Warning, "A job was refused: '{Category}' is not a valid name for a category.")]
    private static partial void LogNoCategory(ILogger logger, string? category);

    [LoggerMessage(650, LogLevel.Warning, "A part of '{FileName}' was refused: {Reasons}")]
    private static partial void LogPartlyRefused(ILogger logger, string fileName, string reasons);

    [LoggerMessage(402, LogLevel.Warning, "'{FileName}' was refused: {Reason}")]
    private static partial void LogRefused(ILogger logger, string fileName, string reason);
}
