using NzbDav.Import.Intake;
using NzbDav.Migration.Titles;

namespace NzbDav.Host.Moving;

/// <summary>For a dry run: reads the .nzb of each title and checks whether the post is here already. Imports nothing.</summary>
/// <param name="intake">The intake of .nzb files, on a copy of the catalog.</param>
internal sealed class LookingSink(NzbIntake intake) : ITitleSink
{
    private readonly Lock _gate = new();

    /// <summary>Posts that would have been imported so far.</summary>
    private readonly HashSet<(string, string?, string)> _taken = [];

    public async Task<(long? JobId, bool WasHere, string? Error)> TakeAsync(OldTitle title, Stream nzb, CancellationToken cancellationToken)
    {
        var request = QueueingSink.Request(title);
        var (known, post, error) = await intake.LookAsync(request, nzb, cancellationToken);
        if (error is not null)
            return (null, false, error);
        lock (_gate)
            return (known, known is not null || !_taken.Add((post!, request.Category, request.FileName)), null);
    }
}
