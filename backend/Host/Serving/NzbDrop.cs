using NzbDav.Catalog;
using NzbDav.Import;
using NzbDav.Library;
using NzbDav.WebDav;

namespace NzbDav.Host.Serving;

/// <summary>What is dropped into the tree goes to the importer.</summary>
internal sealed class NzbDrop(NzbIntake intake) : INzbDrop
{
    public string DefaultCategory => intake.DefaultCategory;

    public bool IsCategory(string name) => SafeName.Of(name) == name;

    public async ValueTask<TakenNzb> TakeAsync(string fileName, string? category, Stream nzb, CancellationToken cancellationToken)
    {
        var taken = await intake.AddAsync(fileName, category, nzb, JobSource.Dav, cancellationToken);
        var result = taken.Job is not null ? StoreWriteResult.Created : taken.TooLarge ? StoreWriteResult.TooLarge : StoreWriteResult.Invalid(taken.Error!);
        return new TakenNzb(result, taken.Jobs, taken.Received);
    }
}
