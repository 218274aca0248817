using NzbDav.Migration.Titles;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Host.Moving;

/// <summary>Reads the .nzb of each title and takes nothing.</summary>
internal sealed class LookingSink : ITitleSink
{
    public Task<(long? JobId, string? Error)> TakeAsync(OldTitle title, Stream nzb, CancellationToken cancellationToken) => Task.Run(
        () =>
        {
            var read = NzbReader.Read(nzb, options: null, cancellationToken);
            return ((long?)null, read.Succeeded ? null : read.Error.ToString());
        },
        cancellationToken);
}
