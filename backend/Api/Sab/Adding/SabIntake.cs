using Microsoft.Extensions.Logging;
using NzbDav.Catalog;
using NzbDav.Import;

namespace NzbDav.Api.Sab;

/// <summary>Takes .nzb files in with the parameters that <c>addfile</c>, <c>addurl</c> and <c>retry</c> share.</summary>
internal sealed partial class SabIntake(NzbIntake intake, SabCategories categories, ILogger<SabIntake> logger)
{
    /// <summary>Where a job goes, from the call; null, with the reason in the log, if it cannot be.</summary>
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
            return new IntakeResult(null, $"'{call.Text("cat")}' cannot be the name of a category");
        var (priority, paused) = SabPriority.Of(call.Number("priority", -100));
        return await AddAsync(
            new IntakeRequest
            {
                FileName = Name(call.Text("nzbname"), fileName),
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
        return taken;
    }

    /// <summary>A name that was asked for goes before the file's own; an ending that it has by chance is not one of a file.</summary>
    public static string Name(string? asked, string fileName)
    {
        if (asked is null)
            return Path.GetFileName(fileName.Replace('\\', '/'));
        return asked.EndsWith(".nzb", StringComparison.OrdinalIgnoreCase) ? asked : asked + ".nzb";
    }

    [LoggerMessage(406, LogLevel.Warning, "A job was not taken: '{Category}' cannot be the name of a category.")]
    private static partial void LogNoCategory(ILogger logger, string? category);

    [LoggerMessage(402, LogLevel.Warning, "'{FileName}' was not taken: {Reason}")]
    private static partial void LogRefused(ILogger logger, string fileName, string reason);
}
