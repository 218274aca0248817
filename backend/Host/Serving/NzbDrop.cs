using NzbDav.Catalog;
using NzbDav.Import;
using NzbDav.Library;
using NzbDav.WebDav;

namespace NzbDav.Host.Serving;

/// <summary>What is dropped into the tree goes to the importer.</summary>
internal sealed class NzbDrop(NzbIntake intake, TorrentIntake torrents) : INzbDrop
{
    public string DefaultCategory => intake.DefaultCategory;

    public bool IsCategory(string name) => SafeName.Of(name) == name;

    public string JobName(string fileName) => TorrentIntake.Takes(fileName) ? TorrentIntake.JobName(fileName) : NzbIntake.JobName(fileName);

    public async ValueTask<StoreWriteResult> TakeAsync(string fileName, string? category, Stream nzb, CancellationToken cancellationToken)
    {
        var request = new IntakeRequest { FileName = fileName, Category = category, Source = JobSource.Dav };
        var taken = TorrentIntake.Takes(fileName) ? await torrents.AddAsync(request, nzb, cancellationToken) : await intake.AddAsync(request, nzb, cancellationToken);
        return taken.Job is not null ? StoreWriteResult.Created : taken.TooLarge ? StoreWriteResult.TooLarge : StoreWriteResult.Invalid(taken.Error!);
    }
}
