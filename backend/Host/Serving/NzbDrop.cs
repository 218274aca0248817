using NzbDav.Catalog;
using NzbDav.Import;
using NzbDav.Library;
using NzbDav.WebDav;

namespace NzbDav.Host.Serving;

/// <summary>What is dropped into the tree goes to the importer. A post that waits or is there already makes no second job: who drops it twice wants it once.</summary>
internal sealed class NzbDrop(NzbIntake intake, TorrentIntake torrents) : INzbDrop
{
    public string DefaultCategory => intake.DefaultCategory;

    public bool IsCategory(string name) => SafeName.Of(name) == name;

    public async ValueTask<TakenNzb> TakeAsync(string fileName, string? category, Stream file, CancellationToken cancellationToken)
    {
        var request = new IntakeRequest { FileName = fileName, Category = category, Source = JobSource.Dav, ReuseDuplicates = true };
        var taken = TorrentIntake.Takes(fileName) ? await torrents.AddAsync(request, file, cancellationToken) : await intake.AddAsync(request, file, cancellationToken);
        var result = taken.Job is not null ? StoreWriteResult.Created : taken.TooLarge ? StoreWriteResult.TooLarge : StoreWriteResult.Invalid(taken.Error!);
        return new TakenNzb(result, taken.Jobs, taken.Received);
    }
}
