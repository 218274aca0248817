using NzbDav.Catalog;
using NzbDav.WebDav;

namespace NzbDav.Library.Tests;

/// <summary>Takes everything, and queues it.</summary>
internal sealed class StubDrop(JobStore jobs) : INzbDrop
{
    public string DefaultCategory => "movies";

    public bool IsCategory(string name) => name.Length > 0 && !name.Contains(':', StringComparison.Ordinal) && name[^1] != '.';

    public string JobName(string fileName) => Path.GetFileNameWithoutExtension(fileName);

    public async ValueTask<StoreWriteResult> TakeAsync(string fileName, string? category, Stream nzb, CancellationToken cancellationToken)
    {
        await jobs.EnqueueAsync(new NewJob { Name = JobName(fileName), Kind = KindOf(fileName), Category = category ?? DefaultCategory, Source = JobSource.Dav }, nzb, cancellationToken);
        return StoreWriteResult.Created;
    }

    private static JobKind KindOf(string fileName) => Path.GetExtension(fileName).ToUpperInvariant() switch
    {
        ".TORRENT" => JobKind.Torrent,
        ".MAGNET" => JobKind.Magnet,
        _ => JobKind.Nzb,
    };
}
