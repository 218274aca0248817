using NzbDav.Catalog.Jobs;
using NzbDav.Import.Intake;
using NzbDav.Import.Names;
using NzbDav.Library.Drop;
using NzbDav.WebDav.Store;

namespace NzbDav.Host.Serving;

/// <summary>
/// Passes dropped files to the importer. A post that is queued or published already creates no second job. A zip of which a part was
/// refused counts as refused, so that its sender keeps it; what was accepted stays queued.
/// </summary>
internal sealed class NzbDrop(NzbIntake intake, TorrentIntake torrents) : INzbDrop
{
    public string DefaultCategory => intake.DefaultCategory;

    public bool IsCategory(string name) => SafeName.Of(name) == name;

    public async ValueTask<NzbUploadResult> AddAsync(string fileName, string? category, Stream file, CancellationToken cancellationToken)
    {
        var request = new IntakeRequest { FileName = fileName, Category = category, Source = JobSource.Dav, ReuseDuplicates = true };
        var taken = TorrentIntake.Accepts(fileName)
            ? await torrents.AddAsync(request, file, cancellationToken) : await intake.AddAsync(request, file, cancellationToken);
        var result = taken switch
        {
            { Refused.Count: > 0 } => StoreWriteResult.Invalid($"The rest was accepted. {string.Join(' ', taken.Refused)}"),
            { Job: not null } => StoreWriteResult.Created,
            { TooLarge: true } => StoreWriteResult.TooLarge,
            _ => StoreWriteResult.Invalid(taken.Error!),
        };
        return new NzbUploadResult(result, taken.Jobs, taken.Received);
    }
}
